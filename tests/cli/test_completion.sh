#!/bin/sh
# Completion, the manual page, models by standard input, and times of a run instead of the file's.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

PATH=$(dirname "$CAROM_EXECUTABLE"):$PATH
export PATH

# every option of the help text is in the table that completion reads, and in the manual page
carom help --print-manual >manual.1
for command in new run compare sweep fit converge check import force impact explain list schema export plot report; do
    carom help --print-options | cut -f 1 | grep -qx "$command" || complain "completion does not know '$command'"
    carom "$command" --help >help.txt
    carom "$command" --print-options | tail -n +2 | cut -f 1 >rows.txt
    # a line of the help text begins with each option
    [ "$(sed '/^Example/,$d' help.txt | grep -cE '^  (-.,|   ) --')" -eq $(($(wc -l <rows.txt) + 1)) ] || complain "$command: help and completion differ"
    while read -r name; do
        grep -qE "^  (-.,|   ) --$name( |\$)" help.txt || complain "$command: the help lacks --$name"
    done <rows.txt
    grep -q "^.SS carom $command " manual.1 || complain "the manual page has no section of $command"
done
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww manual.1 >manual.txt 2>manual-errors.txt
    [ ! -s manual-errors.txt ] || complain "groff: $(head -1 manual-errors.txt)"
    grep -q "output.every" manual.txt || complain "the manual page lacks an option"
fi

if command -v bash >/dev/null; then
    cat >complete.bash <<'EOF'
. "$CAROM_SOURCE_DIR/tools/completion/carom.bash"
COMP_WORDS=(carom "$@") COMP_CWORD=$#
_carom 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
EOF
    [ "$(bash complete.bash conv)" = converge ] || complain "bash does not complete a command"
    [ "$(bash complete.bash run --output-e)" = --output-every ] || complain "bash does not complete an option"
    [ "$(bash complete.bash run --integrator dopri)" = dopri5 ] || complain "bash does not complete an integrator"
    [ "$(bash complete.bash force --law flo)" = flores ] || complain "bash does not complete a law"
fi

if command -v zsh >/dev/null; then
    # what completion offers, without an editor: its functions print what they are given
    cat >complete.zsh <<'EOF'
_describe() { for row in ${(P)2}; do [[ $row == ${words[CURRENT]}* ]] && print -r -- $row; done }
_files() { print files; }
words=(carom "$@")
CURRENT=$#words
complete() { . "$CAROM_SOURCE_DIR/tools/completion/_carom"; }
complete
EOF
    # the look for leaks does not always end in a child of zsh
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    export ASAN_OPTIONS
    zsh -f complete.zsh conv | grep -q '^converge:how many digits' || complain "zsh does not complete a command"
    zsh -f complete.zsh run --output-e | grep -q '^--output-every:output interval' || complain "zsh does not complete an option with its help"
    [ "$(zsh -f complete.zsh run --integrator dopri)" = dopri5 ] || complain "zsh does not complete an integrator"
    [ "$(zsh -f complete.zsh run model)" = files ] || complain "zsh does not complete files"
fi
if command -v fish >/dev/null; then
    offer() { HOME=$PWD fish --no-config -c "source '$CAROM_SOURCE_DIR/tools/completion/carom.fish'; complete -C '$1'"; }
    offer 'carom conv' | grep -q '^converge.*how many digits' || complain "fish does not complete a command"
    offer 'carom run --output-e' | grep -q '^--output-every.*output interval' || complain "fish does not complete an option with its help"
    offer 'carom run --integrator dopri' | grep -qx dopri5 || complain "fish does not complete an integrator"
    offer 'carom force --law flo' | grep -qx flores || complain "fish does not complete a law"
fi

# standard input in the place of a file, and the times of the run
sed 's/restitution: e/restitution: 0.5/' "$CAROM_SOURCE_DIR/models/bouncing_ball.yaml" >ball.yaml
carom run ball.yaml --until 0.6 --json --no-results >file.json || complain "a run failed"
carom run - --until 0.6 --json --no-results <ball.yaml >input.json || complain "a run by standard input failed"
grep -o '"v_out": [^,]*' file.json >file.txt
grep -o '"v_out": [^,]*' input.json | cmp -s - file.txt || complain "standard input gives another impact"
carom check - <ball.yaml >/dev/null || complain "check by standard input failed"
carom compare - --vary e=0.5,0.6 --until 0.1 --no-results --no-report -q <ball.yaml || complain "compare by standard input failed"
refuse_command 1 "standard input is empty" run - </dev/null
carom run - --until 0.1 --output-every 10*ms -q --no-report -o out <ball.yaml || complain "no run with an output interval"
[ "$(carom export out/stdin.h5 --channels body.ball.position | grep -c '^[0-9]')" = 11 ] || complain "the output interval is not that of the option"
refuse_command 2 "must lie above 0" run ball.yaml --output-every 0
refuse_command 2 "must lie above 0" run ball.yaml --step -1e-3
carom run ball.yaml --integrator rk4 --step 1e-5 --until 0.1 --json --no-results >steps.json || complain "no run with a step"
grep -q '"steps": 10000' steps.json || complain "the step is not that of the option"

finish "completion, manual and options of a run"
