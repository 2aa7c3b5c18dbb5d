#!/bin/sh
# Playwright starts this instead of the browser, in a process group of its own. A checker can be killed at any moment;
# the browser must not outlive it, and on Linux only the kernel can promise that.
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --no-new-privs --pdeathsig KILL -- "$SLIPWAY_BROWSER" "$@"
fi
exec "$SLIPWAY_BROWSER" "$@"
