#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A live device at a TAP that is there already, in the namespace that this is started in; ends with 77 where none can be made.
# Usage: tap.sh PYTHON
python=$1 here=$(dirname "$0")
{ ip tuntap add dev tapx mode tap && ip address add 10.0.0.1/24 dev tapx && ip link set tapx up; } || exit 77
said=$(mktemp)
"$python" -m study.commands.main live hp-jetdirect-610n --tap tapx > "$said" 2>&1 &
device=$!
for attempt in $(seq 300); do
    if grep -q "until\|Ctrl-C ends it" "$said"; then break; fi
    sleep 0.1
done
"$python" "$here/live_sender.py" job 1 50000
second=$("$python" -m study.commands.main live hp-jetdirect-610n --tap tapx -- true 2>&1)
status=$?
kill -TERM "$device"
wait "$device"
cat "$said"
rm "$said"
echo "second: $second"
echo "$status"
