"""A page that stands alone: no script, nothing from elsewhere, readable by day and by night."""

from __future__ import annotations

from html import escape

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="generator" content="{maker}"/>
<title>{title}</title>
<style>
:root {{ color-scheme: light dark;
  --ink: #1b1b1b; --paper: #fdfdfb; --mark: #3b6ea5; --rule: #bbb; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e8e8e4; --paper: #17181a; --mark: #6fa3dc; --rule: #555; }}
}}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
figure {{ margin: 2rem 0; max-width: 46rem; }}
figcaption {{ font-weight: 600; }}
svg {{ width: 100%; height: auto; }}
text {{ fill: var(--ink); font-size: 13px; }}
table {{ border-collapse: collapse; }}
{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


def paper(title: str, body: str, *, style: str, maker: str) -> str:
    """A page with a title. The body and the style are HTML and CSS; the rest is text."""
    return _PAGE.format(title=escape(title), body=body, style=style, maker=escape(maker))
