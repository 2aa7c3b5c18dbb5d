import { spawnSync } from 'node:child_process'

/**
 * The command prefix that makes the kernel kill workerd when its parent dies, and choose it first when memory is
 * short. Where the tools are missing (macOS, small images) the sweep at the next start does the work alone.
 */
export function workerdGuard(): string {
  if (process.platform !== 'linux') return ''
  const works = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore' }).status === 0
  const deathSignal = works('setpriv', '--pdeathsig', 'KILL', '--', 'true')
    ? ['setpriv --pdeathsig KILL --']
    : []
  const firstToGo = works('choom', '-n', '900', '--', 'true') ? ['choom -n 900 --'] : []
  return [...deathSignal, ...firstToGo].join(' ')
}
