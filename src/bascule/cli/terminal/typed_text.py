"""A line as it is typed key by key: edited here, so that nothing in a paste can hide that it was pasted."""

from rich.cells import cell_len

MAX_TYPED = 4_096  # characters
ESC = "\x1b"
PASTE_BEGINS, PASTE_ENDS = f"{ESC}[200~", f"{ESC}[201~"
ENTER = ("\r", "\n")
BACKSPACE = ("\x7f", "\b")
ERASE_WORD, ERASE_ALL, END = "\x17", "\x15", "\x04"
SIGNAL_KEYS = {"\x03": "SIGINT", "\x1a": "SIGTSTP", "\x1c": "SIGQUIT"}


class TypedText:
    """Feed it the keys one by one. Pasted text is left out, or is text that presses no key."""

    def __init__(self, *, takes_pastes: bool = False) -> None:
        self._takes_pastes = takes_pastes
        self._sequence = ""  # an escape sequence, as far as it has come
        self._is_pasting = False
        self.is_settling = False  # a paste ended, or text in it says so: what comes at once belongs to it
        self.text = ""
        self.is_done = False
        self.is_closed = False  # Ctrl+D on an empty line
        self.signal = ""  # what the key that came last asks for

    def feed(self, key: str) -> str:
        """What the screen shows for it."""
        self.signal = ""
        if key == ESC or self._sequence:
            return self._feed_sequence(key)
        if self._is_pasting or self.is_settling:
            return self._add(" " if key in (*ENTER, "\t") else key) if self._takes_pastes else ""
        if key in ENTER:
            self.is_done = True
            return "\n"
        if key in BACKSPACE:
            return self._erase(1)
        if key == ERASE_ALL:
            return self._erase(len(self.text))
        if key == ERASE_WORD:
            kept = self.text.rstrip().rpartition(" ")
            return self._erase(len(self.text) - len(kept[0] + kept[1]))
        if key == END:
            self.is_closed = not self.text
            return ""
        self.signal = SIGNAL_KEYS.get(key, "")
        return self._add(key)

    def forget(self) -> None:
        """What was typed so far does not count; that a paste is under way is still known."""
        self.text, self.is_done, self.is_closed = "", False, False

    def settle(self) -> None:
        """No key has come for a moment since a paste ended: the next one is typed."""
        self.is_settling = False

    def _feed_sequence(self, key: str) -> str:
        """Arrows and the like do nothing here; marks say where a paste begins and ends."""
        if key == ESC:
            self._sequence = ESC
            return ""
        self._sequence = (self._sequence + key)[: len(PASTE_BEGINS) + 1]
        is_open = key in "[O" if len(self._sequence) == 2 else not "@" <= key <= "~"
        if is_open:
            return ""
        whole, self._sequence = self._sequence, ""
        if whole == PASTE_BEGINS:
            self._is_pasting = True
        elif whole == PASTE_ENDS:
            was_pasting, self._is_pasting, self.is_settling = self._is_pasting, False, True
            if not was_pasting and not self._takes_pastes:
                return self._erase(len(self.text))  # its beginning was never seen
        return ""

    def _add(self, key: str) -> str:
        if not key.isprintable() or len(self.text) >= MAX_TYPED:
            return ""
        self.text += key
        return key

    def _erase(self, count: int) -> str:
        kept = self.text[: len(self.text) - count]
        width = cell_len(self.text) - cell_len(kept)
        self.text = kept
        return "\b \b" * width
