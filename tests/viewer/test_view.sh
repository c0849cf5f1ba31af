#!/bin/sh
# `carom view` in a real browser: pose, joints and bodies moved, a run, a save, an error (view.mjs). The packages of npm
# are in $CAROM_NODE_MODULES. Without a browser and with sanitizers: the server alone.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
cp "$CAROM_MODELS/slider_crank_block.yaml" model.yaml

# ---- the server: nobody without the token gets anything, Ctrl-C leaves no files ----

rm -rf temporary address.txt
mkdir -p temporary
TMPDIR=$PWD/temporary "$CAROM_EXECUTABLE" view model.yaml --no-open >address.txt 2>said.txt &
server=$!
tries=0
while [ ! -s address.txt ] && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
address=$(cat address.txt)
get() {
    python3 - "$@" <<'P'
import sys, urllib.request, urllib.error
request = urllib.request.Request(sys.argv[1], headers=dict(h.split("=", 1) for h in sys.argv[2:]))
try:
    sys.stdout.buffer.write(urllib.request.urlopen(request).read())
except urllib.error.HTTPError as error:
    print("status", error.code)
P
}
get "${address}news" >news.txt
grep -q '"pose":1' news.txt || complain "no pose: $(cat news.txt)"
# who knows the news is answered when there are others: here once the model runs
state=$(sed 's/.*"state":\([0-9]*\).*/\1/' news.txt)
get "${address}news?since=$state" >later.txt &
later=$!
sleep 0.4
[ ! -s later.txt ] || complain "old news are told again: $(cat later.txt)"
get "${address}start" >started.txt
wait $later
grep -q '"running":true' later.txt || complain "no news of the run: $(cat later.txt)"
get "${address}pose?joint=main&value=1" >pose.txt
python3 - <<'P' || complain "the slider is not where the crank puts it: $(cat pose.txt)"
import json, math
joints = {j["name"]: j["value"] for j in json.load(open("pose.txt"))["joints"]}
place = 0.153 * math.cos(1) + math.sqrt(0.306**2 - (0.153 * math.sin(1)) ** 2)
raise SystemExit(not (abs(joints["main"] - 1) < 1e-9 and abs(joints["guide"] - place) < 1e-8))
P
get "${address}pose?joint=mian&value=1" | grep -q "no joint 'mian'" || complain "a joint that is not there is not refused"
get "${address}pose?joint=guide&value=7" | grep -q "cannot be assembled" || complain "what cannot be reached is not refused"
[ "$(get "$(echo "$address" | sed 's/view.*/view\/00000000000000000000000000000000\//')")" = "status 404" ] ||
    complain "another token is answered"
[ "$(get "$address" "Host=example.org")" = "status 404" ] || complain "another host is answered"
kill -INT $server
wait $server || complain "ends with status $?"
[ -z "$(ls temporary)" ] || complain "files are left: $(ls temporary)"

# ---- errors ----

"$CAROM_EXECUTABLE" view none.yaml --no-open >out.txt 2>error.txt && complain "a file that is not there is shown"
grep -q "none.yaml" error.txt || complain "no name in: $(cat error.txt)"
sed 's/between: \[ground/betwen: [ground/' model.yaml >wrong.yaml
"$CAROM_EXECUTABLE" view wrong.yaml --no-open >out.txt 2>error.txt && complain "a wrong model is shown"
grep -q "did you mean 'between'" error.txt || complain "no remedy in: $(cat error.txt)"
"$CAROM_EXECUTABLE" view model.yaml --port 1e6 >out.txt 2>error.txt && complain "port 1e6 is taken"
grep -q -- "--port takes a whole number" error.txt || complain "no reason in: $(cat error.txt)"

# ---- in the browser ----

case "$CAROM_C_FLAGS" in *-fsanitize*) finish ;; esac
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || finish
export CHROMIUM
if [ -d "$CAROM_NODE_MODULES/playwright-core" ]; then
    node "$CAROM_SOURCE_DIR/tests/viewer/view.mjs" "$CAROM_EXECUTABLE" model.yaml || complain "the page of carom view"
fi
finish
