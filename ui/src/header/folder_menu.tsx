// The folder that a session works in, its branch and how much of it differs from the last commit.
import { Show } from "solid-js";
import { MENU_LINE, MenuButton, type MenuItem } from "../frame/menus/menu";
import { baseName } from "../frame/names";
import { Icon } from "../icons/icon";
import { mayAct, mayManage } from "../state/access";
import { type Mirror, type Room, useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { visible } from "../text/visible";
import { t } from "./texts";

export function FolderMenu(props: { mirror: Mirror }) {
  const room = useRoom();
  const folder = () => props.mirror.head().workspace;
  const git = () => room.git(folder());
  const branch = () => visible(git()?.branch ?? "");
  const label = () =>
    git()
      ? t("folderBranch", { folder: shownPath(folder()), branch: branch() || t("noBranch") })
      : t("folder", { folder: shownPath(folder()) });
  return (
    <MenuButton
      label={label()}
      class="plain header-part header-folder"
      hasText
      items={() => makeItems(room, props.mirror.id, folder())}
    >
      <Icon name="folder" />
      <span class="unseen">{t("folderName")}</span>
      <span class="header-word">{visible(baseName(folder()) || folder())}</span>
      <Show when={git()}>
        {(status) => (
          <>
            <Icon name="branch" />
            <span class="unseen">{t("branchName")}</span>
            <span class="header-word">{branch() || t("noBranch")}</span>
            <Show when={status().changed}>
              {(changed) => (
                <span
                  class="header-dim"
                  title={t(changed() === 1 ? "changedTitle_one" : "changedTitle", { n: changed() })}
                >
                  {t("changed", { n: changed() })}
                </span>
              )}
            </Show>
          </>
        )}
      </Show>
    </MenuButton>
  );
}

function makeItems(room: Room, session: string, folder: string): readonly MenuItem[] {
  const branch = room.git(folder)?.branch;
  const isLooking = !mayAct(room.access());
  return [
    { label: t("browse"), run: () => room.openFile(session, { path: "" }) },
    { label: t("copyPath"), run: () => void copy(room, folder) },
    ...(branch ? [{ label: t("copyBranch"), run: () => void copy(room, branch) }] : []),
    MENU_LINE,
    { label: t("newHere"), disabled: isLooking, run: () => void room.create(folder) },
    {
      label: t("otherFolder"),
      disabled: !mayManage(room.access()),
      run: () => room.show({ kind: "folders" }),
    },
  ];
}

async function copy(room: Room, text: string): Promise<void> {
  try {
    await room.host.copy(text);
    room.toast("info", t("copied"));
  } catch {
    room.toast("warn", t("notCopied", { text }));
  }
}
