#!/bin/sh
# The warm compiler of a checker must not outlive the checker (see sandbox/workerd.sh).
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --pdeathsig KILL -- "$SLIPWAY_COMPILER" "$@"
fi
exec "$SLIPWAY_COMPILER" "$@"
