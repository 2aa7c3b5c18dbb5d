#!/bin/sh
# Playwright starts this script instead of the browser, in a process group of its own. A checker can be killed at any
# moment, and its browser must not outlive it. On Linux the kernel can be asked to end the browser then.
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --no-new-privs --pdeathsig KILL -- "$SLIPWAY_BROWSER" "$@"
fi
exec "$SLIPWAY_BROWSER" "$@"
