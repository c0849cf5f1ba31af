#!/bin/sh
# install_packages.sh LIST...: installs the Debian packages named in the lists (one a line, '#' starts a comment) that are
# missing. A line `package=command` needs the package only if the command is not on the PATH: it may come from elsewhere.
# Says how much before it starts; asks before it uses sudo; does not ask as root or with CI=true. Silent and without
# effect when nothing is missing.
set -eu

entries=$(sed -e 's/#.*//' "$@")
wanted=
for entry in $entries; do
    case $entry in
        *=*) command -v "${entry#*=}" >/dev/null 2>&1 || wanted="$wanted ${entry%%=*}" ;;
        *) wanted="$wanted $entry" ;;
    esac
done

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    echo "This system has no apt, so nothing is installed. Carom needs what these Debian packages bring:" >&2
    # shellcheck disable=SC2086
    printf '    %s\n' $wanted >&2
    echo "If they are there, build without make: cmake -B build && cmake --build build (see README.md)." >&2
    # do not stand in the way of a system that has them under other names: CMake names what it does not find
    exit 0
fi

# ---- what is missing ----

installed()
{
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=
count=0
for package in $wanted; do
    if ! installed "$package"; then
        missing="$missing $package"
        count=$((count + 1))
    fi
done
[ "$count" -gt 0 ] || exit 0

# ---- how to become root ----

ask=no
if [ "$(id -u)" -eq 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1; then
    sudo=sudo
    [ "${CI:-}" = true ] || ask=yes
else
    echo "Missing:$missing" >&2
    echo "There is no sudo; as root, run: apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

confirm()
{
    [ "$ask" = yes ] || return 0
    printf '%s [y/N] ' "$1"
    read -r answer || answer=
    case $answer in
        y | Y | yes | Yes | YES) ask=no ;;
        *)
            echo "Nothing was installed. By hand: sudo apt-get install --no-install-recommends$missing" >&2
            exit 1
            ;;
    esac
}

apt()
{
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@"
}

# ---- what it would cost ----

# "Need to get 1,234 kB of archives. After this operation, 5,678 kB of additional disk space will be used."
cost()
{
    # shellcheck disable=SC2086
    LC_ALL=C apt-get install -o Debug::NoLocking=1 --no-install-recommends --assume-no $missing 2>/dev/null |
        sed -n -e '/newly installed/p' -e '/^Need to get/p' -e '/^After this operation/p'
}

known()
{
    # shellcheck disable=SC2086
    apt-get install -s --no-install-recommends $missing >/dev/null 2>&1
}

echo "Missing $count of $(echo "$wanted" | wc -w) packages:$missing"
if ! known; then
    echo "The package lists are missing or old: they are fetched first (apt-get update)."
    confirm "Use sudo for this and for the installation?"
    apt update
    if ! known; then
        echo "apt knows no way to install:$missing" >&2
        # shellcheck disable=SC2086
        LC_ALL=C apt-get install -s --no-install-recommends $missing 2>&1 | grep -E '^(E:|[^ ]+ *: )' >&2 || true
        exit 1
    fi
fi
cost
confirm "Install them with sudo apt-get?"

# ---- install; a list older than the archive is fetched anew, once ----

# shellcheck disable=SC2086
if ! apt install -y --no-install-recommends $missing; then
    echo "The installation failed; once more with new package lists (apt-get update)."
    apt update
    apt install -y --no-install-recommends $missing
fi
