"""The application run for tests, over a data folder, a project and an offline Codex of its own."""

import asyncio
import atexit
import importlib
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from tests.patience import PATIENCE_S

from bascule.core.prompts.prompt_lane import How
from bascule.core.prompts.purposes import parse_purpose
from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.prompts.prompt_outcomes import PromptOutcome
from bascule.daemon.sessions.watchers import Watcher
from bascule.demo.home import prepare_home, toml_string
from bascule.demo.project import prepare_project
from bascule.demo.server import DemoModel
from bascule.host.clock import new_id
from bascule.host.files.data_folder import Folder, open_folder
from bascule.model.asks import Answer, Ask, Refuse
from bascule.model.blocks import AssistantBlock, Block, InfoBlock, PlanBlock, UserBlock
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Prompt, Run, Session

SUITE = "E2E_OF_BASCULE"  # in the environment of every process that a test starts
SUITE_ID = str(os.getpid())
# Another binary than the packaged one, to try a version by hand.
CODEX = os.environ.get("BASCULE_TEST_CODEX") or str(
    importlib.import_module("codex_cli_bin").bundled_codex_path()
)

Answers = Callable[[Ask], Answer | None]


class LiveApp:
    """The application, from opening the data folder to closing it."""

    def __init__(self, app: App, project: Path) -> None:
        self.app = app
        self.project = project

    @property
    def place(self) -> AgentPlace:
        """Codex in the project."""
        return AgentPlace("codex", str(self.project))

    async def create(self, project: Path | None = None) -> SessionId:
        """Without its agent, which starts with the first prompt: a tenth of a second less each."""
        return await self.app.sessions.create(str(project or self.project))

    async def begin(self, project: Path | None = None) -> SessionId:
        """With its agent, as after a first prompt."""
        session = await self.create(project)
        await self.app.sessions.ready(session)
        return session

    def say(self, session: SessionId, text: str, *, key: str = "", how: How = "queue") -> PromptKey:
        """A prompt that must be taken; its key."""
        prompt = Prompt(key=PromptKey(key or new_id("k")), text=text, purpose=parse_purpose(text))
        assert isinstance(self.app.prompts.submit(session, prompt, how), PromptOutcome)
        return prompt.key

    def refused(self, session: SessionId, prompt: Prompt, how: How = "queue") -> str:
        refused = self.app.prompts.submit(session, prompt, how)
        assert isinstance(refused, Refuse)
        return refused.why

    def see(self, session: SessionId) -> Session:
        return self.app.hub.session(session)

    async def until(self, session: SessionId, holds: Callable[[Session], object]) -> Session:
        """The session as soon as that holds of it."""
        return await self._watch(session, lambda: self.app.hub.session(session), holds)

    async def until_head(self, session: SessionId, holds: Callable[[Session], object]) -> Session:
        """As `until`, without blocks: cheap enough for long answers."""
        return await self._watch(session, lambda: self.app.roster.get(session), holds)

    async def _watch(
        self, session: SessionId, look: Callable[[], Session], holds: Callable[[Session], object]
    ) -> Session:
        watcher = self.app.hub.watch(session)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds(seen := look()):
                    await watcher.next()
                return seen
        except TimeoutError:
            raise AssertionError(f"that never came: {self.see(session)}") from None
        finally:
            watcher.close()

    async def until_idle(self, session: SessionId) -> Session:
        lane = self.app.roster.lane(session)
        await self.until_head(session, lambda _: lane.idle)
        return self.see(session)

    async def until_ask(self, session: SessionId) -> Ask:
        return (await self.until_head(session, lambda seen: seen.asks)).asks[0]

    async def until_streaming(self, session: SessionId, words: int = 3) -> Session:
        """The agent has begun to speak in its latest run, and is not done."""
        return await self.until(session, lambda seen: len(_spoken(seen).split()) >= words)

    async def answer(self, session: SessionId, answer: Answer) -> Refuse | None:
        return await self.app.asks.answer(session, answer)

    async def play(self, session: SessionId, text: str, answers: Answers | None = None) -> Session:
        """A prompt from its start to its end; Asks are answered as they come."""
        self.say(session, text)
        return await self.finish(session, answers or accept)

    async def finish(self, session: SessionId, answers: Answers) -> Session:
        lane = self.app.roster.lane(session)
        while True:
            seen = await self.until_head(session, lambda seen: seen.asks or lane.idle)
            if not seen.asks:
                return self.see(session)
            given = answers(seen.asks[0])
            assert given is not None, f"nobody answers {seen.asks[0]}"
            assert await self.answer(session, given) is None

    def watch(self, session: SessionId) -> Watcher:
        return self.app.hub.watch(session)


class Setup:
    """A data folder, the demo's home and project, and a model that serves them."""

    def __init__(self, folder: Folder, project: Path, env: dict[str, str]) -> None:
        self.folder = folder
        self.project = project
        self.env = env
        self.write_settings()

    def write_settings(
        self, *, command: str = CODEX, args: tuple[str, ...] = ("app-server",), **more: int | str
    ) -> None:
        rows = "".join(
            f"[{key.partition('_')[0]}]\n{key.partition('_')[2]} = {value}\n" for key, value in more.items()
        )
        shown = ", ".join(toml_string(arg) for arg in args)
        text = f"[codex]\ncommand = {toml_string(command)}\nargs = [{shown}]\n{rows}"
        self.folder.settings.write_text(text, encoding="utf-8")

    def use_fake(self, name: str, *words: str) -> None:
        """A small program of tests/e2e/fakes in Codex's place."""
        fake = Path(__file__).parent / "fakes" / f"{name}.py"
        self.write_settings(command=sys.executable, args=("-I", str(fake), *words))

    @asynccontextmanager
    async def run(self) -> AsyncIterator[LiveApp]:
        async with open_app(self.folder, command="tests", env=self.env) as app:
            yield LiveApp(app, self.project)


@asynccontextmanager
async def open_setup(root: Path, *, word_delay_s: float = 0.002) -> AsyncIterator[Setup]:
    folder = open_folder(root / "data")
    async with DemoModel(word_delay_s=word_delay_s, python=shlex.quote(sys.executable)) as model:
        project = root / "wordkit"
        await asyncio.to_thread(shutil.copytree, _committed_project(), project, symlinks=True)
        home = prepare_home(root / "codex", base_url=model.base_url, token=model.token)
        # a home without a shell profile
        yield Setup(folder, project, {**home, "HOME": str(root), SUITE: SUITE_ID})


@cache
def _committed_project() -> Path:
    """Made once by this process: each would start Git three times."""
    folder = Path(tempfile.mkdtemp(prefix="wordkit-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    prepare_project(folder / "wordkit", os.environ)
    return folder / "wordkit"


def accept(ask: Ask) -> Answer:
    """Yes once; the first option of every question, else a name."""
    questions = getattr(ask.subject, "questions", ())
    answers: dict[str, tuple[str, ...]] = {
        q.id: ((q.options[0].label if q.options else "Ann"),) for q in questions if q.type == "text"
    }
    return Answer(ask=ask.id, choice=ask.choices[0].id, answers=answers)


def choose(choice: str, reason: str = "") -> Answers:
    """The same answer to every Ask."""
    return lambda ask: Answer(ask=ask.id, choice=choice, reason=reason)


def kinds(blocks: tuple[Block, ...]) -> list[str]:
    """What the log holds, in order, with what became of it: `command completed`."""
    return [" ".join([_kind(block), getattr(block, "status", "")]).strip() for block in blocks]


def without_notes(session: Session) -> tuple[Block, ...]:
    """The log without what only we note: notices come between, plans Codex does not keep."""
    return tuple(block for block in session.blocks if not isinstance(block, InfoBlock | PlanBlock))


def _kind(block: Block) -> str:
    return str(block.__struct_config__.tag)


def last_run(session: Session) -> Run:
    return session.runs[-1]


def of_run(session: Session, at: int = -1) -> tuple[Block, ...]:
    run = session.runs[at].id
    return tuple(block for block in session.blocks if block.run == run)


def of_kind(session: Session, kind: type[Any]) -> list[Any]:
    return [block for block in session.blocks if isinstance(block, kind)]


def said(session: Session) -> list[str]:
    """What people said, in order."""
    return [block.text for block in session.blocks if isinstance(block, UserBlock)]


def replies(session: Session) -> list[str]:
    """What the agent said, in order."""
    return [block.text for block in session.blocks if isinstance(block, AssistantBlock)]


def _spoken(session: Session) -> str:
    last = session.blocks[-1] if session.blocks else None
    return last.text if isinstance(last, AssistantBlock) and last.status == "inProgress" else ""


def left_over() -> list[psutil.Process]:
    """Processes of this suite's applications that are still there."""
    return [process for process in psutil.process_iter() if _is_ours(process)]


def _is_ours(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.environ().get(SUITE) == SUITE_ID
    except psutil.Error:
        return False
