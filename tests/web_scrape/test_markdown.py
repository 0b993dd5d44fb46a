# ruff: noqa: E501, ISC004 - a page and what it becomes are compared on a line each
import json
from pathlib import Path

import pytest

from web_scrape.page import read_page

URL = "https://example.org/docs/page.html"
CASES = json.loads((Path(__file__).parents[1] / "cases" / "markdown_cases.json").read_text(encoding="utf-8"))


def markdown(body, url=URL):
    page = f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{body}</body></html>'
    return read_page(page.encode(), url=url, content_type="text/html").content


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_structure_comes_out_in_an_accepted_spelling(case):
    assert markdown(case["html"], case["url"]) in case["expected"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # emphasis and white space
        ("<p>a<b> b </b>c <i></i>d</p>", "a **b** c d"),
        ("<p><b>a</b><b>b</b></p>", "**ab**"),
        ("<p><b>a<br>b</b></p>", "**a**  \n**b**"),
        ("<p>one\n   two&nbsp;three</p>", "one two three"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ("<p><del>old</del> <s>gone</s></p>", "~~old~~ ~~gone~~"),
        ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>", "漢(かん)"),
        ("<p>He said <q>yes</q>.</p>", 'He said "yes".'),
        # escaping, right and no more
        ("<p>5 * 3 and snake_case and *starred* and _under_</p>", r"5 * 3 and snake_case and \*starred\* and \_under\_"),
        ("<p># no heading</p><p>1. no list</p><p>- nor this</p>", "\\# no heading\n\n1\\. no list\n\n\\- nor this"),
        ("<p>2024 was [sic] a &lt;b&gt; year &amp;amp; more</p>", r"2024 was [sic] a \<b> year \&amp; more"),
        ("<p>1. a<br>2. b</p>", "1\\. a  \n2\\. b"),
        # headings
        ("<h2>  Two\n lines<br>here </h2>", "## Two lines here"),
        ('<h2><a href="#x">Linked to itself</a></h2><p>t</p>', "## Linked to itself\n\nt"),
        ('<h3><a href="/a">Elsewhere</a></h3>', "### [Elsewhere](https://example.org/a)"),
        # lists
        ("<ol start=3><li>c</li><li value=7>g</li><li>h</li></ol>", "3. c\n7. g\n8. h"),
        ("<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>", "- a\n  - b\n    - c"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n- c"),
        ("<ol><li>run<pre><code>x\n  y</code></pre></li></ol>", "1. run\n\n   ```\n   x\n     y\n   ```"),
        ("<dl><dt>A</dt><dt>B</dt><dd>one</dd><dd>two</dd></dl>", "A\n\nB\n: one\n: two"),
        # quotes, rules, details
        ("<blockquote><p>a</p><ul><li>b</li></ul></blockquote>", "> a\n>\n> - b"),
        ("<details><summary>More</summary><p>inside</p></details>", "**More**\n\ninside"),
        # code
        ("<pre><code class='language-python hljs'>a\n\n    b\n</code></pre>", "```python\na\n\n    b\n```"),
        ("<pre class='brush: js; toolbar: false'>a</pre>", "```js\na\n```"),
        ("<pre data-lang=SQL>select 1</pre>", "```sql\nselect 1\n```"),
        ("<pre>a<br>b<button>Copy</button></pre>", "```\na\nb\n```"),
        ("<pre><code><div>a</div><div>b</div></code></pre>", "```\na\nb\n```"),
        ("<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>", "```\na\nb\n```"),
        (
            "<table><tr><td data-line-number=1></td><td>def f():</td></tr>"
            "<tr><td data-line-number=2></td><td>    pass</td></tr></table>",
            "```\ndef f():\n    pass\n```",
        ),
        ("<p>Use <code> `a` </code> or <code></code>this</p>", "Use `` `a` `` or this"),
        # links and images
        ('<p><a href="/a b">x</a> <a href="//cdn.example/y">y</a></p>', "[x](https://example.org/a%20b) [y](https://cdn.example/y)"),
        ('<p><a href="data:text/html,hi">d</a> <a href="vbscript:x">v</a> <a href=" JavaScript:x">j</a></p>', "d v j"),
        ('<p><a href="/1">a</a><a href="/2">b</a></p>', "[a](https://example.org/1) [b](https://example.org/2)"),
        ('<p>See <a href="https://example.com/x_y">https://example.com/x_y</a></p>', "See <https://example.com/x_y>"),
        ('<a href="/c"><h3>Card</h3><p>Text of it</p></a>', "### [Card](https://example.org/c)\n\nText of it"),
        ('<p><a href="/i"><img src="/a.png" alt="A"></a></p>', "[![A](https://example.org/a.png)](https://example.org/i)"),
        ('<p>t <img src="/pixel.gif" width=1 height=1> u</p>', "t u"),
        ('<p>t <img src="data:image/png;base64,AAAA" alt="chart"></p>', "t chart"),
        ('<p>t <img srcset="/s.jpg 300w, /l.jpg 900w" alt=p></p>', "t ![p](https://example.org/l.jpg)"),
        ('<p>t <img src="/blank.gif" data-original="/r.jpg" alt=p></p>', "t ![p](https://example.org/r.jpg)"),
        # tables
        (
            "<table><tr><th align=right>N</th><th style='text-align:center'>C</th></tr><tr><td>1</td><td>2</td></tr></table>",
            "| N | C |\n| ---: | :---: |\n| 1 | 2 |",
        ),
        (
            "<table><tr><th>A</th></tr><tr><td><p>x<br>y</p></td></tr><tr><td><ul><li>1</li><li>2</li></ul></td></tr></table>",
            "| A |\n| --- |\n| x<br>y |\n| 1<br>2 |",
        ),
        ("<table><tr><td><h2>Head</h2><p>left</p></td><td><p>right</p></td></tr></table>", "## Head\n\nleft\n\nright"),
        (
            "<table><tr><th>a</th><th>b</th></tr><tr><td rowspan=3>x</td><td>1</td></tr><tr><td>2</td></tr><tr><td>3</td></tr></table>",
            "| a | b |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| x | 3 |",
        ),
        # mathematics
        ("<p>a <script type='math/tex'>x_1 < 2</script> b</p>", "a $x_1 < 2$ b"),
        ("<p><math display=block><msqrt><mi>x</mi></msqrt><mo>≤</mo><mi>sin</mi></math></p>", r"$$\sqrt{x}\le \operatorname{sin}$$"),
        (
            "<p><span class=katex><span class=katex-mathml><math><semantics><mi>q</mi>"
            "<annotation encoding='application/x-tex'>q_i</annotation></semantics></math></span>"
            "<span class=katex-html aria-hidden=true>qi</span></span></p>",
            "$q_i$",
        ),
        # what nobody sees
        ("<p>a</p><div style='display: none !important'>x</div><p aria-hidden=true>→</p><template>t</template><p>b</p>", "a\n\nb"),
        ("<p>a</p><noscript>Turn me on</noscript><style>p{}</style><script>x()</script><svg><text>s</text></svg>", "a"),
        ("<p>a <input value=v> <button>Go</button><select><option>o</option></select></p>", "a"),
    ],
)  # fmt: skip
def test_markup_becomes_the_markdown_a_person_would_write(body, expected):
    assert markdown(body) == expected


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ('<base href="/en/app/">', "https://example.org/en/app/guide"),
        ('<base href="https://other.example/x/">', "https://other.example/x/guide"),
        ('<base href="sub/">', "https://example.org/docs/sub/guide"),
        ('<base target="_blank">', "https://example.org/docs/guide"),
    ],
)
def test_addresses_are_absolute_by_the_pages_base(base, expected):
    assert markdown(f'{base}<p><a href="guide">guide</a></p>') == f"[guide]({expected})"


def test_a_picture_in_noscript_replaces_its_lazy_twin_once():
    body = '<p>Text</p><figure><img class=lazy alt=""><noscript><img src="/real.png" alt="cycle"></noscript></figure>'

    assert markdown(body) == "Text\n\n![cycle](https://example.org/real.png)"


def test_a_thread_that_is_sent_in_noscript_is_read():
    thread = "".join(f"<p>Post number {n} says something of its own about the harbour.</p>" for n in range(12))

    content = markdown(f"<div id=app></div><noscript><h1>Thread</h1>{thread}</noscript>")

    assert "# Thread" in content
    assert "Post number 11" in content


def test_a_page_that_is_hidden_until_its_script_runs_is_read():
    text = "<p>The ferry timetable changes on the first Monday of every month.</p>" * 8

    assert "ferry timetable" in markdown(f"<div style='visibility:hidden'>{text}</div>")


@pytest.mark.parametrize(
    "broken", ['<a href="//[bad/x">b</a>', '<base href="//[::1">', '<base href="http://[">', '<img src="//[x" alt="b">']
)
def test_an_address_nobody_can_read_costs_the_others_nothing(broken):
    assert "[ok](https://example.org/ok)" in markdown(f'{broken}<p>See <a href="/ok">ok</a> for more.</p>')
