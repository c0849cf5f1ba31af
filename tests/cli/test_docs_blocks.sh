#!/bin/sh
# The commands of the docs run as they stand: the blocks marked `sh` of a page, one after the other, in a folder of their own that has
# models/, examples/ and the models of docs/figures/. A block of YAML, C, Python or CSV that begins with a comment `# NAME.yaml` (`/* NAME.c`)
# becomes that file. A block that cannot run here has `<!-- not run: REASON -->` before it. Blocks marked `console` are
# those of cli.tutorial. By the commit's hash one page in 6 (CAROM_TEST_ALL=1: all; PAGES="docs/x.md ..." those).
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
here=$PWD
case ${CAROM_C_FLAGS:-} in
*-fsanitize=*)
    echo "the program's tests run what the docs run; Python would need the sanitizer's library"
    exit 77
    ;;
esac

# ---- the programs that the blocks call ----

rm -rf bin pages
mkdir -p bin pages
ln -s "$CAROM_EXECUTABLE" bin/carom
[ -z "${CAROM_PYTHON:-}" ] || ln -s "$CAROM_PYTHON" bin/python3
cat >bin/pkg-config <<END
#!/bin/sh
echo "-I$CAROM_SOURCE_DIR/include -L$CAROM_BUILD_DIR -Wl,-rpath,$CAROM_BUILD_DIR -lcarom-io -lcarom -lm ${CAROM_C_FLAGS:-}"
END
ln -s "$(command -v "${CC:-cc}")" bin/cc
chmod +x bin/pkg-config
PATH=$here/bin:$PATH PYTHONPATH=$CAROM_BUILD_DIR/python${PYTHONPATH:+:$PYTHONPATH}
export PATH PYTHONPATH

# ---- a page in parts: NN.sh with its commands, NN.skip with a reason, and the files that it gives names ----

parts()
{
    awk -v folder="$2" '
        function named(line) { return match(line, /^(#|\/\*) ?[A-Za-z0-9_-]+\.(yaml|c|py|csv)([: ]|$)/) }
        inside && /^```/ { inside = 0; if (out) close(out); out = ""; next }
        inside {
            if (first && language ~ /^(yaml|c|python|csv)$/ && named($0)) {
                out = $0; sub(/^(#|\/\*) ?/, "", out); sub(/[: ].*$/, "", out)
                out = folder "/" sprintf("%02d", ++count) ".file." out
            }
            if (language == "" && /^ *carom [a-z]+ /) { print FILENAME ":" FNR ": a block with commands is marked sh" }
            first = 0
            if (out) print >out
            next
        }
        /^```/ {
            inside = 1; first = 1; language = substr($0, 4); out = ""
            if (language == "sh" || language == "bash") {
                out = folder "/" sprintf("%02d", ++count) (reason == "" ? ".sh" : ".skip")
                printf "" >out
            }
            reason = ""; next
        }
        /^<!-- not run: .+ -->$/ { reason = $0; next }
        /./ { reason = "" }' "$1"
}

run_page()
{
    page=$1
    work=$here/pages/$(echo "$page" | tr '/.' '__')
    mkdir -p "$work/parts"
    parts "$CAROM_SOURCE_DIR/$page" "$work/parts" >said.txt
    [ -s said.txt ] && { complain "$(cat said.txt)"; }
    set -- "$work"/parts/*.sh
    [ -e "$1" ] || return 0
    blocks=$((blocks + $#))
    mkdir -p "$work/in/docs/figures"
    ln -s "$CAROM_SOURCE_DIR/models" "$CAROM_SOURCE_DIR/examples" "$work/in/"
    cp "$CAROM_SOURCE_DIR"/docs/figures/*.yaml "$work/in/docs/figures/"
    cd "$work/in" || exit 1
    for part in "$work"/parts/*; do
        case $part in
        *.file.*) cp "$part" "${part##*.file.}" ;;
        *.sh)
            if ! timeout 120 sh -eu "$part" >"$part.out" 2>&1 </dev/null; then
                complain "$page: this block fails:"
                cat "$part"
                echo "-- it says:"
                tail -n 15 "$part.out"
            fi
            ;;
        esac
    done
    cd "$here" || exit 1
    [ "$failures" != 0 ] || rm -rf "$work"
}

turn=0
blocks=0
for page in $(cd "$CAROM_SOURCE_DIR" && ls README.md docs/*.md docs/howto/*.md docs/theory/*.md 2>/dev/null); do
    grep -q '^```' "$CAROM_SOURCE_DIR/$page" || continue
    turn=$((turn + 1))
    if [ -n "${PAGES:-}" ]; then
        case " $PAGES " in *" $page "*) ;; *) continue ;; esac
    else
        sh "$CAROM_SOURCE_DIR/tests/support/turn.sh" 6 "$turn" true >/dev/null || continue
    fi
    run_page "$page"
done
finish "$blocks blocks"
