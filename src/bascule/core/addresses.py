"""Addresses that secrets are sent to: encrypted, or on this machine."""

import ipaddress
from urllib.parse import SplitResult, urlsplit


def parse_address(url: str) -> SplitResult | None:
    """None where it names no host, or holds a name and password, or a port that cannot be."""
    try:
        parts = urlsplit(url)
        is_one = bool(parts.hostname) and parts.port != 0 and parts.username is None
    except ValueError:
        return None
    return parts if is_one else None


def is_protected(parts: SplitResult, scheme: str) -> bool:
    """`scheme`: http or ws. By the host that it names: 127.0.0.1.example is another machine."""
    return parts.scheme == f"{scheme}s" or (parts.scheme == scheme and is_loopback(parts.hostname or ""))


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
