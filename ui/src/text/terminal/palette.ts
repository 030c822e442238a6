// The sixteen colours of a terminal, and which of them another colour is nearest to.

export type Rgb = readonly [number, number, number];

const SIXTEEN: Record<string, Rgb> = {
  "ansi-black": [0, 0, 0],
  "ansi-red": [187, 0, 0],
  "ansi-green": [0, 187, 0],
  "ansi-yellow": [187, 187, 0],
  "ansi-blue": [0, 0, 187],
  "ansi-magenta": [187, 0, 187],
  "ansi-cyan": [0, 187, 187],
  "ansi-white": [220, 220, 220],
  "ansi-bright-black": [95, 95, 95],
  "ansi-bright-red": [255, 85, 85],
  "ansi-bright-green": [85, 255, 85],
  "ansi-bright-yellow": [255, 255, 85],
  "ansi-bright-blue": [85, 85, 255],
  "ansi-bright-magenta": [255, 85, 255],
  "ansi-bright-cyan": [85, 255, 255],
  "ansi-bright-white": [255, 255, 255],
};
const LEVELS = [0, 95, 135, 175, 215, 255] as const;

/// Of the 256: a cube of 6 x 6 x 6 from 16 on, greys from 232 on.
export function paletteColour(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return [grey, grey, grey];
  }
  const place = Math.max(0, index - 16);
  const level = (step: number) => LEVELS[Math.floor(place / step) % 6] ?? 0;
  return [level(36), level(6), level(1)];
}

export function nearest(colour: Rgb): string {
  const far = (other: Rgb) => other.reduce((sum, part, at) => sum + (part - (colour[at] ?? 0)) ** 2, 0);
  const sorted = Object.entries(SIXTEEN).sort(([, one], [, other]) => far(one) - far(other));
  return sorted[0]?.[0] ?? "";
}
