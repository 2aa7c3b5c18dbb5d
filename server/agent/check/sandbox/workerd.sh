#!/bin/sh
# Miniflare starts this script instead of workerd. A checker can be killed at any moment, and its runtime must not
# outlive it. On Linux the kernel can be asked to end the runtime then.
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --pdeathsig KILL -- "$SLIPWAY_WORKERD" "$@"
fi
exec "$SLIPWAY_WORKERD" "$@"
