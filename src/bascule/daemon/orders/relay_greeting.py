"""The first and the last words to a relay: this machine proves who it is, and may say that it leaves."""

import asyncio
from typing import Protocol

import msgspec

from bascule import __version__
from bascule.host.config.bridge_file import JoinedRelay
from bascule.host.network.relay_link import RelayAway
from bascule.model.relay_frames import (
    ChallengeFrame,
    FromMachine,
    FromRelay,
    HelloFrame,
    LeaveFrame,
    LeftFrame,
    WelcomeFrame,
)

GREET_S = 15.0
NO_RELAY = "it does not speak as a relay does"

FRAMES: msgspec.json.Decoder[FromRelay] = msgspec.json.Decoder(FromRelay)
LAST_FRAMES: msgspec.json.Decoder[FromRelay | LeftFrame] = msgspec.json.Decoder(FromRelay | LeftFrame)


class BridgeLink(Protocol):
    async def send(self, frame: bytes) -> None:
        """`EOFError` where it is closed."""

    async def receive(self) -> bytes: ...

    async def close(self) -> None: ...


async def send_frame(link: BridgeLink, frame: FromMachine) -> None:
    await link.send(msgspec.json.encode(frame))


async def greet(link: BridgeLink, joined: JoinedRelay) -> None:
    """`RelayAway` where it is none, or does not know this machine."""
    try:
        async with asyncio.timeout(GREET_S):
            challenge = FRAMES.decode(await link.receive())
            if not isinstance(challenge, ChallengeFrame):
                raise RelayAway(NO_RELAY)
            signature = joined.sign(challenge.nonce)
            await send_frame(
                link, HelloFrame(machine_id=joined.machine, version=__version__, signature=signature)
            )
            if not isinstance(FRAMES.decode(await link.receive()), WelcomeFrame):
                raise RelayAway(NO_RELAY)
    except EOFError:
        raise RelayAway("the relay does not know this machine; it may have been revoked") from None
    except (TimeoutError, msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        raise RelayAway(NO_RELAY) from None


async def leave(link: BridgeLink, joined: JoinedRelay) -> None:
    """Returns once the relay has stored that this machine takes no more; else `RelayAway`."""
    await greet(link, joined)
    try:
        async with asyncio.timeout(GREET_S):
            await send_frame(link, LeaveFrame())
            while not isinstance(LAST_FRAMES.decode(await link.receive()), LeftFrame):
                pass  # orders that nobody carries out here any more
    except (EOFError, TimeoutError):
        raise RelayAway("the relay did not answer") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RelayAway(NO_RELAY) from None
