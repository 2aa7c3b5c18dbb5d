import { type Account, becoming, canRun } from './account.ts'

/**
 * How much memory the system lets workerd reserve. A backstop behind the watchdog, which measures what is in use: the
 * runtime reserves half a gigabyte from the start on (measured).
 */
const DATA_BYTES_MAX = 1.5 * 1024 ** 3

/**
 * The command prefix that makes the kernel end a program when its parent dies and choose it first when memory is short,
 * and that runs it as an account without rights. Where the tools are missing (macOS, small images) the sweep at the
 * next start ends what was left behind.
 */
export function processGuard(account: Account | null): string {
  if (process.platform !== 'linux') return ''
  const firstToGo = ['choom', '-n', '1000', '--']
  // One command for both: the death signal is cleared by a change of the account.
  const confined = account === null ? ['setpriv'] : becoming(account)
  const deathSignal = [...confined, '--pdeathsig', 'KILL', '--']
  return [firstToGo, deathSignal].filter(canRun).flat().join(' ')
}

/** The prefix for workerd: its memory is limited as well. */
export function workerdGuard(account: Account | null): string {
  if (process.platform !== 'linux') return ''
  const limit = ['prlimit', `--data=${DATA_BYTES_MAX}`, '--']
  return `${canRun(limit) ? `${limit.join(' ')} ` : ''}${processGuard(account)}`
}
