# SPDX-License-Identifier: GPL-2.0-only
"""Notebooks: read from their text form, run in a clean kernel, and published as pages that need
none.

Git has both: notebooks/NAME.md is what one reads in a difference, and NAME.ipynb has the outputs,
which `study reproduce` makes. JupyterLab saves to both.
"""

import html
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from copy import deepcopy
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError, unknown
from study.base.project import BUILD, ROOT, shown, write_whole

if TYPE_CHECKING:
    from nbformat import NotebookNode

FOLDER = ROOT / "notebooks"
PAGES = BUILD / "notebooks"
ANSWERS = "answers"  # a subfolder
NEEDED = ("jupyterlab", "jupytext", "latex2mathml", "nbclient", "nbconvert")
TEXTS = "[0-9]*.md"
HIDDEN = ("__pycache__", "*.pyc", "*~", "jupytext.toml")
# Sends requests for news and updates; a class may have no network.
NEWS = "@jupyterlab/apputils-extension:announcements"
WIDGET = "application/vnd.jupyter.widget-view+json"
PNG = "image/png"
TABLE_SCROLLS = 'class="dataframe"', 'class="dataframe" style="display:block;overflow-x:auto"'
INLINE = '<span style="display:inline-block;max-width:100%;overflow-x:auto">{}</span>'
SCROLLS = '<div style="overflow-x:auto" tabindex="0">{}</div>'  # a displayed formula, on a phone
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$([^$\n]+?)\$", re.DOTALL)
READABLE = "vs"  # a Pygments style whose colours are dark enough on the code's grey
TIMEOUT_S = 1800  # for a cell; a busy, slow machine needs 15 minutes
TEMPLATE = Path(__file__).with_name("notebook.html.jinja")


def names() -> list[str]:
    """Return all notebooks in teaching order: file names begin with a number."""
    found = (path.stem for path in FOLDER.glob(TEXTS))
    return sorted(found, key=lambda name: int(name.partition("-")[0]))


def _check(wanted: list[str]) -> None:
    """Raise StudyError if a notebook is unknown or a needed package is missing; set-up does not
    install these packages."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        needed = " and ".join(missing)
        raise StudyError(f"notebooks need {needed}: ./waf notebooks fetches them")
    for name in wanted:
        if name not in names():
            raise unknown("notebook", name, names())


def read(path: Path) -> "NotebookNode":
    """Return a notebook read from its text form."""
    import jupytext

    return jupytext.read(path)


def title(notebook: "NotebookNode") -> str:
    """Return the first heading. Raise StudyError if there is none."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.search("^# (.+)", cell.source, re.M)):
            return found[1]
    raise StudyError("the notebook has no heading")


def executed(path: Path) -> "NotebookNode":
    """Run a notebook in a new kernel and return it with its outputs."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from traitlets.config import Config

    notebook = read(path)
    # With files as transport: other users of the machine could connect to TCP ports.
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        files = {"transport": "ipc", "ip": str(Path(folder, "kernel"))}
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT_S,
            record_timing=False,
            kernel_name="python3",
            config=Config({"KernelManager": files}),
            resources={"metadata": {"path": str(path.parent)}},
        )
        try:
            return client.execute()
        except CellExecutionError as error:
            reason = f"{error.ename}: {error.evalue}"
            raise StudyError(f"{shown(path)} does not run: {reason}") from error


def as_ipynb(notebook: "NotebookNode") -> str:
    """Return the notebook's JSON with outputs, but without what differs between runs or
    machines."""
    import nbformat

    kept = _for_readers(notebook)
    kept.metadata.pop("language_info", None)  # Python's version
    for number, cell in enumerate(kept.cells):
        cell["id"] = f"{number}"
        cell.metadata.pop("transient", None)
    kept.nbformat, kept.nbformat_minor = 4, 5
    return nbformat.writes(kept, indent=1) + "\n"


def save(name: str) -> None:
    """Run a notebook and write NAME.ipynb."""
    write_whole({_ipynb(name): as_ipynb(executed(FOLDER / f"{name}.md")).encode()})


def with_outputs(name: str) -> "NotebookNode":
    """Return the notebook with the outputs that git has."""
    import nbformat

    return nbformat.read(_ipynb(name), as_version=4)


def _ipynb(name: str) -> Path:
    return FOLDER / f"{name}.ipynb"


def make_answers(folder: Path = FOLDER / ANSWERS) -> list[Path]:
    """Write NAME.ipynb for each text of the answers that has none or an older one. Readers run them
    after the exercises, so git has no outputs of them."""
    import jupytext

    made = {}
    for text in sorted(folder.glob(TEXTS)):
        copy = text.with_suffix(".ipynb")
        if not copy.exists() or copy.stat().st_mtime < text.stat().st_mtime:
            made[copy] = jupytext.writes(jupytext.read(text), fmt="ipynb").encode()
    write_whole(made)
    return list(made)


def open_lab(wanted: list[str], say: Callable[[str], object]) -> int:
    """Run JupyterLab on the named notebook or the first one, and return its exit status."""
    _check(wanted)
    make_answers()
    first = [*wanted, *names()][0]
    say(f"JupyterLab opens {shown(FOLDER / first)}.ipynb; Ctrl-C here ends it")
    without_news = [sys.executable, "-m", "jupyter", "labextension", "disable", NEWS]
    subprocess.run(without_news, check=False, capture_output=True)
    return subprocess.run(_lab(first), cwd=FOLDER).returncode


def _lab(first: str) -> list[str]:
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={FOLDER}"]
    command += [f"--LabApp.default_url=/lab/tree/{first}.ipynb"]
    # The file list shows each notebook once, without its text form.
    command += [f"--ContentsManager.hide_globs={json.dumps([*HIDDEN, TEXTS])}"]
    # Jupyter refuses root without this flag. Root is usual in a container, and the server listens
    # only on this machine and needs its token.
    return command + (["--allow-root"] if os.geteuid() == 0 else [])


def publish(wanted: list[str], folder: Path, say: Callable[[str], object]) -> None:
    """Run notebooks and write each as one HTML file; with an index if all are written. A failing
    notebook does not stop the others. Raise StudyError if a notebook failed."""
    _check(wanted)
    known, failed = names(), []
    for name in wanted or known:
        page = folder / f"{name}.html"
        try:
            write_whole({page: as_page(executed(FOLDER / f"{name}.md"), name).encode()})
        except StudyError as error:
            failed.append(error)
        else:
            say(shown(page))
    if not wanted:
        write_whole({folder / "index.html": _index(known).encode()})
        say(shown(folder / "index.html"))
    if failed:
        raise StudyError("; ".join(map(str, failed)))


def as_markdown(notebook: "NotebookNode") -> str:
    """Return the notebook as a Markdown page with outputs below their cells."""
    from nbconvert.exporters import MarkdownExporter

    text, _ = MarkdownExporter().from_notebook_node(_for_browsers(notebook))
    return text.replace("<details>", "<details markdown>")  # a hint is Markdown as well


def as_page(notebook: "NotebookNode", name: str) -> str:
    """Return the notebook as one HTML file that needs no kernel and no network."""
    from nbconvert.exporters import HTMLExporter
    from pygments.formatters import HtmlFormatter

    body, _ = HTMLExporter(template_name="basic").from_notebook_node(_for_browsers(notebook))
    # Keyboards must be able to scroll what phones scroll sideways.
    body = re.sub("<(figure|table)(?=[ >])", r'<\1 tabindex="0"', body)
    known = names()
    place = known.index(name)
    return _page(
        title=title(notebook),
        body=body,
        highlighting=HtmlFormatter(style=READABLE).get_style_defs(".highlight"),
        before=_link(known[place - 1]) if place else None,
        after=_link(known[place + 1]) if place + 1 < len(known) else None,
    )


def _for_browsers(notebook: "NotebookNode") -> "NotebookNode":
    """Return the notebook with embedded pictures, and formulas as MathML, which needs no script."""
    from latex2mathml.converter import convert

    def formula(found: re.Match[str]) -> str:
        whole = found[0].startswith("$$")
        made = convert(found[1] or found[2], "block" if whole else "inline")
        return f"\n\n{SCROLLS.format(made)}\n\n" if whole else INLINE.format(made)

    shown = _for_readers(notebook)
    for cell in shown.cells:
        if cell.cell_type == "markdown":
            cell.source = FORMULA.sub(formula, cell.source)
        for output in cell.get("outputs", []):
            if PNG in output.get("data", {}):
                alt = html.escape(output.metadata[PNG]["alt"])
                source = f"data:{PNG};base64,{output.data[PNG].strip()}"
                output.data = {"text/html": f'<figure><img alt="{alt}" src="{source}"></figure>'}
            elif "text/html" in output.get("data", {}):  # the corner of a DataFrame
                output.data["text/html"] = (
                    output.data["text/html"]
                    .replace("<th></th>", "<td></td>")
                    .replace(*TABLE_SCROLLS)
                )
    return shown


def _for_readers(notebook: "NotebookNode") -> "NotebookNode":
    """Return the notebook without progress output and without code that JupyterLab folds away."""
    shown = deepcopy(notebook)
    shown.metadata.pop("widgets", None)
    for cell in shown.cells:
        if cell.cell_type == "code":
            folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
            cell.metadata["transient"] = {"remove_source": folded}
            cell.outputs = [output for output in cell.outputs if not _is_progress(output)]
            for output in cell.outputs:
                data = output.get("data", {})
                data.pop(WIDGET, None)
                if PNG in data:  # matplotlib's own alternative text does not help a blind reader
                    output.metadata.setdefault(PNG, {}).setdefault("alt", "Drawn by the cell above")
    return shown


def _is_progress(output: dict) -> bool:
    is_bar = WIDGET in output.get("data", {})
    told = output.get("metadata", {}).get("study", {}).get("progress", False)
    return told or output.get("name") == "stderr" or (is_bar and "text/html" not in output["data"])


def _link(name: str) -> tuple[str, str]:
    return f"{name}.html", title(read(FOLDER / f"{name}.md"))


def _index(known: list[str]) -> str:
    links = [_link(name) for name in known]
    items = "".join(f'<li><a href="{href}">{html.escape(text)}</a></li>' for href, text in links)
    heading = "Why is this transfer slow?"
    body = f"<h1>{heading}</h1><p>Notebooks, in teaching order:</p><ul>{items}</ul>"
    return _page(title=heading, body=body, highlighting="", before=None, after=None)


def _page(**parts: object) -> str:
    import jinja2

    template = jinja2.Template(TEMPLATE.read_text(encoding="utf-8"), autoescape=False)
    return template.render(parts | {"heading": html.escape(str(parts["title"]))})
