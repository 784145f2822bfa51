"""Hooks of MkDocs for the documentation site.

Pages are the documents of the repository at their own paths, so that their links are right in both places. Others are
made by the command: a page for each command, from its manual page, the application of "serve", and sample models.
"""

import pathlib
import posixpath
import re
import subprocess
import tempfile

import pypandoc
from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = "https://github.com/tflarena/tflarena/blob/main/"


def run(*words):
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


def documents():
    """Returns the paths of the documents in the repository."""
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md", "*.css", "docs").decode().split("\n")
    return [n for n in names if n and "testdata/" not in n and not n.startswith((".", "site/src/", "internal/"))]


def command_pages(manual):
    """Returns the pages of the commands and of the topics, by path, from the manual page in roff."""
    text = pypandoc.convert_text(manual, "markdown_phpextra", format="man", extra_args=["--wrap=none"])
    text = re.sub(r"(?m)^(?!    - )(.*)  \n    - ", r"\1\n\n    - ", text)  # lists, which are lines with breaks in roff
    parts = dict(re.findall(r"(?ms)^# (.*?)\n(.*?)(?=^# |\Z)", text))
    usages = re.findall(r"(?m)^ +(tflarena .*)$", parts["SYNOPSIS"])
    pages = {}
    for title, body in re.findall(r"(?ms)^## (.*?)\n(.*?)(?=^## |\Z)", parts["COMMANDS"]):
        words = title.split()
        usage = [f"    {u}\n" for u in usages if u.split()[:len(words)] == words]
        summary, description = body.strip().split("\n", 1)
        path = f"commands/{words[1]}.md"
        pages[path] = pages.get(path, "") + f"{'#' * (len(words) - 1)} {title}\n\n{summary[0].upper() + summary[1:]}\n\n{''.join(usage)}\n{description}\n\n"
    topics = [f"## {title.capitalize()}\n{body}" for title, body in parts.items() if title not in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS")]
    pages["commands/topics.md"] = "# Topics\n\n" + "".join(topics)
    return {path: with_flags(page) for path, page in pages.items()}


def with_flags(page):
    """Makes titles of the names of groups of flags, and gives each flag an anchor, its long name: fit.html#--arena."""
    page = re.sub(r"(?m)^\*\*([A-Z].*):\*\*$", r"### \1", page)

    def flag(match):
        name = re.sub(r"\\(.)", r"\1", match[1])
        long = re.findall(r"--[a-z0-9-]+", name)
        described_below = not long or re.search(rf"(?m)^\*\*.*{long[0]}\b.*\*\*$", page[match.end():])
        return f"`{name}`" + ("" if described_below else f"{{ #{long[0]} }}")

    return re.sub(r"(?m)^\*\*(-.*)\*\*$", flag, page)


def on_files(files, config):
    made = [f for f in files if f.src_dir != config.docs_dir]  # those of the theme
    with tempfile.TemporaryDirectory() as work:
        binary = f"{work}/tflarena"
        run("go", "build", "-o", binary, "./cmd/tflarena")
        for path, text in command_pages(run(binary, "man").decode()).items():
            made.append(File.generated(config, path, content=text))
        run(binary, "serve", "--quiet", "-o", f"{work}/app")
        for path in sorted(pathlib.Path(work, "app").iterdir()):
            made.append(File.generated(config, f"site/docs/app/{path.name}", content=path.read_bytes()))
        for name in re.findall(r"\(samples/([\w.-]+)\.tflite\)", (ROOT / "site/docs/application.md").read_text()):
            made.append(File.generated(config, f"site/docs/samples/{name}.tflite", content=run(binary, "models", "build", name, "--quiet", "-o", "-")))
    made += [File.generated(config, path, abs_src_path=str(ROOT / path)) for path in documents()]
    config.nav = expanded(config.nav, sorted(f.src_uri for f in made if f.is_documentation_page()), set(named(config.nav)))
    return Files(made)


def named(nav):
    """Yields the paths that nav names."""
    for entry in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else []:
        if isinstance(entry, str):
            yield entry
        else:
            yield from named(entry)


def expanded(nav, paths, taken):
    """Returns nav with the pages that each path with a * stands for."""
    if isinstance(nav, dict):
        return {title: expanded(entry, paths, taken) for title, entry in nav.items()}
    if not isinstance(nav, list):
        return nav
    entries = []
    for entry in nav:
        if isinstance(entry, str) and entry.endswith("*"):
            entries += [p for p in paths if posixpath.dirname(p) == entry[:-2] and p not in taken]
        else:
            entries.append(expanded(entry, paths, taken))
    return entries


def on_page_markdown(markdown, page, config, files):
    here = posixpath.dirname(page.file.src_uri)

    def link(match):
        """Returns a link to a file that is no part of the site as one to the repository."""
        path = posixpath.normpath(posixpath.join(here, match[1]))
        if ":" in match[1] or files.get_file_from_path(path) or not (ROOT / path).exists():
            return match[0]
        return f"]({SOURCES}{path}"

    prose = re.split(r"(?ms)(^```.*?^```$)", markdown)
    prose[::2] = [re.sub(r"\]\(([^)#\s]+)", link, text) for text in prose[::2]]
    # A block that is a file, such as "```csv buffers.csv", has its name as a title.
    prose[1::2] = [re.sub(r"\A```(\w+) (\S+)$", r'```\1 title="\2"', text, flags=re.M) for text in prose[1::2]]
    return "".join(prose)
