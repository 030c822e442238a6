"""Bodies of requests, under a ceiling, and not for ever."""

import asyncio

from starlette.requests import ClientDisconnect, Request

BODY_S = 10.0


async def read_body(request: Request, most: int) -> bytes | None:
    """None where it is longer, breaks off, or takes too long."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    return None
    except (ClientDisconnect, TimeoutError):
        return None
    return bytes(body)
