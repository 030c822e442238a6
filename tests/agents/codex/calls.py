"""Every call that the driver can make, as it is said to Codex."""

import asyncio

from tests.agents.codex.listening import Json, Listener

from bascule.agents.codex.confining import READ_ONLY
from bascule.agents.driver import Confinement, FolderRules, Policy
from bascule.core.faults import AgentGone
from bascule.core.prompts.prompt_context import ContextMark, PromptContext
from bascule.model.context import ContextPart
from bascule.model.ids import PromptKey, RunId, ThreadId
from bascule.model.session import Prompt

POLICY = Policy(sandbox="workspace-write", approvals="on-request")
CONFINED = Confinement("on-request", FolderRules(folders=("/w",), readable=("/usr",)))
PROMPT = Prompt(key=PromptKey("k"), text="hi", images=("/tmp/x.png", "https://example.org/y.png"))
CONTEXT = PromptContext(
    "a file", ContextMark(context=(ContextPart(kind="file", name="a.py", size=6, whole=6),))
)


async def every_call() -> list[Json]:
    listener = Listener()
    driver, thread, run = listener.driver, ThreadId("t"), RunId("r")
    calls = [
        driver.greet("1.0"),
        driver.start("/w", CONFINED, "m", lambda _: None),
        driver.resume(thread, "/w", CONFINED, 20, lambda _: None),
        driver.fork(thread, run, CONFINED, lambda _: None),
        driver.fork(thread, None, CONFINED, lambda _: None),
        driver.list_runs(thread, "/w", "", 20),
        driver.prompt(thread, PROMPT, policy=POLICY, context=CONTEXT, model="m", effort="high"),
        driver.prompt(thread, PROMPT, policy=READ_ONLY),
        driver.steer(thread, run, PROMPT, CONTEXT),
        driver.interrupt(thread, run),
        driver.compact(thread),
        driver.rename(thread, "mine"),
        driver.list_models(),
    ]
    ends = await asyncio.gather(*calls, _fail_soon(listener), return_exceptions=True)
    assert [type(end) for end in ends[:-1]] == [AgentGone] * len(calls)
    assert len(listener.said) == len(calls)
    return listener.said


async def _fail_soon(listener: Listener) -> None:
    await asyncio.sleep(0)
    listener.driver.fail("every call has been heard")
