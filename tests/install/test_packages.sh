#!/bin/sh
# Debian's packages: the release archive comes out the same twice; its packages are built without a network and pass
# lintian; in an empty Debian root they install, run a model, build a C program and import the Python package. It takes
# minutes, and root: only with CAROM_TEST_PACKAGES=1.
set -eu
[ "${CAROM_TEST_PACKAGES:-0}" = 1 ] || { echo "skipped: CAROM_TEST_PACKAGES=1 builds Debian's packages"; exit 77; }
for tool in dpkg-buildpackage dh lintian mmdebstrap; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed (make deps-deb)"; exit 77; }
done
tools=$CAROM_SOURCE_DIR/tools
rm -rf first second deb root
archive=$("$tools/make_archive" "$CAROM_BUILD_DIR/viewer/page.html" first)
again=$("$tools/make_archive" "$CAROM_BUILD_DIR/viewer/page.html" second)
cmp "$archive" "$again"

# unshare -n: no network while the packages are built
if unshare -n true 2>/dev/null; then alone="unshare -n"; else alone=; fi
$alone "$tools/make_deb" "$archive" deb
lintian --allow-root --fail-on error,warning deb/*.changes

mmdebstrap --variant=apt --include=ca-certificates bookworm root
mkdir root/packages
cp deb/*.deb root/packages/
cat >root/try.sh <<'END'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update >/dev/null
apt-get install -y --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config >/dev/null
cd /tmp
carom new impact -o model.yaml
carom run model.yaml
carom explain hunt-crossley >/dev/null
man_page=$(ls /usr/share/man/man1/carom.1.gz 2>/dev/null || echo "none")
echo "manual page: $man_page"
cat >program.c <<'C'
#include <carom/carom.h>
#include <stdio.h>
int main(void)
{
    carom_context *ctx;
    carom_model *model;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    const carom_status status = carom_model_load(ctx, "model.yaml", NULL, 0, &model);
    printf("carom %s, status %d\n", carom_version(), (int)status);
    carom_model_free(model);
    carom_context_free(ctx);
    return status != CAROM_OK;
}
C
gcc program.c $(pkg-config --cflags --libs carom) -o program
./program
# the site opens from the disk: its start page and all that it asks for are there
site=/usr/share/doc/carom-doc/html
grep -o '\(src\|href\)="[^"#:?]\+["#?]' $site/index.html | cut -d'"' -f2 | sed 's/[#?]$//' | while read -r file; do
    [ -e "$site/$file" ] || { echo "the site lacks $file"; exit 1; }
done
grep -q "double pendulum" $site/first-mechanism.html
python3 -c 'import carom; run = carom.load("model.yaml").run(); print(len(run.impacts), "impacts from Python")'
END
chroot root sh /try.sh
rm -rf root
