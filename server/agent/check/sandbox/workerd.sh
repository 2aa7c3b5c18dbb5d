#!/bin/sh
# Miniflare starts this instead of workerd. A checker can be killed at any moment; the runtime it started must
# not outlive it, and on Linux only the kernel can promise that.
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --pdeathsig KILL -- "$SLIPWAY_WORKERD" "$@"
fi
exec "$SLIPWAY_WORKERD" "$@"
