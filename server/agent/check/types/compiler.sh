#!/bin/sh
# The compiler that stays warm beside a checker must not outlive it either (see workerd.sh).
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --pdeathsig KILL -- "$SLIPWAY_COMPILER" "$@"
fi
exec "$SLIPWAY_COMPILER" "$@"
