"""What `bascule up` makes of its flags and of the screen."""

import argparse
from pathlib import Path

import pytest

from bascule.cli.connect.outer_door import outside_words, read_outside
from bascule.cli.daemon import up
from bascule.core.faults import UserError
from bascule.serve.serving import OuterDoor


@pytest.mark.parametrize(
    ("environ", "platform", "shown"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "x"}, "darwin", False),
        ({}, "win32", True),
    ],
)
def test_a_browser_is_opened_where_the_person_would_see_it(
    environ: dict[str, str], platform: str, shown: bool
) -> None:
    assert up.has_display(environ, platform) is shown


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    up.add_arguments(parser)
    return parser.parse_args(words)


@pytest.fixture
def credential(tmp_path: Path) -> Path:
    path = tmp_path / "credential"
    path.write_text("c" * 40 + "\n")
    path.chmod(0o600)
    return path


def test_without_bind_there_is_no_other_door() -> None:
    assert read_outside(parse()) is None


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--bind", "192.0.2.1:8443"), "--credential, --tls-cert, --tls-key missing"),
        (("--bind", "192.0.2.1:8443", "--tls-cert", "c", "--tls-key", "k"), "--credential missing"),
        (("--tls-cert", "c"), "These flags are for --bind"),
        (("--name", "a.test"), "These flags are for --bind"),
        (("--bind", "8443", "--tls-cert", "c", "--tls-key", "k", "--credential", "x"), "takes ADDRESS:PORT"),
        (
            ("--bind", "192.0.2.1:1", "--tls-cert", "c", "--tls-key", "k", "--credential", "x"),
            "The credential in x cannot be read: No such file or directory.",
        ),
    ],
)
def test_other_machines_take_all_of_it(words: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        read_outside(parse(*words))


def test_with_all_of_it_there_is_one(credential: Path) -> None:
    words = ["--bind", "[2001:db8::1]:8443", "--tls-cert", "/c", "--tls-key", "/k", "--name", "A.test"]
    args = parse(*words, "--credential", str(credential))
    outside = read_outside(args)
    assert isinstance(outside, OuterDoor)
    assert (outside.address, outside.port, outside.names) == ("2001:db8::1", 8443, ("a.test",))
    assert outside.exposure.credential == "c" * 40
    assert read_outside(parse(*outside_words(args))) == outside  # as the process in the background gets them


@pytest.mark.parametrize("text", ["", "\n", "two words of it that are long enough", "ü" * 40])
def test_a_credential_is_one_word(credential: Path, text: str) -> None:
    credential.write_text(text)
    with pytest.raises(UserError, match="credential"):
        read_outside(
            parse(
                "--bind", "192.0.2.1:1", "--tls-cert", "c", "--tls-key", "k", "--credential", str(credential)
            )
        )


def test_a_credential_that_others_can_read_is_refused(credential: Path) -> None:
    credential.chmod(0o644)
    with pytest.raises(UserError, match="Others can read the credential"):
        read_outside(
            parse(
                "--bind", "192.0.2.1:1", "--tls-cert", "c", "--tls-key", "k", "--credential", str(credential)
            )
        )
