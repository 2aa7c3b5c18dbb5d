#!/bin/sh
# Starts a child process that works on tenant text. $1 is the most memory in kB that one process may allocate, the rest is
# the command. Every program that the child starts (bundler, compiler, linter, runtime) inherits the settings made here.
#
# When the machine runs out of memory, the kernel kills these processes first, and not the service or its database.
(echo 900 > /proc/self/oom_score_adj) 2> /dev/null && echo 900 > /proc/self/oom_score_adj
ulimit -d "$1" 2> /dev/null
shift
# A child must not outlive the service. When the service is killed, only the kernel can end the child.
if [ -x /usr/bin/setpriv ]; then
  exec /usr/bin/setpriv --no-new-privs --pdeathsig KILL -- "$@"
fi
exec "$@"
