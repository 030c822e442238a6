// Which page a command or a text for the prompt is about: a tab stays the active editor while somebody is in the chat.

interface Open<Page> {
  used: Page | undefined; // last
  chat: Page | undefined; // not made before its view is first shown
  hasChat: boolean;
  tabs: readonly { page: Page; isVisible: boolean }[];
}

/// The one that was used last; else the chat view; where there is none, a tab.
export function pickPage<Page>({ used, chat, hasChat, tabs }: Open<Page>): Page | undefined {
  if (used !== undefined || hasChat) return used ?? chat;
  return (tabs.find((tab) => tab.isVisible) ?? tabs.at(-1))?.page;
}
