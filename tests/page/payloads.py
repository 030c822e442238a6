"""Texts that want to be more than text: each would set `window.pwned`, leave the page, or call elsewhere."""

from pathlib import PurePosixPath

RUN = "window.pwned=1"
AWAY = "https://away.invalid"  # nobody has this name
WIDE = "w" * 800  # a word without a place to break it
LONG = "l" * 1_000_000

MARKUP = {
    "script": f"<script>{RUN}</script>",
    "script of elsewhere": f"<script src={AWAY}/a.js></script>",
    "image": f'<img src=x onerror="{RUN}">',
    "image of elsewhere": f"<img src={AWAY}/a.png srcset={AWAY}/b.png>",
    "svg": f"<svg onload={RUN}><animate onbegin={RUN} attributeName=x></svg>",
    "svg script": f"<svg><script>{RUN}</script><a xlink:href='javascript:{RUN}'>x</a></svg>",
    "math": f"<math><mtext><table><mglyph><style><img src onerror={RUN}>",
    "frame": f"<iframe srcdoc='<script>parent.pwned=1</script>' src=javascript:{RUN}></iframe>",
    "form": f"<form action=javascript:{RUN}><button formaction=javascript:{RUN} autofocus onfocus={RUN}>",
    "details": f"<details open ontoggle={RUN}><summary>x</summary></details>",
    "media": f"<video src=x onerror={RUN}></video><audio src={AWAY}/a.mp3 autoplay></audio>",
    "object": f"<object data={AWAY}/a.swf></object><embed src=javascript:{RUN}>",
    "base": f"<base href={AWAY}/><meta http-equiv=refresh content='0;url={AWAY}'>",
    "styles": f"<style>@import '{AWAY}/a.css'; *{{display:none}}</style><p style=position:fixed;inset:0>",
    "link": f"<link rel=stylesheet href={AWAY}/a.css><link rel=prefetch href={AWAY}/b>",
    "template": f"<template><script>{RUN}</script></template><slot onslotchange={RUN}>",
    "broken tag": f"<img src=x onerror={RUN} //<<a <b/ <//script>",
    "comment": f"<!--><script>{RUN}</script>--><![CDATA[<img src=x onerror={RUN}>]]>",
    "attribute": f'" onmouseover="{RUN}" autofocus onfocus="{RUN}" x="',
    "apostrophe": f"' onmouseover='{RUN}' x='</textarea></title></style></script><script>{RUN}</script>",
    "entities": f"&lt;script&gt;{RUN}&lt;/script&gt; &#60;img src=x onerror={RUN}&#62; &#x3C;b&#x3E;",
    "placeholders": "{{constructor.constructor('window.pwned=1')()}} ${window.pwned=1} <%= 1 %> #{1} {why}",
    "clobbering": "<form id=app><input name=body id=session-panel></form><a id=trustedTypes href=x:y>",
    "css": f"red;background:url({AWAY}/c.png);}} body{{display:none}} expression({RUN})",
    "prototype": "__proto__ constructor prototype toString hasOwnProperty",
}
MARKDOWN = {
    "link to a script": f"[a](javascript:{RUN}) [b](JaVaScRiPt:{RUN}) [c](&#106;avascript:{RUN})",
    "link with breaks": f"[a](java\tscript:{RUN}) [b](<java\nscript:{RUN}>) [c](\x01javascript:{RUN})",
    "link to data": f"[a](data:text/html,<script>{RUN}</script>) [b](data:text/html;base64,PHNjcmlwdD4=)",
    "link to others": "[a](vbscript:msgbox(1)) [b](file:///etc/passwd) [c](blob:x) [d](//away.invalid/x)",
    "autolink": f"<javascript:{RUN}> <data:text/html,x> javascript:{RUN} <vbscript:x>",
    "reference": f"[a][r] [r]\n\n[r]: javascript:{RUN} 'x'\n[constructor]: javascript:{RUN}",
    "image": f"![a](javascript:{RUN}) ![b]({AWAY}/b.png) ![c](data:image/svg+xml,<svg onload={RUN}>)",
    "title": f'[a]({AWAY} "x" onmouseover="{RUN}") [b]({AWAY}/\'onmouseover=\'{RUN})',
    "nested": f"[![<img src=x onerror={RUN}>](x 'y')](javascript:{RUN}) **[*a*](javascript:{RUN})**",
    "fence": f'```html" onmouseover="{RUN}\n<script>{RUN}</script>\n```',
    "fence of a name": "```__proto__\nx\n```\n\n~~~constructor\ny\n~~~",
    "table": f"| <script>{RUN}</script> | b |\n| - | :-: |\n| [x](javascript:{RUN}) | <img onerror={RUN}> |",
    "html block": f"<div>\n\n<script>{RUN}</script>\n\n</div>\n\n<a href='javascript:{RUN}'>x</a>",
    "deep": "> " * 60 + "deep\n" + "- " * 60 + "deep " + "*" * 500 + "[" * 500,
}
CONTROLS = {
    "bidi": "safe \u202egpj.exe\u202c \u2066\u2067x\u2069 \u200f\u200e",
    "zero width": "pass\u200bword \u2060\ufeff\u200d\u00ad e\u0301" + "\u0301" * 200,
    "nul": "a\x00b\x01\x02\x7f\x85",
    "lone surrogate": "a\ufffdb\U0010ffff\ufdd0",  # what a lone half is by the time it reaches us
    "colours": "\x1b[31mred\x1b[0m \x1b[38;5;196m256\x1b[48;2;1;2;3mtrue\x1b[8mhidden\x1b[5mblink\x1b[0m",
    "cursor": "\x1b[2J\x1b[H\x1b[10A\x1b[?1049h\x1b[6n\x1b]0;title\x07 home",
    "terminal link": f"\x1b]8;;javascript:{RUN}\x1b\\click\x1b]8;;\x1b\\ \x1b]8;;{AWAY}\x07x\x1b]8;;\x07",
    "clipboard": "\x1b]52;c;cm0gLXJmIC8=\x07\x1bPq#0;2;0;0;0\x1b\\ copied",
    "open escape": f"\x1b]2;never closed <img src=x onerror={RUN}>",
    "one line over another": "rm -rf /\rls\x1b[K \b\b\b\b",
}
PAYLOADS = {
    **MARKUP,
    **{f"markdown {name}": text for name, text in MARKDOWN.items()},
    **CONTROLS,
    "wide": WIDE,
}

# Names that a file system takes, one line each.
FILE_NAMES = (
    f"<img src=x onerror={RUN}>.txt",
    f"<svg\x0bonload={RUN}>.txt",
    "\u202egpj.exe",
    "__proto__",
    "constructor",
    f"javascript:{RUN}",
    "a b&quot;' onmouseover=x.md",
)
assert all(PurePosixPath(name).name == name for name in FILE_NAMES)

SVG = f"""<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" onload="{RUN}">
<script>{RUN};parent.pwned=1;fetch("{AWAY}")</script>
<image href="{AWAY}/a.png" width="9" height="9"/>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="{RUN}"/></foreignObject>
<rect width="80" height="80" fill="teal"/></svg>
"""
