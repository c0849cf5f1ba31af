#!/bin/sh
# Models that ask for what no machine has are refused by one short line with a place, soon and in little memory; texts
# of models that a terminal would obey, or a page or a table would read as its own, are shown as they are.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# repeat COUNT TEXT
repeat() { awk -v n="$1" -v t="$2" 'BEGIN { for (k = 0; k < n; k++) printf "%s", t }'; }

# hostile TEXT: the model whose lines behind its head are in the file `body` is refused with that text.
hostile()
{
    wanted=$1
    { printf 'carom: 1\ndimension: 2\n'; cat body; } >hostile.yaml
    refuse_command 1 "$wanted" run hostile.yaml --no-results -q
    expect "carom: error: hostile.yaml" error.txt
    [ "$(wc -c <error.txt)" -lt 400 ] || complain "$wanted: $(wc -c <error.txt) bytes are told"
}

end='bodies: {b: {mass: 1, inertia: 1, at: [0, 0]}}
run: {until: 1, integrator: rk4, step: 1*ms}'
mass() { printf 'bodies: {b: {inertia: 1, mass: "%s"}}\nrun: {until: 1}\n' "$(cat)"; }

# more memory than this is not asked for; the address sanitizer takes 20 TB by itself
case ${CAROM_C_FLAGS:-} in
*-fsanitize*) ;;
# shellcheck disable=SC3045
*) ulimit -v 2000000 2>/dev/null ;;
esac

{ echo "title: $(repeat 50000 '[')$(repeat 50000 ']')"; echo "$end"; } >body
hostile "nested deeper than 64 levels"
{ repeat 100000 '('; printf 1; repeat 100000 ')'; } | mass >body
hostile "the expression has 200001 characters; at most 4096"
repeat 4000 '-' | mass >body
hostile "hostile.yaml:3:"
{ repeat 1300 'sin('; printf 1; repeat 1300 ')'; } | mass >body
hostile "characters; at most 4096"
{ repeat 400000 '1+'; printf 1; } | mass >body
hostile "the expression has 800001 characters; at most 4096 are allowed"
repeat 1000000 q | mass >body
hostile "the expression has 1000000 characters"
echo "bodies: {b: {copies: 10000000, mass: 1, inertia: 1}}
run: {until: 1}" >body
hostile "'copies' is 1e+07; it must be a whole number from 1 to 100000"
{ echo "bodies:"; for k in 1 2 3 4 5 6 7 8 9; do echo "  b$k: {copies: 100000, mass: 1, inertia: 1, at: [copy, 0]}"; done
  echo "run: {until: 1}"; } >body
hostile "with 'b3', 'bodies' has 300000 entries, copies among them; at most 200000 are allowed"
{ echo 'a: &a [x, x, x]'; echo 'b: &b [*a, *a, *a]'; echo "$end"; } >body
hostile "the anchor '&a' is not part of the model format"
{ echo "joints: {j: {type: revolute, between: [ground, $(repeat 1000000 n)]}}"; echo "$end"; } >body
hostile "is longer than 63 characters"
{ echo "$(repeat 1000 n): 1"; echo "$end"; } >body
hostile "unknown key"
echo "bodies: {b: {mass: 1, inertia: 1}}
run: {until: 1, output: {every: 1e-15}}" >body
hostile "1e+15 rows until 1 s; choose a larger one"
{ echo 'functions: {f(x): g(x), g(x): f(x)}'; echo 'parameters: {a: f(1)}'; echo "$end"; } >body
hostile "a cycle"
{ echo "parameters: {$(awk 'BEGIN { for (k = 0; k < 5000; k++) printf "p%d: 1, ", k }')}"; echo "$end"; } >body
hostile "5000 parameters; at most 4096 are allowed"
{ echo "splines: {f: [$(awk 'BEGIN { for (k = 0; k < 400000; k++) printf "[%d, 1], ", k }')]}"; echo "$end"; } >body
hostile "more than 1000000 values in one model"
{ printf '# '; repeat 9000000 x; echo; echo "$end"; } >body
hostile "the file has more than 8 MiB"
printf 'shapes: {p: {type: gear, on: b, teeth: 100000000, module: 1*mm}}\n%s\n' "$end" >body
hostile "at most 10000"
{ head -c 80 /dev/zero; printf '\377\377\377\377'; head -c 1000 /dev/zero; } >mesh.stl
printf 'carom: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n%s\nrun: {until: 1}\n' \
    'shapes: {m: {type: mesh, on: b, file: mesh.stl}}' >mesh.yaml
refuse_command 1 "mesh.stl: byte 80: announces 4294967295 triangles" run mesh.yaml
for k in 1 2; do
    printf 'carom: 1\ndimension: 3\ninclude: {file: loop%d.yaml}\nrun: {until: 1}\n' $((3 - k)) >loop$k.yaml
done
refuse_command 1 "loop" run loop1.yaml

# ---- what others would obey ----

cat >shown.yaml <<'EOF'
carom: 1
title: "\e]0;name\a\e[31mred\x9b2J\u202e</script><script>alert(1)</script>=cmd()|';\""
dimension: 2
gravity: [0, -9.81]
bodies: {b: {mass: 1, inertia: 1, at: [0, 0]}}
run: {until: 0.1, integrator: rk4, step: 1*ms}
EOF
escape=$(printf '\033')
run_carom 0 check shown.yaml
expect '\x1b]0;name\x07\x1b[31mred\x9b2J\u202e</script>' text.txt
refuse "$escape" text.txt
run_carom 0 run shown.yaml -o shown
refuse "$escape" text.txt
refuse '<script>alert' shown/shown.html
refuse "$escape" shown/shown.html
run_carom 0 run shown.yaml --no-results --json
refuse "$escape" text.txt
for line in '"\e[31mkey": 3' '"a\nb\e[31m": 3' 'bodies: {"x\e[31my": {mass: 1}}' 'bodies: {"</script>": {mass: 1}}' \
    "bodies: {\"=cmd()|' /C calc'!A0\": {mass: 1}}" 'bodies: {"a;b": {mass: 1}}' 'bodies: {"a\nb": {mass: 1}}' \
    "bodies: {\"a'b\\\"c\": {mass: 1}}"; do
    printf 'carom: 1\ndimension: 2\n%s\nrun: {until: 1, integrator: "\\e[31m"}\n' "$line" >key.yaml
    run_carom 1 run key.yaml
    refuse "$escape" error.txt
    ! grep -qv '^carom: error: ' error.txt || complain "a line of another begin: $(cat error.txt)"
done
for argument in "none$escape[31m" "--none$escape[31m"; do
    "$CAROM_EXECUTABLE" run "$argument" >text.txt 2>error.txt && complain "run $argument"
    refuse "$escape" error.txt
    expect 'none\x1b[31m' error.txt
done

# the name of a file becomes that of the model, of letters, digits and _
strange=$(printf 'we\033[31mird;"<b>=1')
cp shown.yaml "$strange.yaml"
run_carom 0 run "$strange.yaml" -o strange
[ "$(ls strange)" = "$(printf 'we__31mird___b__1.h5\nwe__31mird___b__1.html')" ] || complain "files: $(ls strange)"
refuse "$escape" text.txt
finish
