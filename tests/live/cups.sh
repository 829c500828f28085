#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# CUPS as it would be installed, in a folder of its own: prints a file to the device by the backends socket and lpd, from lp and from lpr.
# Usage: cups.sh FOLDER FILE
set -eu
folder=$1 file=$2
export CUPS_SERVER=127.0.0.1:6631
mkdir -p "$folder/spool/tmp" "$folder/cache" "$folder/state"
cat > "$folder/cups-files.conf" <<END
ServerRoot $folder
RequestRoot $folder/spool
TempDir $folder/spool/tmp
CacheDir $folder/cache
StateDir $folder/state
AccessLog $folder/access
ErrorLog $folder/error
PageLog $folder/page
END
cat > "$folder/cupsd.conf" <<END
Listen $CUPS_SERVER
WebInterface No
<Location />
  Order allow,deny
  Allow all
</Location>
<Policy default>
  <Limit All>
    Order allow,deny
    Allow all
  </Limit>
</Policy>
END
cupsd -f -c "$folder/cupsd.conf" -s "$folder/cups-files.conf" &
daemon=$!

# At most so many seconds, as the machine may be busy.
await() {
    for second in $(seq 60); do
        if eval "$1"; then return; fi
        sleep 0.5
    done
    echo "not within its time: $1" >&2
    exit 1
}
await 'lpstat -r | grep -q "is running"'
lpadmin -p socket -E -v socket://10.0.0.2:9100 -m raw 2>/dev/null
lpadmin -p lpd -E -v lpd://10.0.0.2/queue -m raw 2>/dev/null
for printer in socket lpd; do
    lp -d "$printer" -o raw "$file" >/dev/null
    lpr -P "$printer" -o raw "$file"
done
await '[ "$(lpstat -W completed -o | wc -l)" = 4 ]'
kill "$daemon"
wait "$daemon" || true
