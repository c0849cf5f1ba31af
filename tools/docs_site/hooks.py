"""What mkdocs does not do by itself (mkdocs.yml). The pages of docs/ are written to be read on a code host, and stay where they are:
- A link to a file outside of docs/ leads to a page of the site that shows it: models, scripts, examples, headers, a folder as a list.
- `models/NAME.yaml` or `models/figures/NAME.sh` in the text becomes such a link; behind the script of a figure stand its models.
- A page without a place in nav, a link to no file and one to no heading are errors.
- Formulas are drawn as such: MathML, which browsers need nothing for (formula.py).
- Search works from the disk as well: browsers start no workers there (from_disk.js)."""
import functools
import html
import json
import pathlib
import posixpath
import re
import shutil
import sys
from urllib.parse import unquote, urlsplit

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import formula  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = {".yaml": "yaml", ".sh": "sh", ".c": "c", ".h": "c", ".py": "python", ".urdf": "xml"}
LISTED = ["models/*.yaml", "models/figures/*.sh", "include/carom/*.h", "examples/*.c"]
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
NAMED = re.compile(r"`(?:sh )?((?:models|bench|examples|docs/figures|models/figures)/[\w./-]+\.(?:yaml|sh|c|py))`(?!\])")

FAR_NUMBER = re.compile(r"( {6,})(\(\d+[a-z]?\))$")      # of an equation, at the margin
MARKED = re.compile("(\\w)([\u0307\u0308])")             # a letter with one dot or two, which few fonts draw above it


# ---- pages that show files ----

def page_of(path):
    """The page of the site for a file or folder of the tree, relative to the site's root."""
    if (ROOT / path).is_dir():
        return f"{path}/README.md"
    return path if path.endswith(".md") else f"{path}.md"


def title_of(path):
    text = path.read_text(encoding="utf-8")
    found = re.search(r"^title: *(.+)$", text, re.M) if path.suffix == ".yaml" else None
    return found.group(1).strip("\"'") if found else first_comment(text)


def first_comment(text):
    found = re.search(r"^(?:# |/\* ?|// )(?!!)(.+?)(?:\*/)?$", text, re.M)
    return found.group(1).strip() if found else ""


def shown(path, wanted):
    """The text of the page that shows a file or lists a folder, whose files go to the set `wanted`."""
    whole = ROOT / path
    if whole.is_dir():
        entries = sorted(entry for entry in whole.iterdir() if entry.suffix in LANGUAGES)
        wanted.update(f"{path}/{entry.name}" for entry in entries)
        rows = [f"| [{entry.name}]({page_of(entry.name)}) | {title_of(entry).replace('|', ' ')} |\n" for entry in entries]
        heading = {"models": "Models", "include/carom": "C headers"}.get(path, path)
        return f"# {heading}\n\n| file | |\n|---|---|\n" + "".join(rows)
    text = whole.read_text(encoding="utf-8")
    return f"# {path}\n\n````{LANGUAGES.get(whole.suffix, 'text')}\n{text.rstrip()}\n````\n"


def outside(target, page):
    """The path from the tree's root of a link's target outside of docs/, or None."""
    if urlsplit(target).scheme or target.startswith("#"):
        return None
    path = (ROOT / page).parent / unquote(urlsplit(target).path)
    path = pathlib.Path(*path.parts).resolve()
    if not path.is_relative_to(ROOT) or path.is_relative_to(ROOT / "docs"):
        return None
    if not path.exists():
        raise PluginError(f"{page}: {target} is no file")
    return path.relative_to(ROOT).as_posix()


def relative(page, source):
    """The page of the site as a link from a source of the site."""
    return "../" * source.count("/") + page


def prose(text):
    """The lines of a text, each with whether it is prose and no block of code."""
    fence = None
    for line in text.split("\n"):
        mark = re.match(r" *(`{3,}|~{3,})", line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and mark.group(1).startswith(fence):
            fence = None
            yield line, False
            continue
        yield line, fence is None


def titled(match, page):
    """A link to a page of docs/ whose text is the name of its file, with the page's title in its place."""
    name = match.group(1).lstrip("[")[:-2]
    path = ROOT / page
    path = path.parent / urlsplit(match.group(2)).path
    if not name.endswith(".md") or not path.is_file() or urlsplit(match.group(2)).fragment:
        return match.group(0)
    return f"[{heading_of(path)}]({match.group(2)})"


@functools.cache
def heading_of(path):
    return path.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ")


def linked(text, page, source, wanted):
    """The text with its links to files outside of docs/ as links of the site; their paths go to the set `wanted`."""
    def of_link(match):
        path = outside(match.group(2), page)
        if path is None:
            return titled(match, page)
        wanted.add(path)
        anchor = urlsplit(match.group(2)).fragment
        return match.group(1) + relative(page_of(path), source) + (f"#{anchor}" if anchor else "") + match.group(3)

    def of_name(match):
        path = match.group(1)
        if not (ROOT / path).is_file():
            return match.group(0)
        wanted.add(path)
        link = f"[{match.group(0)}]({relative(page_of(path), source)})"
        if not path.startswith("models/figures/"):
            return link
        names = dict.fromkeys(re.findall(r"[\w-]+\.yaml", (ROOT / path).read_text(encoding="utf-8")))
        models = [f"{folder}/{name}" for name in names for folder in ("models", "models/figures") if (ROOT / folder / name).is_file()]
        wanted.update(models)
        rest = ", ".join(f"[`{model}`]({relative(page_of(model), source)})" for model in models)
        return f"{link}, the model {rest}" if rest and match.string.strip() == match.group(0) else link

    lines = []
    for line, is_prose in prose(text):
        if not is_prose:
            line = FAR_NUMBER.sub(lambda found: " " * max(3, min(len(found.group(1)), 76 - found.start())) + found.group(2), line)
        else:
            line = NAMED.sub(of_name, LINK.sub(of_link, line))
        lines.append(line)
    return "\n".join(lines)


# ---- events of mkdocs ----

def on_files(files, config):
    made = ROOT / config["site_dir"] / ".." / "site-pages"
    made = made.resolve()
    shutil.rmtree(made, ignore_errors=True)
    wanted = {"CONTRIBUTING.md", "CHANGELOG.md", "models", "include/carom"}
    wanted.update(path.relative_to(ROOT).as_posix() for pattern in LISTED for path in ROOT.glob(pattern))
    texts = {}
    for file in list(files.documentation_pages()):
        text = pathlib.Path(file.abs_src_path).read_text(encoding="utf-8")
        texts[file.src_uri] = linked(text, f"docs/{file.src_uri}", file.src_uri, wanted)
        files.remove(file)
    while wanted:
        path = wanted.pop()
        if page_of(path) in texts:
            continue
        if path.endswith(".md"):
            text = linked((ROOT / path).read_text(encoding="utf-8"), path, path, wanted)
            texts[path] = text.replace("](docs/", "](" + "../" * path.count("/"))
        else:
            texts[page_of(path)] = shown(path, wanted)
    for name, text in texts.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
        files.append(File(name, str(made), config["site_dir"], config["use_directory_urls"]))
    for name in ("carom.css", "from_disk.js"):
        (made / "assets").mkdir(exist_ok=True)
        shutil.copy(HERE / name, made / "assets" / name)
        files.append(File(f"assets/{name}", str(made), config["site_dir"], config["use_directory_urls"]))
    return files


def on_nav(nav, config, files):
    placed = {page.file.src_uri for page in nav.pages}
    lost = [page.relative_to(ROOT).as_posix() for page in sorted((ROOT / "docs").rglob("*.md"))
            if page.relative_to(ROOT / "docs").as_posix() not in placed]
    if lost:
        raise PluginError(f"without a place in nav of mkdocs.yml: {', '.join(lost)}")
    return nav


def on_page_markdown(markdown, page, config, files):
    """Formulas as MathML."""
    return formula.typeset(markdown)


ATTRIBUTE = re.compile(r'\s(id|href|src)="([^"]*)"')


def attributes(path):
    """The ids of a page, and what it links to."""
    ids, links = set(), []
    for name, value in ATTRIBUTE.findall(path.read_text(encoding="utf-8")):
        if name == "id":
            ids.add(value)
        elif value:
            links.append(html.unescape(value))
    return ids, list(dict.fromkeys(links))


def on_page_content(content, page, config, files):
    """Dots above letters are drawn by the style sheet."""
    return MARKED.sub(lambda found: f'<span class="dots" data-dots="{"˙" if found.group(2) == chr(0x307) else "¨"}">'
                      f"{found.group(1)}</span>", content)


def on_post_page(output, page, config):
    """Search from the disk is made ready before the theme's script."""
    start = "../" * page.url.count("/")
    return output.replace("</head>", f'<script src="{start}assets/from_disk.js"></script></head>', 1)


def on_post_build(config):
    site = pathlib.Path(config["site_dir"]).resolve()
    files = {path.relative_to(site).as_posix() for path in site.rglob("*")}
    pages = {name: attributes(site / name) for name in sorted(files) if name.endswith(".html") and name != "404.html"}
    broken = []
    for name, (_, links) in pages.items():
        for link in links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            if target == ".":
                target = "index.html"
            if target not in files:
                broken.append(f"{name}: {link} is no file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target][0]:
                broken.append(f"{name}: {link} is no heading")
    if broken:
        raise PluginError("broken links:\n" + "\n".join(broken))
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    index["docs"] = [entry for entry in index["docs"] if not entry["location"].startswith(("models/", "examples/", "bench/"))]
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (site / "search" / "search_index.json").write_text(text, encoding="utf-8")
    (site / "search" / "search_index.js").write_text(f"var __search = {{index: Promise.resolve({text})}};\n", encoding="utf-8")
