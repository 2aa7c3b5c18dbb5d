#!/bin/sh
# Starts a child process that works on tenant text: $1 is the most kB of memory one process may ask for, the rest is
# the command. What is set here is inherited by everything the child starts (bundler, compiler, linter, runtime).
#
# When the machine runs out of memory, these processes go first: never the service or its database.
(echo 900 > /proc/self/oom_score_adj) 2> /dev/null && echo 900 > /proc/self/oom_score_adj
ulimit -d "$1" 2> /dev/null
shift
# A child must not outlive the service, and only the kernel can promise that when the service is killed.
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --no-new-privs --pdeathsig KILL -- "$@"
fi
exec "$@"
