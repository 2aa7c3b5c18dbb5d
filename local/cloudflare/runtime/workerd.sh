#!/bin/sh
# Becomes workerd. SLIPWAY_RUN_FILE gets pid and start time before the exec, so that the next start of the
# local world can kill it; SLIPWAY_GUARD (world/account.ts) makes the kernel kill it with its parent and takes
# its rights away.
started=
if [ -r "/proc/$$/stat" ]; then
  read -r stat < "/proc/$$/stat"
  # Field 22; the name in parentheses may contain spaces, so fields are counted after it.
  started=$(set -- ${stat##*) } && shift 19 && echo "$1")
fi
printf '{"pid":%s,"startedAt":"%s"}\n' "$$" "$started" > "$SLIPWAY_RUN_FILE"
# A killed process leaves its socket files, and workerd does not listen on an existing one.
rm -f "$SLIPWAY_SOCKETS"/*
exec $SLIPWAY_GUARD "$SLIPWAY_WORKERD" "$@"
