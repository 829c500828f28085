#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# From a bare Debian to the notebooks, step by step: what the Containerfile, the dev container, Binder and the test that
# begins with an empty tree all run. Without an argument all steps but `notebooks`, in the study's own folder.
set -eu
cd "$(dirname "$0")/.."

packages() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update
    apt-get -qq install -y --no-install-recommends ca-certificates git g++ python3 python3-venv
}

# The programs, and a figure as the sign that all of it works.
figure() {
    ./waf build
    .venv/bin/study figure ladder
}

# JupyterLab, and the results of all notebooks, so that no student waits for a sweep.
notebooks() {
    ./waf notebooks --html
    .venv/bin/python -c 'from study.notebooks import pages; pages.make_working_copies()'
}

for step in ${*:-packages figure}; do
    case "$step" in
    packages | figure | notebooks) "$step" ;;
    *) echo "set-up.sh: $step: a step is packages, figure or notebooks" >&2 && exit 2 ;;
    esac
done
