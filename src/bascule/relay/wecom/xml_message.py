"""WeCom's XML: one level of fields, read without a document type and so without entities; and written."""

from xml.parsers import expat
from xml.sax.saxutils import escape

MAX_XML = 256 * 1024  # bytes
MAX_FIELDS = 64


class BadXml(Exception):
    pass


def parse_xml(data: bytes) -> dict[str, str]:
    """The fields of <xml>. `BadXml` for anything else; a document type is refused as such."""
    if len(data) > MAX_XML:
        raise BadXml
    fields: dict[str, str] = {}
    path: list[str] = []
    text: list[str] = []

    def start(name: str, _attributes: object) -> None:
        path.append(name)
        text.clear()
        if len(path) > 8 or len(fields) > MAX_FIELDS:
            raise BadXml

    def end(name: str) -> None:
        if len(path) == 2:
            fields[name] = "".join(text)
        path.pop()
        text.clear()

    def refuse(*_args: object) -> int:
        raise BadXml

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError):
        raise BadXml from None
    return fields


def make_xml(fields: dict[str, str]) -> bytes:
    inner = "".join(f"<{name}>{escape(_legal(value))}</{name}>" for name, value in fields.items())
    return f"<xml>{inner}</xml>".encode()


def _legal(value: str) -> str:
    """XML has no way to write most control characters."""
    return "".join(char for char in value if char in "\t\n" or ord(char) >= 32)
