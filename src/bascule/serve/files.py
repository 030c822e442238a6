"""The response for a file link: an image of a known type is shown, anything else is downloaded."""

from urllib.parse import quote

from starlette.responses import PlainTextResponse, Response

from bascule.core.text.media_type import is_image
from bascule.daemon.files.file_links import FileContent, FileLinks
from bascule.model.asks import Refuse
from bascule.serve.auth import FILE_POLICY


async def answer_file(file_links: FileLinks, file_id: str) -> Response:
    """Whatever is wrong, it does not exist: who guesses ids learns nothing from the answer."""
    seen = await file_links.read(file_id)
    if isinstance(seen, Refuse):
        return PlainTextResponse(f"{seen.why}\n", 404)
    return Response(seen.body, headers=make_headers(seen))


def make_headers(seen: FileContent) -> dict[str, str]:
    return {
        "content-type": seen.media_type,
        "content-disposition": _disposition(seen),
        "content-security-policy": FILE_POLICY,
        "cache-control": "private, no-cache",  # the file may have changed under the same id
    }


def _disposition(seen: FileContent) -> str:
    """A name may hold anything: here it is percent signs and plain letters."""
    kind = "inline" if is_image(seen.media_type) else "attachment"
    return f"{kind}; filename*=UTF-8''{quote(seen.name, safe='')}"
