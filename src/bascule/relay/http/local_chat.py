"""A chat on this machine, which the relay serves itself: to try things out, and for the demo."""

from typing import Protocol

from starlette.routing import Route

from bascule.relay.chat.intake import Intake
from bascule.relay.chat.platforms import ChatPlatform


class LocalChat(ChatPlatform, Protocol):
    def routes(self, intake: Intake) -> list[Route]: ...
