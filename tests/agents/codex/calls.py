"""Every call that the driver can make, as it is said to Codex."""

import asyncio

from tests.agents.codex.listening import Json, Listener

from bascule.agents.codex.confining import Confined, ThreadRules
from bascule.agents.codex.saying import READ_ONLY_POLICY, ContextInput, Policy
from bascule.core.faults import AgentGone
from bascule.core.prompts.prompt_context import PromptContext
from bascule.model.context import ContextPart
from bascule.model.ids import PromptKey, RunId, ThreadId
from bascule.model.session import Prompt

POLICY = Policy(sandbox="workspace-write", approvals="on-request")
CONFINED = Confined("on-request", ThreadRules(folders=("/w",), readable=("/usr",)))
PROMPT = Prompt(key=PromptKey("k"), text="hi", images=("/tmp/x.png", "https://example.org/y.png"))
BESIDE = ContextInput(
    "a file", PromptContext(context=(ContextPart(kind="file", name="a.py", size=6, whole=6),))
)


async def every_call() -> list[Json]:
    listener = Listener()
    driver, thread, run = listener.driver, ThreadId("t"), RunId("r")
    calls = [
        driver.initialize("1.0"),
        driver.start_thread("/w", CONFINED, "m", lambda _: None),
        driver.resume_thread(thread, CONFINED, 20, lambda _: None),
        driver.fork_thread(thread, run, CONFINED, lambda _: None),
        driver.fork_thread(thread, None, CONFINED, lambda _: None),
        driver.list_turns(thread, "", 20),
        driver.start_turn(thread, PROMPT, policy=POLICY, beside=BESIDE, model="m", effort="high"),
        driver.start_turn(thread, PROMPT, policy=READ_ONLY_POLICY),
        driver.steer_turn(thread, run, PROMPT, BESIDE),
        driver.interrupt_turn(thread, run),
        driver.compact_thread(thread),
        driver.name_thread(thread, "mine"),
        driver.list_models(),
    ]
    ends = await asyncio.gather(*calls, _fail_soon(listener), return_exceptions=True)
    assert [type(end) for end in ends[:-1]] == [AgentGone] * len(calls)
    assert len(listener.said) == len(calls)
    return listener.said


async def _fail_soon(listener: Listener) -> None:
    await asyncio.sleep(0)
    listener.driver.fail("every call has been heard")
