#!/bin/sh
# The rules of the source tree find what breaks them: a small tree is right, and every change to it is refused.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- a tree that keeps every rule ----

fresh()
{
    rm -rf "$work/t"
    mkdir -p "$work/t/src/base" "$work/t/src/math" "$work/t/src/kinds/normal/damping" "$work/t/src/kinds/joint" "$work/t/src/model" \
        "$work/t/include/carom" "$work/t/cli" "$work/t/tests/contract"
    cd "$work/t"
    echo '#include <stddef.h>' >include/carom/api.h
    echo '#include "carom/api.h"' >src/base/base.h
    echo '#include "base/base.h"' >src/math/math.h
    echo '#include "math/math.h"' >src/kinds/kind.h
    echo '#include "kinds/kind.h"' >src/model/model.h
    echo 'CAROM_KIND(hunt_crossley)' >src/kinds/normal/damping/damping.def
    echo 'CAROM_KIND(flores, .kind.name = "flores", .kind.source = "Flores et al. 2011", .damping = "flores")' >src/kinds/normal/named.def
    : >src/kinds/joint/joint.def
    cat >src/kinds/normal/damping/hunt_crossley.c <<'EOF'
/* Hunt and Crossley. */
#include "kinds/kind.h"

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, NAN, 0, 1, "Asked ratio (0, 1] of speeds, \"e\"."},
    {.name = "power", .unit = "-", .description = "Exponent."},
};

const int x = {.name = "hunt-crossley", .source = "Hunt and Crossley 1975, eq. 5"};
EOF
    printf '#include <carom/api.h>\n#include "talk.h"\n' >cli/main.c
    echo '#include <stdio.h>' >cli/talk.h
    echo 'names hunt-crossley and flores here' >tests/contract/test_laws.c
}

good()
{
    sh "$CAROM_SOURCE_DIR/tools/$1" "$work/t" || { echo "$1 refuses: $2"; exit 1; }
}

# bad CHECK WHAT PATTERN: the check fails and its complaint contains PATTERN
bad()
{
    if sh "$CAROM_SOURCE_DIR/tools/$1" "$work/t" >"$work/out" 2>&1; then
        echo "$1 does not see: $2"
        exit 1
    fi
    grep -q -e "$3" "$work/out" || { echo "$1, $2: the complaint does not say '$3' but:"; cat "$work/out"; exit 1; }
    fresh
}

fresh
good check_layers "the tree that is right"
good check_kinds "the tree that is right"

printf '/* ---- gone.c: nothing ---- */\n' >>src/base/base.h
bad check_layers "a heading with a file that is gone" "names gone.c"

: >src/kinds/joint/joint.h; : >src/kinds/joint/joint_rows.c
echo '#include "kinds/joint/joint.h"' >>src/kinds/normal/damping/hunt_crossley.c
good check_layers "the header and the code that a family shares"
fresh

# ---- layers ----

echo '#include "model/model.h"' >>src/math/math.h
bad check_layers "a lower layer that includes a higher one" 'src/math/math.h:2: a lower layer'
echo '#include "kinds/joint/revolute.h"' >>src/kinds/normal/damping/hunt_crossley.c; : >src/kinds/joint/revolute.h
bad check_layers "a kind that includes another family" 'kinds never include each other'
echo '#include "kinds/joint/joint.h"' >>src/kinds/kind.h; : >src/kinds/joint/joint.h
bad check_layers "kinds.h that includes a family" 'header of src/kinds'
echo '#include "base/base.h"' >>cli/main.c
bad check_layers "cli that includes src" 'cli/main.c may include'
mkdir -p cli/plot cli/run cli/support; : >cli/run/run.h; : >cli/support/cli.h
echo '#include "support/cli.h"' >cli/plot/plot.c
good check_layers "cli that includes cli/support"
mkdir -p cli/plot cli/run; : >cli/run/run.h; echo '#include "run/run.h"' >cli/plot/plot.c
bad check_layers "cli that includes the folder of another group" 'cli/plot/plot.c may include'
echo '#include "base/base.h"' >>include/carom/api.h
bad check_layers "a public header that includes src" 'public header'
echo '#include "base/more.h"' >>src/base/base.h; echo '#include "base/base.h"' >src/base/more.h
bad check_layers "a cycle" 'cycle of includes'
echo '#include "../base/base.h"' >>src/math/math.h
bad check_layers "a path with .." 'without ../'
mkdir src/result; echo '#include "model/model.h"' >src/result/table.c
bad check_layers "libcarom-io that knows the inside of libcarom" 'libcarom-io knows of libcarom what is public'
mkdir src/physics; : >src/physics/a.h
bad check_layers "a folder that is no layer" 'not in a layer'
awk 'BEGIN { for (k = 0; k < 801; k++) print "int a" k ";" }' >src/base/long.c
bad check_layers "a long file" '801 lines'
{ printf 'int f(void)\n{\n'; awk 'BEGIN { for (k = 0; k < 79; k++) print "    ;" }'; echo '}'; } >src/base/f.c
bad check_layers "a long function" 'function of 81 lines'
{ printf 'int f(void)\n{\n'; awk 'BEGIN { for (k = 0; k < 78; k++) print "    ;" }'; echo '}'; } >src/base/f.c
good check_layers "a function of 80 lines"
fresh

printf 'void carom_a(void)\n{\n    carom_b();\n}\n' >src/math/a.c
printf 'void carom_b(void)\n{\n    carom_c(); /* carom_a() */\n}\n' >src/math/b.c
printf 'static void carom_a2(void) { carom_a(); }\nvoid carom_c(void)\n{\n    carom_a2();\n}\n' >src/math/c.c
bad check_layers "a cycle of calls" 'cycle of calls: src/math/.\.c -> '
printf 'void carom_a(void)\n{\n    carom_b();\n}\n' >src/math/a.c
printf 'void carom_b(void)\n{\n    /* carom_a() */\n    say("carom_a()");\n}\n' >src/math/b.c
good check_layers "calls that go one way"
mkdir src/math/sparse
printf 'void carom_b(void)\n{\n    static void (*const of[])(void) = {carom_a};\n    of[0]();\n}\n' >src/math/sparse/b.c; rm src/math/b.c
bad check_layers "a cycle of calls by way of a table, between the folders of a layer" 'cycle of calls: src/math/.*b\.c -> '
printf '/* %s */\n' "$(printf 'ü%.0s' $(seq 114))" >src/base/wide.h
good check_layers "a line of 120 characters, and more bytes"
printf '/* %s */\n' "$(printf 'a%.0s' $(seq 115))" >tests/contract/test_wide.c
bad check_layers "a line of 121 columns" 'tests/contract/test_wide.c:1: 121 columns'
mkdir src/math/sparse src/math/dense
printf 'void carom_a(void)\n{\n    carom_b();\n}\n' >src/math/sparse/a.c
printf 'void carom_b(void)\n{\n}\nvoid carom_c(void)\n{\n    carom_d();\n}\n' >src/math/dense/b.c
printf 'void carom_d(void)\n{\n}\n' >src/math/d.c
good check_layers "folders that call one way, and the folder that holds them"
mv src/math/d.c src/math/sparse/d.c
bad check_layers "two folders of a layer that call each other" 'cycle of calls: src/math/.* -> src/math/'
mkdir cli/support
printf 'void say(void)\n{\n    ask();\n}\nvoid tell(void)\n{\n}\n' >cli/support/talk.c
printf 'static void tell(void)\n{\n}\nvoid ask(void)\n{\n    tell();\n}\n' >cli/support/ask.c
good check_layers "a static function that has the name of another"
sed 's/static //' -i cli/support/ask.c; sed 's/tell(void)/tell_all(void)/' -i cli/support/talk.c; sed 's/    tell()/    tell_all()/' -i cli/support/ask.c
bad check_layers "a cycle of calls in cli" 'cycle of calls: cli/support/'
for k in 1 2 3 4 5 6 7 8; do awk 'BEGIN { for (k = 0; k < 790; k++) print "int a" k ";" }' >src/base/part$k.c; done
bad check_layers "a folder of more than 6000 lines" 'a folder has at most 6000'
fresh
printf 'void f(void)\n{\n    c->elastic->force(c, 0);\n}\n' >src/model/call.c
bad check_layers "a function of a kind called directly" 'CAROM_KIND_CALL'

# ---- kinds ----

law=src/kinds/normal/damping/hunt_crossley.c
: >src/kinds/normal/damping/damping.def
bad check_kinds "a file without row" '0 rows CAROM_KIND(hunt_crossley)'
echo 'CAROM_KIND(hunt_crossley)' >>src/kinds/normal/damping/damping.def
bad check_kinds "two rows" '2 rows'
echo 'CAROM_KIND(flores)' >>src/kinds/normal/damping/damping.def
bad check_kinds "a row without file" 'row flores has no file'
rm src/kinds/normal/damping/damping.def
bad check_kinds "no .def" 'there is no damping.def'
sed -i 's/"restitution", "-"/"restitution", ""/' $law
bad check_kinds "a parameter without unit" 'parameter "restitution" needs'
sed -i 's/"Asked.*},$/""},/' $law
bad check_kinds "a parameter without description" 'parameter "restitution" needs'
sed -i 's/\.unit = "-"/.unit = ""/' $law
bad check_kinds "a named parameter without unit" 'parameter "power" has no unit'
sed -i 's/, \.description = "Exponent\."//' $law
bad check_kinds "a named parameter without description" 'parameter "power" has no description'
sed -i 's/\.source = "[^"]*"/.source = ""/' $law
bad check_kinds "no source" 'no source'
echo nothing >tests/contract/test_laws.c
bad check_kinds "a kind that no test names" 'no file of tests/ names hunt_crossley'
echo 'names hunt-crossley' >tests/contract/test_laws.c
bad check_kinds "a row that no test names" 'no file of tests/ names flores'
sed -i 's/"Flores[^"]*"/""/' src/kinds/normal/named.def
bad check_kinds "a row without source" 'row flores has no source'
sed -i 's/"flores", .kind/"", .kind/' src/kinds/normal/named.def
bad check_kinds "a row without name" 'row flores has no name'
cat src/kinds/normal/named.def >>src/kinds/normal/named.def.2; cat src/kinds/normal/named.def.2 >>src/kinds/normal/named.def; rm src/kinds/normal/named.def.2
bad check_kinds "two rows of a table" 'two rows CAROM_KIND(flores)'

# ---- warnings ----

warned()
{
    printf 'CAROM_WARNING(DEEP, "W01", LAW, "deep", "Deep")\nCAROM_WARNING(FULL, "W02", MODEL, "full", "Full")\n' >src/base/warnings.def
    echo 'void f(void) { warn(CAROM_WARN_DEEP); }' >src/model/deep.c
    echo 'void g(void) { print_warning("full", "x"); }' >cli/full.c
}
warned
good check_kinds "two warnings"
fresh
warned
rm src/model/deep.c
bad check_kinds "a warning that nothing raises" 'nothing raises DEEP'
warned
sed -i 's/W02/W03/' src/base/warnings.def
bad check_kinds "a code out of turn" 'row FULL has the code W03'
warned
echo 'void h(void) { carom_log(ctx, CAROM_LOG_WARNING, "x"); }' >src/model/deaf.c
bad check_kinds "a warning without a code" 'deaf.c: a warning without a code'
warned
echo 'void h(void) { fprintf(stderr, "carom: warning: wrong\\n"); }' >cli/deaf.c
bad check_kinds "a warning of the command line without a code" 'cli/deaf.c: a warning without a code'
warned
echo 'void h(void) { print_warning("fulll", "x"); }' >cli/deaf.c
bad check_kinds "a warning that is not in the list" 'there is no warning fulll'
