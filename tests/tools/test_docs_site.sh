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
