# SPDX-License-Identifier: GPL-2.0-only
"""The report as a list of blocks: the one source of all its forms. A form sets headings, texts,
lists, tables, pictures and parameters, and knows nothing of what they say.

Neither Quarto, pandoc nor Typst alone was taken: the first two would add a program of some 100 MB,
and Typst does not write LaTeX.

A text is a list of spans. A span has a kind (empty, code, emph, strong or link), its text, and a
link's target: an address, or # and the name of a block.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Block = dict[str, Any]
Spans = list[list[str]]
Label = Callable[[str], str]  # a label in the report's language

MARKED = re.compile(r"`([^`]+)`|\*([^*\s][^*]*)\*")
LEFT, RIGHT = "l", "r"  # of a table's column
AUTO = 0  # width of a column that is as wide as its longest cell; the others share what is left
ADDRESS = "https://www.rfc-editor.org/rfc/rfc{}"


def outline(content: Mapping) -> list[Block]:
    """Return the report's blocks in order, in the language of the content."""

    def t(label: str) -> str:
        return content["labels"].get(label, label)

    return [
        *_brief(content, t),
        *_systems(content, t),
        *_method(content, t),
        *_appendix(content, t),
        *_references(content, t),
    ]


def _brief(content: Mapping, t: Label) -> Iterator[Block]:
    yield _heading(1, t("In short"), "brief")
    for title, lines in (
        ("The question", content["question"]),
        ("What was found", content["found"]),
        ("What would change it", content["changing"]),
        ("How far to trust it", content["trust"]),
    ):
        yield _heading(3, t(title))
        yield from _texts(lines)
    yield _text(marked(content["words"]["glance"]))
    cells = {"measured": 0.9, "simulated": 0.9, "residual": 0.7}
    unmeasured = t("not measured"), "", ""
    yield _table(
        [(t("system"), LEFT, 1.3)]
        + [(t(name), RIGHT, width) for name, width in cells.items()]
        + [(t("waits most for"), LEFT, 1.3), (t("what helps most"), LEFT, 2.6)],
        [
            [
                [["link", each["title"], f"#system-{each['name']}"]],
                *_plain(*(each["row"][name] for name in cells) if each["row"] else unmeasured),
                *_plain(each["limit"], each["best"]),
            ]
            for each in content["table"]
        ],
    )
    yield {"kind": "contents", "title": t("Contents")}


def _systems(content: Mapping, t: Label) -> Iterator[Block]:
    yield _heading(1, t("The systems"), "systems")
    yield _text(marked(content["words"]["systems"]))
    yield from _pictures(content["glance_figures"][:1], content, t)
    for system in content["systems"]:
        yield from _system(system, content, t)


def _system(system: Mapping, content: Mapping, t: Label) -> Iterator[Block]:
    yield _heading(2, system["title"], f"system-{system['name']}")
    facts: Spans = [["code", system["name"]]]
    if system["host"]:
        facts += [["", f" · {t('host')} "], ["code", system["host"]]]
    for place, name in enumerate(system["sources"]):
        facts += [["", ", " if place else f" · {t('source')} "], ["link", name, f"#source-{name}"]]
    if system["trace"]:
        facts += [["", f" · {t('packets')} "], ["code", system["trace"]]]
    yield _text(facts, "facts")
    yield _text(_one(system["why"]))
    yield {"kind": "drawing", **system["budget"]}
    for title, rows in (
        ("what would help", system["changes"]),
        ("what would make it worse", system["worse"]),
    ):
        if rows:
            columns = [(t(title), LEFT, 1), (t("as a flag"), LEFT, AUTO)]
            columns += [(t(name), RIGHT, AUTO) for name in ("becomes", "worth")]
            cells = [
                [_one(row["words"]), [["code", row["flag"]]], *_plain(row["after"], row["worth"])]
                for row in rows
            ]
            yield _table(columns, cells)
    if system["nothing"]:
        said = "; ".join(system["nothing"])
        yield _text(_one(f"{t('Without a difference of one per cent')}: {said}."))
    if system["disagreements"]:
        yield _heading(4, t("What does not agree"))
        yield _items(
            [["strong", f"{each['what']}."], ["", " "], *marked(each["why"])]
            for each in system["disagreements"]
        )
    if system["agrees"]:
        yield _text(_one(system["agrees"]))
    yield from _pictures(system["figures"], content, t)
    if system["see"]:
        spans: Spans = []
        for place, each in enumerate(system["see"]):
            before = "; " if place else f"{t('See also')} "
            spans += [["", before], ["link", each["about"], f"#figure-{each['name']}"]]
        yield _text([*spans, ["", "."]], "facts")


def _method(content: Mapping, t: Label) -> Iterator[Block]:
    words = content["words"]
    yield _heading(1, t("Method and validation"), "method")
    yield from _texts(words["method"])
    yield from _pictures([content["method"]], content, t, floats=False)
    yield _text(marked(words["validation"]))
    yield from _pictures([*content["glance_figures"][1:], *content["figures"]], content, t)


def _appendix(content: Mapping, t: Label) -> Iterator[Block]:
    words = content["words"]
    yield {"kind": "appendix"}
    yield _heading(1, t("All measured figures"), "rows")
    yield _text(marked(words["rows"]))
    for system in content["systems"]:
        if system["rows"]:
            yield _heading(3, system["title"])
            yield _results(system, t)
    yield _heading(1, t("Parameters"), "parameters")
    yield _text(marked(words["parameters"]))
    yield {
        "kind": "parameters",
        "head": [t(name) for name in ("parameter", "value", "basis", "source")],
        "files": [
            {
                "title": each["title"],
                "about": marked(each["about"]),
                "groups": each["parameters"],
            }
            for each in (*content["systems"], *content["hosts"])
        ],
    }
    yield _heading(1, t("What is not modelled"), "not-modelled")
    yield _text(marked(words["not_modelled"]))
    yield _items(
        [["strong", each["what"]], ["", " "], *marked(each["why"])]
        for each in content["not_modelled"]
    )
    yield _heading(1, t("How to repeat it"), "repeat")
    yield from _texts(words["repeat"])
    yield _text(_one(f"{t('Simulated with')} ns-3 {', '.join(content['ns3'])}."))


def _results(system: Mapping, t: Label) -> Block:
    """Return the table of a system's measured figures; a row's title is the figure's source."""
    keys = ("quantity", "measured", "closed_form", "simulated", "residual", "used_as", "basis")
    widths = {"quantity": 1.4, "simulated": 1}  # beside it stands what other seeds give
    columns = [
        (
            t(key.replace("_", " ")),
            LEFT if key in ("quantity", "used_as", "basis") else RIGHT,
            widths.get(key, AUTO),
        )
        for key in keys
    ]
    rows = [_plain(*(row[key] for key in keys)) for row in system["rows"]]
    titles = [row["source"] for row in system["rows"]]
    return _table(columns, rows) | {"name": system["name"], "titles": titles}


def _references(content: Mapping, t: Label) -> Iterator[Block]:
    yield _heading(1, t("References"), "references")
    items = []
    for source in content["sources"]:
        author = source["author"] or t("Author not given")
        spans: Spans = [["strong", source["id"]], ["", f" {author}: {source['title']}. "]]
        for place, name in enumerate(source["used_by"]):
            spans += [["", ", " if place else f"{t('Used for')} "], ["code", name]]
        items.append({"id": f"source-{source['id']}", "text": [*spans, ["", "."]]})
    for rfc in content["rfcs"]:
        link = ["link", f"RFC {rfc['number']}", ADDRESS.format(rfc["number"])]
        items.append({"id": "", "text": [link, ["", f" {rfc['title']}"]]})
    yield {"kind": "items", "items": items}


def marked(line: str) -> Spans:
    """Return a line with `code` and *emphasis* as spans."""
    spans, end = [], 0
    for found in MARKED.finditer(line):
        spans.append(["", line[end : found.start()]])
        spans.append(["code", found[1]] if found[1] else ["emph", found[2]])
        end = found.end()
    return [span for span in [*spans, ["", line[end:]]] if span[1]]


def _one(text: str) -> Spans:
    return [["", text]]


def _plain(*texts: str) -> list[Spans]:
    return [_one(text) for text in texts]


def _text(spans: Spans, look: str = "") -> Block:
    return {"kind": "text", "text": spans, "look": look}


def _texts(lines: Iterable[str]) -> Iterator[Block]:
    yield from (_text(marked(line)) for line in lines)


def _heading(level: int, title: str, name: str = "") -> Block:
    """Return a heading: of a section (1), a system (2), a part of a section (3), or a part of a
    system (4). The last two have no number."""
    return {"kind": "heading", "level": level, "title": title, "id": name}


def _items(items: Iterable[Spans]) -> Block:
    return {"kind": "items", "items": [{"id": "", "text": spans} for spans in items]}


def _table(columns: Sequence[tuple[str, str, float]], rows: Sequence[list[Spans]]) -> Block:
    """Return a table. A column has its head, its side, and its part of the width."""
    columns = [dict(zip(("head", "side", "width"), each, strict=True)) for each in columns]
    return {"kind": "table", "columns": columns, "rows": rows, "name": "", "titles": []}


def _pictures(
    entries: Iterable[Mapping], content: Mapping, t: Label, floats: bool = True
) -> Iterator[Block]:
    """Yield figures; those of the study have a file of numbers."""
    for entry in entries:
        is_study = not content["is_own"] or entry["name"] == content["method"]["name"]
        file = f"{t('Numbers')}: results/figures/{entry['name']}.csv" if is_study else ""
        yield {"kind": "picture", **entry, "floats": floats, "file": file}
