# turn.sh PARTS K COMMAND [ARGUMENT]...: runs the command where test K has its turn by the commit's hash, which is once in PARTS commits;
# exit status 77, skipped, where it has not. CAROM_TEST_ALL=1 runs all, CAROM_TEST_TURN=HASH those of another commit.
# Other digits of the hash than those by which sample.c picks cases within a test, so that each case has its turn.
parts=$1 test=$2
shift 2
. "$CAROM_SOURCE_DIR/tests/support/commit.sh"
if [ "${CAROM_TEST_ALL:-0}" = 0 ] && [ $(((0x${commit:-0} / 4096 + test) % parts)) -ne 0 ]; then
    echo "not the turn of this test: one commit in $parts runs it here"
    exit 77
fi
exec "$@"
