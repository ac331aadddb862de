#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a folder with a whole Debian sid that has Emscripten, for `make static-page` where no `emcc` is installed.
# Usage: tools/emscripten_chroot.sh FOLDER   (as root on Debian; installs debootstrap if it is missing; 2 GB, some minutes)
set -eu
root=${1:?the folder to make}
mirror=${DEBIAN_MIRROR:-}  # debootstrap knows one

test -x "$root/usr/bin/emcc" && exit 0
test "$(id -u)" = 0 || { echo "Only root can make a chroot: install Emscripten 4 or later, or run this as root." >&2; exit 1; }
if ! command -v debootstrap >/dev/null; then
  command -v apt-get >/dev/null || { echo "debootstrap is missing, and there is no apt-get to install it with." >&2; exit 1; }
  apt-get update -qq -o Acquire::Check-Valid-Until=false  # a mirror may be some days old: its signature counts
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq debootstrap >/dev/null
fi

test -e "$root/etc/debian_version" || debootstrap --variant=minbase sid "$root" $mirror
for file in /etc/resolv.conf /etc/hosts; do cp -L "$file" "$root$file"; done
mkdir -p "$root/etc/ssl/certs"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
for file in /etc/apt/apt.conf.d/*proxy*; do if test -e "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi; done
# A mirror may be some days old: its signature counts, not its date.
chroot "$root" apt-get update -qq -o Acquire::Check-Valid-Until=false
DEBIAN_FRONTEND=noninteractive chroot "$root" \
  apt-get install -y -qq --no-install-recommends emscripten cmake ninja-build libpython3-dev
chroot "$root" apt-get clean
