#!/bin/sh
# The site of the documentation is made without a warning; a page without a place, a link to no file and one to no heading are found.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
if ! command -v mkdocs >/dev/null 2>&1 || ! [ -d /usr/share/mkdocs/themes/material ]; then
    echo "mkdocs and its theme material are not installed"
    exit 77
fi

case ${CAROM_C_FLAGS:-} in
*-fsanitize=*)
    echo "the site knows nothing of sanitizers"
    exit 77
    ;;
esac

# site FOLDER: makes the site of the folder into work/site; what it says goes to said.txt.
site()
{
    mkdocs build --quiet -f "$1/mkdocs.yml" -d "$PWD/work/site" >said.txt 2>&1
}

# ---- the site ----

rm -rf work copy
site "$CAROM_SOURCE_DIR" || { complain "the site is not made"; cat said.txt; }
[ -s said.txt ] && { complain "warnings"; cat said.txt; }
for page in index tutorial theory/laws reference gallery models/hyq_walk.yaml include/carom/simulation.h; do
    [ -s "work/site/$page.html" ] || complain "the page $page is missing"
done
expect 'models/slider_crank_block.yaml.html' work/site/gallery.html
! grep -rlE '(src|href)="(https?:)?//[^"]*\.(js|css|woff2?)"' work/site --include='*.html' | head -3 | grep . ||
    complain "pages fetch from the network"

# ---- formulas ----

python3 - "$CAROM_SOURCE_DIR" >said.txt 2>&1 <<'P' || complain "formulas: $(cat said.txt)"
import pathlib, re, sys, xml.dom.minidom
sys.dont_write_bytecode = True
source = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(source / "tools/docs_site"))
import formula
def of(text):
    return re.sub("<mspace[^>]*/>", " ", formula.Line(text).everything())
def mi(letter): return f"<mi>{letter}</mi>"
cases = {
    "A δ̇/v0": f'{mi("A")} <mfrac><mover accent="true">{mi("δ")}<mo>˙</mo></mover><msub>{mi("v")}<mn>0</mn></msub></mfrac>',
    "K δⁿ": f'{mi("K")} <msup>{mi("δ")}{mi("n")}</msup>',
    "dw/(1 + b)": f'<mfrac><mrow>{mi("d")}{mi("w")}</mrow><mrow><mn>1</mn> <mo>+</mo> {mi("b")}</mrow></mfrac>',
    "ln a": f'{mi("ln")} {mi("a")}',
    "p/2E*": f'<mfrac>{mi("p")}<mrow><mn>2</mn><msup>{mi("E")}<mo>*</mo></msup></mrow></mfrac>',
    "√(a) at s_d": f'<msqrt>{mi("a")}</msqrt> <mtext>at</mtext> <msub>{mi("s")}{mi("d")}</msub>',
    "|z|²/g": f'<mfrac><msup><mrow><mo>|</mo>{mi("z")}<mo>|</mo></mrow><mn>2</mn></msup>{mi("g")}</mfrac>',
}
for text, wanted in cases.items():
    assert of(text) == wanted, f"{text}: {of(text)}"
count = 0
for page in sorted((source / "docs/theory").glob("*.md")):
    for match in formula.BLOCK.finditer(page.read_text(encoding="utf-8")):
        if match.group(1) or not any(formula.NUMBER.search(line) for line in match.group(2).split("\n")):
            continue
        made = formula.of_block(match)
        assert made.startswith("<div"), f"{page.name}: no formula: {match.group(2)}"
        xml.dom.minidom.parseString(made)
        count += 1
assert count > 60, count
assert formula.typeset("```sh\nrun x      (1)\n```\n").startswith("```sh")
assert formula.typeset("```\n$ run x      (1)\n```\n").startswith("```")
P

# ---- mistakes in a small copy, one commit in 4 ----

if ! sh "$CAROM_SOURCE_DIR/tests/support/turn.sh" 4 0 true; then
    rm -rf work
    finish "pages, links and headings"
fi

mkdir -p copy/docs copy/tools copy/models copy/include/carom
cp -r "$CAROM_SOURCE_DIR/tools/docs_site" copy/tools/
sed '/^nav:/,$d' "$CAROM_SOURCE_DIR/mkdocs.yml" >copy/mkdocs.yml
echo 'nav: [README.md, other.md]' >>copy/mkdocs.yml
touch copy/CONTRIBUTING.md copy/CHANGELOG.md

# refused TEXT LINE: with that line in a page the site is not made, and the text is said.
refused()
{
    printf '# Start\n\n%s\n' "$2" >copy/docs/README.md
    printf '# Other\n\n## Part\n' >copy/docs/other.md
    if site copy; then
        complain "'$2' is not found"
    fi
    expect "$1" said.txt
}
refused "#prat is no heading" "[a link](other.md#prat), [another one](nowhere.md)"
expect "nowhere.md is no file" said.txt
refused "../models/none.yaml is no file" "[a link](../models/none.yaml)"
touch copy/docs/lost.md
refused "without a place in nav of mkdocs.yml: docs/lost.md" "[a link](other.md#part)"
rm -rf work copy
finish "pages, links and headings"
