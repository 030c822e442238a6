// Small pictures drawn in the colour of the text around them; the control that holds one names itself.

const PATHS = {
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5l3.2 3L13 4.5",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14",
  sidebar: "M2 3h12v10H2zM6 3v10",
  diff: "M8 3v6M5 6h6M5 12h6",
  gear: "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4",
  help: "M5.6 6a2.4 2.4 0 1 1 3.6 2c-.8.5-1.2.9-1.2 1.9M8 12.8v.2",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5V11M8 5v.1",
  bell: "M4 11V7.2a4 4 0 0 1 8 0V11l1 1.4H3zM6.8 14h2.4",
  down: "M4 6l4 4 4-4",
  home: "M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5",
  folder: "M2 4.5h4l1.4 1.6H14v6.4H2z",
  reset: "M3 8a5 5 0 1 0 1.6-3.7M3 2.6v2.6h2.6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon(props: { name: IconName }) {
  return (
    <svg
      class="frame-icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={PATHS[props.name]} />
    </svg>
  );
}
