"""Redaction: what looks like a secret, what is known to be one, and nothing that takes long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.text.redact import GONE, MAX_PEM_LINES, PemLines, Redactor, redact

KEY = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEow\nAbc=\n-----END RSA PRIVATE KEY-----"
CASES = [
    ("AKIAIOSFODNN7EXAMPLE", "AKIA[redacted]"),
    ("id=ASIAIOSFODNN7EXAMPLE!", "id=ASIA[redacted]!"),
    ("BAKIAIOSFODNN7EXAMPLE", "BAKIAIOSFODNN7EXAMPLE"),
    ("password=hunter2 user=ann", "password=[redacted] user=ann"),
    ("PGPASSWORD=hunter2", "PGPASSWORD=[redacted]"),
    ("passwd: x", "passwd: [redacted]"),
    ("GET /?token=abc&next=/", "GET /?token=[redacted]&next=/"),
    ('{"client_secret": "abc", "n": 1}', '{"client_secret": "[redacted]", "n": 1}'),
    (r"{\"password\":\"abc\"}", r"{\"password\":\"[redacted]\"}"),
    ("api_key='k'; apikey:k", "api_key='[redacted]'; apikey:[redacted]"),
    ("aws_secret_access_key = wJalr/XUt+nFE=", "aws_secret_access_key = [redacted]"),
    ("total tokens: 18400, token count 3", "total tokens: 18400, token count 3"),
    ("Authorization: Bearer abcdefgh.ijkl", "Authorization: Bearer [redacted]"),
    ("Authorization: Basic YW5uOmh1bnRlcjI=", "Authorization: Basic [redacted]"),
    ("authorization: bearer abcdefghijkl", "authorization: bearer [redacted]"),
    ("a basic understanding of bearer authentication", "a basic understanding of bearer authentication"),
    ("a `token: str` parameter", "a `token: [redacted]` parameter"),  # the price of a name
    ("Set-Cookie: bascule_1=abc; Path=/", "Set-Cookie: [redacted]"),
    ("ghp_0123456789abcdefABCD github_pat_0123456789abcdefABCD", "ghp_[redacted] github_pat_[redacted]"),
    ("sk-ant-api03-abcdefgh", "sk-[redacted]"),
    ("xoxb-123456789012-abcdef", "xoxb-[redacted]"),
    ("glpat-0123456789abcdefABCD", "glpat-[redacted]"),
    ("(eyJhbGciOiJI.eyJzdWIiOiIx.c2ln)", "([redacted])"),
    ("postgres://ann:hunter2@db/x", "postgres://[redacted]@db/x"),
    ("https://example.org:8080/a@b", "https://example.org:8080/a@b"),
    ("DB_PASS=hunter2; 3 pass: 1", "DB_PASS=[redacted]; 3 pass: 1"),
    ("pwd=hunter2 PWD=/home/ann", "pwd=[redacted] PWD=/home/ann"),
    ("AccountKey=abcdef==", "AccountKey=[redacted]"),
    ("sk_live_51Habcdefgh rk_live_51Habcdefgh", "sk_live_[redacted] rk_live_[redacted]"),
    ("SG.abcdefghijklmnop.qrstuvwxyz0123456789", "SG.[redacted]"),
    ("hf_abcdefghijklmnopqrstuvwxyz", "hf_[redacted]"),
    ("AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQ", "AGE-SECRET-KEY-1[redacted]"),
    ("ya29.a0AfH6SMBabcdef", "ya29.[redacted]"),
    ("xapp-1-A01-123-abcdef0123", "xapp-[redacted]"),
    ("https://hooks.slack.com/services/T000/B000/XXXX", "https://hooks.slack.com/services/[redacted]"),
    ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----", "[redacted]"),
    (f"a\n{KEY}\nb", "a\n[redacted]\nb"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEow", "[redacted]"),
    ("-----BEGIN PUBLIC KEY-----\nMIIEow", "-----BEGIN PUBLIC KEY-----\nMIIEow"),
    # as JSON writes a new line, and an address a character
    (r"\nghp_0123456789abcdefABCD\tsk-ant-api03-abcdefgh", r"\nghp_[redacted]\tsk-[redacted]"),
    (
        r"\neyJhbGciOiJI.eyJzdWIiOiIx.c2ln \u003dglpat-0123456789abcdefABCD",
        r"\n[redacted] \u003dglpat-[redacted]",
    ),
    ("a%3DAKIAIOSFODNN7EXAMPLE&token%3Dabc", "a%3DAKIA[redacted]&token%3D[redacted]"),
    (r"{\\\"password\\\": \\\"abc\\\"}", r"{\\\"password\\\": \\\"[redacted]\\\"}"),
    ("HTTPS://ann:hunter2@db/x", "HTTPS://[redacted]@db/x"),
    (r"https:\/\/ann:hunter2@db\/x", r"https:\/\/[redacted]@db\/x"),
    ("https://0123456789abcdef0123@example.org/x", "https://[redacted]@example.org/x"),
    (
        "https://ann@example.org/x https://example.org?mail=a@b.c",
        "https://ann@example.org/x https://example.org?mail=a@b.c",
    ),
    ('password="correct horse" n="1"', 'password="[redacted]" n="1"'),
    (r'password="correct\" horse"', 'password="[redacted]"'),
    ("password => hunter2, token := abc", "password => [redacted], token := [redacted]"),
    ("login --password hunter2 --token abcdef", "login --password [redacted] --token [redacted]"),
    ("secretKey: abc", "secretKey: [redacted]"),
    ("Authorization: Digest abcdefgh", "Authorization: Digest [redacted]"),
    ('"authorization": "abcdefgh"', '"authorization": "[redacted]"'),
    ('{"cookie": "a=b; c=d"}', '{"cookie": "[redacted]"}'),
]


@pytest.mark.parametrize(("text", "shown"), CASES)
def test_a_secret_is_taken_out_and_the_rest_stays(text: str, shown: str) -> None:
    assert redact(text) == shown
    assert redact(shown) == shown


PIECES = st.sampled_from(
    [
        *(text for text, _ in CASES),
        "password",
        "token",
        "=",
        ":",
        " ",
        '"',
        "'",
        "\\",
        "Bearer",
        "://",
        "@",
        "\n",
        GONE,
    ]
)


@given(st.lists(PIECES | st.text(max_size=12), max_size=12).map("".join))
def test_twice_is_the_same_as_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    "piece",
    [
        *(text for text, _ in CASES),
        *(
            "a",
            "-",
            "-eyJaaaaaaaa",
            "eyJ",
            "sk-",
            "a://",
            "a://b:",
            "a:b",
            "password ",
            "password=",
            "password:   ",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN ",
            "bearer ",
            "token=[",
            "cookie: ",
            "xoxb-",
            "AKIA",
            "\"'",
        ),
    ],
)
def test_much_of_anything_is_looked_through(piece: str) -> None:
    """Of a pattern that takes more than linear time this would not end."""
    assert redact(piece * (200_000 // len(piece)))


def test_what_is_known_is_taken_out_by_its_value_as_long_as_it_is_known() -> None:
    keys = ["abcdefgh-1234", "abcdefgh", "short"]
    redactor = Redactor()
    redactor.watch(lambda: keys)
    assert redactor.redact("<abcdefgh-1234> <abcdefgh> short") == f"<{GONE}> <{GONE}> short"
    assert redactor.redact_all({"a": ["abcdefgh", 1, None, ("x abcdefgh",)]}) == {
        "a": [GONE, 1, None, [f"x {GONE}"]]
    }
    assert redactor.has_secret("+ abcdefgh")
    keys.clear()
    assert redactor.redact("abcdefgh") == "abcdefgh"


def test_a_diff_has_a_secret_only_where_that_is_sure() -> None:
    redactor = Redactor()
    assert redactor.has_secret("+API_TOKEN=supersecret12345\n")
    assert redactor.has_secret("+export DB_PASS='hunter2hunter2'\n")
    assert not redactor.has_secret("+PASSWORD=$1\n+MAX_TOKEN=12\n+TOKEN=os.environ['TOKEN_2']\n")
    assert not redactor.has_secret("+password = ask_for_password()\n+token: str\n")
    assert redactor.has_secret("+KEY = 'AKIAIOSFODNN7EXAMPLE'\n")
    assert redactor.has_secret(KEY)


def test_a_key_that_comes_line_by_line_is_taken_out_whole() -> None:
    lines = PemLines()
    shown = [redact(lines.feed(line)) for line in ["a", *KEY.split("\n"), "b"]]
    assert shown == ["a", *[GONE] * 6, "b"]
    first = KEY.partition("\n")[0]
    endless = [redact(lines.feed(line)) for line in [first, *["x"] * (MAX_PEM_LINES + 1)]]
    assert endless[-2:] == [GONE, "x"]
