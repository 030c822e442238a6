"""Bodies of requests, under a ceiling."""

from starlette.requests import ClientDisconnect, Request


async def read_body(request: Request, most: int) -> bytes | None:
    """None where it is longer, or breaks off."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                return None
    except ClientDisconnect:
        return None
    return bytes(body)
