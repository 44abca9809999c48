#!/bin/sh
# Home Assistant's folder for data belongs to root; scorekeeper runs as a user without rights.
set -eu
chown -R 10001:10001 /data
SCOREKEEPER_HOSTS=$(/opt/scorekeeper/bin/python -c \
    'import json; print(json.load(open("/data/options.json"))["hosts"])')
export SCOREKEEPER_HOSTS
exec setpriv --reuid 10001 --regid 10001 --clear-groups \
    /opt/scorekeeper/bin/scorekeeper serve --host 0.0.0.0
