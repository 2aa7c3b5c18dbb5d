#!/bin/sh
# Becomes workerd. SLIPWAY_RUN_FILE gets pid and start time before the exec, so that the next start of the
# local world can end it; on Linux the kernel ends it with its parent.
if [ -n "$SLIPWAY_RUN_FILE" ]; then
  started=
  if [ -r "/proc/$$/stat" ]; then
    read -r stat < "/proc/$$/stat"
    # Field 22; the name in parentheses may hold spaces, so fields are counted after it.
    started=$(set -- ${stat##*) } && shift 19 && echo "$1")
  fi
  printf '{"pid":%s,"startedAt":"%s"}\n' "$$" "$started" > "$SLIPWAY_RUN_FILE"
fi
guard=
if [ "$(uname)" = Linux ] && command -v setpriv > /dev/null 2>&1; then
  guard='setpriv --pdeathsig KILL --'
  # The first to go when memory is short, before the service and its database.
  if command -v choom > /dev/null 2>&1 && choom -n 900 -- true 2> /dev/null; then guard="$guard choom -n 900 --"; fi
fi
exec $guard "$SLIPWAY_WORKERD" "$@"
