// A refusal as a message: in the person's language, with the way to the setting that it is about.
import { type SaidCode, settingOf } from "../i18n/said";
import type { Room, Toast, ToastAction } from "../state/room";
import { t } from "../state/texts";
import { visible } from "./visible";

export function toastRefusal(
  room: Room,
  text: string,
  said?: SaidCode | null,
  level: Toast["level"] = "error",
  session?: string,
): void {
  const at = settingOf(said);
  const action: ToastAction | undefined = at
    ? { label: t("openSetting"), act: () => room.show({ kind: "settings", at }) }
    : undefined;
  room.toast(level, visible(text), action, session);
}
