// The search field of the sidebar: names at once, what was said a moment later; and the way to search everything.
import { Icon } from "../../icons/icon";
import { t } from "../session_texts";
import { isMac, showStroke } from "../shortcuts";

export const SEARCH = "session-search"; // the id of the field

interface SearchProps {
  query: string;
  onQuery: (query: string) => void;
  onDown: () => void;
  onEnter: () => void;
  onSearchAll: () => void;
}

export function SidebarSearch(props: SearchProps) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") props.onDown();
    else if (event.key === "Enter" && !event.isComposing) props.onEnter();
    else return;
    event.preventDefault();
  };
  return (
    <div class="frame-side-search">
      <label>
        <Icon name="search" />
        <span class="unseen">{t("search")}</span>
        <input
          id={SEARCH}
          type="search"
          maxLength={200}
          placeholder={t("search")}
          value={props.query}
          onInput={(event) => props.onQuery(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </label>
      <button
        type="button"
        class="plain frame-side-all"
        aria-keyshortcuts={isMac() ? "Meta+K" : "Control+K"}
        title={t("searchAll")}
        onClick={() => props.onSearchAll()}
      >
        <span class="unseen">{t("searchAll")}</span>
        <kbd>{showStroke("search", isMac())}</kbd>
        <span class="frame-side-short">{t("searchAllShort")}</span>
      </button>
    </div>
  );
}
