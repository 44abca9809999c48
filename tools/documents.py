"""Make the documentation site from the documents: ``make site``.

README, CONTRIBUTING, CHANGELOG and docs/ are written to be read in the source. A copy of them is
arranged here as one site in English and one, with the tour and the rules, in each other language.
Zensical turns each into pages; then every link is followed and foreign hosts are refused.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from string import Template
from urllib.parse import unquote, urlsplit

from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES, language

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
HOME = "en"
CONFIG = Template((Path(__file__).parent / "documents.toml").read_text(encoding="utf-8"))
BUILT = ROOT / "build" / "site"
DEMO = ROOT / "build" / "browser"
"""The edition without a server, which becomes part of the site if ``make browser`` has built it."""
CODE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))")
HEADING = re.compile(r"^\*\*(.+)\*\*$")
BULLET = re.compile(r"^- \[(.+?)\]\(([^)]+)\)")
AS_THEY_ARE = {".json", ".png", ".jpg"}
"""The files that browsers show; others are given as text."""
WORDS = {
    "de": ("Ein Abend", "Die Regeln", "Gleich ausprobieren: das ganze Programm, in diesem Browser"),
    "en": ("An evening", "The rules", "Try it now: the whole program, in this browser"),
    "fr": ("Une soirée", "Les règles", "À essayer : le programme entier, dans ce navigateur"),
    "lb": ("En Owend", "D’Reegelen", "Direkt ausprobéieren: de ganze Programm, an dësem Browser"),
}  # fmt: skip

Nav = list[Mapping[str, "str | Nav"]]


def main() -> None:
    """Build the site in ``build/site`` and check it."""
    shutil.rmtree(BUILT, ignore_errors=True)
    for code in sorted(LANGUAGES, key=lambda code: code != HOME):  # the outermost first
        build(code)
    if (DEMO / "index.html").exists():
        shutil.copytree(DEMO, BUILT / "try")
    problems = sorted(set(faults(BUILT)))
    print("\n".join(problems) or f"{BUILT}: every link leads somewhere")
    sys.exit(bool(problems))


def build(code: str) -> None:
    """Arrange the documents of one language and turn them into pages."""
    stage = ROOT / "build" / "site-source" / code
    shutil.rmtree(stage, ignore_errors=True)
    for page in pages(code):
        arrange(page, code, stage / "docs")
    shutil.copy(ROOT / "scorekeeper" / "static" / "icon.svg", stage / "docs")
    config = stage / "zensical.toml"
    parts = {"nav": toml(navigation(code)), "languages": toml(languages(code))}
    config.write_text(CONFIG.substitute(parts, code=code), encoding="utf-8")
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(config)]
    subprocess.run(build, check=True, cwd=stage)
    (stage / "site").rename(BUILT if code == HOME else BUILT / code)


# ---- which document is where ---------------------------------------------------------


def pages(code: str) -> Iterator[Path]:
    """Yield the documents of one language; those in no other language are English."""
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        if language_of(page) == code or page == DOCS / "rules" / "README.md":
            yield page


def language_of(page: Path) -> str:
    """Return the language of a document: that of ``tour.de.md`` is German."""
    last = page.stem.rpartition(".")[2]
    return last if last in LANGUAGES else HOME


def place(page: Path) -> str:
    """Return the path of a document in the site of its language."""
    path = page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT)
    if page == DOCS / "README.md":
        return "documents.md"
    if path.name == "README.md" or (path.stem.startswith("tour.") and language_of(page) != HOME):
        return path.with_name("index.md").as_posix()
    return re.sub(rf"\.({'|'.join(LANGUAGES)})\.md$", ".md", path.as_posix()).lower()


def arrange(page: Path, code: str, folder: Path) -> None:
    """Copy a document into the site, with what it shows; its links lead to their new places.

    In code in a table GitHub wants a backslash before ``|``, which the site would show.
    """
    goal = folder / place(page)
    up = "../" * place(page).count("/")

    def moved(link: str) -> str:
        url = urlsplit(link)
        if url.scheme or not url.path:
            return link
        anchor = f"#{url.fragment}" if url.fragment else ""
        target = (page.parent / url.path).resolve()
        if target.suffix != ".md":
            return up + carry(target, folder)
        there = code if target == DOCS / "rules" / "README.md" else language_of(target)
        if there == code:
            return up + place(target) + anchor
        out = up if code == HOME else f"{up}../"
        into = "" if there == HOME else f"{there}/"
        return f"{out}{into}{place(target).removesuffix('.md')}.html{anchor}"

    text = rules_index(code) if place(page) == "rules/index.md" else page.read_text("utf-8")
    kept = [*CODE.finditer(text)]
    parts = [LINK.sub(lambda found: moved(found[0]), part) for part in CODE.split(text)]
    parts = [INLINE.sub(lambda found: found[0].replace(r"\|", "|"), part) for part in parts]
    text = parts[0] + "".join(c[0] + part for c, part in zip(kept, parts[1:], strict=True))
    if place(page) == "index.md" and (DEMO / "index.html").exists():
        there = "try/index.html" if code == HOME else "../try/index.html"
        button = f"[{WORDS[code][2]}]({there}){{ .md-button .md-button--primary }}"
        text = text.replace("\n\n", f"\n\n{button}\n\n", 1)
    goal.parent.mkdir(parents=True, exist_ok=True)
    goal.write_text(text, encoding="utf-8")


def carry(file: Path, folder: Path) -> str:
    """Copy a picture or another file that a document links to; return its place."""
    path = file.relative_to(DOCS if file.is_relative_to(DOCS) else ROOT).as_posix()
    name = path if file.suffix in AS_THEY_ARE else f"files/{path}.txt"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / name)
    return name


def rules_index(code: str) -> str:
    """Return the list of the rule systems in one language."""
    lang = language(code)
    lines = (f"- [{lang.preset(name)}]({name}.{code}.md)" for name in PRESETS)
    return f"# {WORDS[code][1]}\n\n" + "\n".join(lines) + "\n"


def navigation(code: str) -> Nav:
    """Return the contents: the list of documents in English, the tour and rules elsewhere."""
    lang = language(code)
    rules: Nav = [{WORDS[code][1]: "rules/index.md"}]
    rules += [{lang.preset(name): f"rules/{name}.md"} for name in PRESETS]
    if code != HOME:
        return [{WORDS[code][0]: "index.md"}, {WORDS[code][1]: rules}]
    contents: Nav = [{"scorekeeper": "index.md"}]
    section: Nav = []
    for line in (DOCS / "README.md").read_text("utf-8").splitlines():
        if heading := HEADING.match(line):
            contents.append({heading[1]: (section := [])})
        elif (bullet := BULLET.match(line)) and bullet[2].partition("#")[0].endswith(".md"):
            document = place((DOCS / bullet[2].partition("#")[0]).resolve())
            section.append({bullet[1]: rules if document == "rules/index.md" else document})
    return contents


def languages(code: str) -> Nav:
    """Return the front pages of all languages, for the switch in the head of every page."""
    home = "" if code == HOME else "../"
    links = {one: f"{home}{'' if one == HOME else f'{one}/'}index.html" for one in LANGUAGES}
    return [{"name": language(one).name, "link": link, "lang": one} for one, link in links.items()]


def toml(value: "str | Nav | Mapping[str, str | Nav]") -> str:
    """Return a value as TOML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(one)}" for k, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# ---- is it whole? --------------------------------------------------------------------


class Page(HTMLParser):
    """The anchors of a page, what it links to and what it loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the anchors and links of an element."""
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found.get("id", ""), found.get("name", "")}
        if tag == "a":
            self.links += [found["href"]] if "href" in found else []
        else:
            self.loaded += [found[name] for name in ("src", "href") if name in found]


def faults(site: Path) -> Iterator[str]:
    """Yield a line for each link without a target, and each thing loaded from another host."""
    read = {
        path: Page(path.read_text("utf-8"))
        for path in site.rglob("*.html")
        if not path.is_relative_to(site / "try") and path.name != "404.html"
    }
    for path, page in read.items():
        name = path.relative_to(site)
        for link in [*page.links, *page.loaded]:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loaded and url.scheme != "data":
                    yield f"{name}: loads {link}"
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{name}: {link} leads nowhere"
            elif (
                url.fragment
                and target in read
                and unquote(url.fragment) not in read[target].anchors
            ):
                yield f"{name}: {link} has no such heading"
    for path in site.rglob("*.css"):
        if not path.is_relative_to(site / "try"):
            for found in re.findall(r"url\(['\"]?(https?:[^'\")]+)", path.read_text("utf-8")):
                yield f"{path.relative_to(site)}: loads {found}"


if __name__ == "__main__":
    main()
