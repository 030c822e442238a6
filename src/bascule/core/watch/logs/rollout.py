"""A Codex rollout, followed line by line: which run is open, and so what the session is doing."""

from bascule.core.watch.logs.rollout_lines import INPUT_TOOL, RolloutLine, parse_line
from bascule.core.watch.logs.tail_lines import TailLine
from bascule.core.watch.merge import MEANINGS
from bascule.model.session import Status
from bascule.model.watch import Signal

MAX_OPEN_CALLS = 1_000


class RolloutReader:
    """`feed` a line at a time; `signal` says what is true after it. It may begin in the middle of a file."""

    def __init__(self, session: str = "") -> None:
        self.session = session  # of the file's name, until its first line says it
        self.has_meta = False
        self.has_input = False
        self.broken = 0  # lines that could not be read
        self.title = ""
        self._cwd = self._branch = self._doing = ""
        self._hidden = False
        self._turn: str | None = None  # open, by its id; empty: some turn may be; None: no turn is open
        self._marks_turns = False
        self._evidence = "session meta"
        self._open: dict[str, str] = {}  # calls without an output: what each is doing
        self._asking: set[str] = set()  # those of them that wait for a person
        self._at_ms = 0

    def skip_to_end(self, begun: "RolloutReader", *, with_input: bool) -> None:
        """What comes next is the end of the file that `begun` read the beginning of."""
        self.title = begun.title
        self.has_input = with_input and begun.has_input
        self._marks_turns = begun._marks_turns
        self._turn = "" if begun._marks_turns else None

    def feed(self, line: TailLine) -> bool:
        """Whether it said anything."""
        said = parse_line(line)
        if said is None:
            self.broken += 1
            return False
        self._at_ms = max(self._at_ms, said.at_ms)
        self._take(said)
        return said.kind != "other"

    def _take(self, said: RolloutLine) -> None:
        match said.kind:
            case "meta":
                self._take_meta(said)
            case "named":
                self.title = said.text or self.title
            case "started":
                self._begin(said.id)
            case "prompt":
                self._take_prompt(said)
            case "text":
                self._take_text(said.name)
            case "call":
                self._take_call(said)
            case "output":
                self._take_output(said.id)
            case "ended":
                self._end(said)
            case "step" | "other":
                pass

    def _take_meta(self, said: RolloutLine) -> None:
        """The first one names the file's own session; a fork carries those of its past as well."""
        if not self.has_meta:
            self.has_meta = True
            self.session = said.id or self.session
            self._cwd, self._branch, self._hidden = said.cwd, said.branch, said.hidden

    def _begin(self, turn: str) -> None:
        self._turn, self._marks_turns = turn, True
        self._open.clear()
        self._asking.clear()
        self._evidence = "prompt" if self.has_input else self._evidence

    def _take_prompt(self, said: RolloutLine) -> None:
        if self._is_over:
            self._open.clear()
            self._asking.clear()
        self.has_input = True
        self.title = self.title or said.text
        self._evidence = "prompt"
        self._doing = ""

    @property
    def _is_over(self) -> bool:
        return self._turn is None

    def _take_text(self, phase: str) -> None:
        """In a turn that is open, only a final answer is the end: other text may come before a tool."""
        is_final = phase == "final_answer" or (not phase and self._is_over)
        if self._evidence not in ("task_complete", "turn_aborted"):
            self._evidence = "final answer" if is_final else "text before a tool"

    def _take_call(self, said: RolloutLine) -> None:
        """One that is written after the end of its run does not open it again."""
        if self._evidence in ("task_complete", "turn_aborted"):
            return
        self._evidence = "open tool call"
        self._doing = said.text
        if said.id and len(self._open) < MAX_OPEN_CALLS:
            self._open[said.id] = said.text
            if said.name == INPUT_TOOL:
                self._asking.add(said.id)

    def _take_output(self, call: str) -> None:
        self._open.pop(call, None)
        self._asking.discard(call)
        if self._evidence not in ("task_complete", "turn_aborted"):
            self._evidence = "tool output"
        self._doing = next(reversed(self._open.values()), "")

    def _end(self, said: RolloutLine) -> None:
        """The end of an earlier turn says nothing of the one that is open."""
        if self._turn and said.id and said.id != self._turn:
            return
        self._turn = None
        self._open.clear()
        self._asking.clear()
        self._evidence, self._doing = said.name, ""

    @property
    def evidence(self) -> str:
        """What decides, in the words of the table."""
        if not self.has_input:
            return "session meta"
        if self._asking:
            return "request_user_input"
        return "open tool call" if self._open else self._evidence

    @property
    def status(self) -> Status:
        return MEANINGS["rollout", self.evidence] or "unknown"

    @property
    def is_known(self) -> bool:
        return bool(self.session) and self.has_meta

    def signal(self) -> Signal:
        asked = next((self._open[call] for call in self._asking if call in self._open), "")
        return Signal(
            source="rollout",
            agent="codex",
            session=self.session,
            evidence=self.evidence,
            status=self.status,
            at_ms=self._at_ms,
            cwd=self._cwd,
            branch=self._branch,
            title=self.title,
            doing=asked or self._doing,
            hidden=self._hidden,
        )
