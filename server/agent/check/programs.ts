import { childrenOf, processOf } from '../children/processes.ts'

/** Kills the programs of one name that this process has started. Elsewhere than on Linux they end with the checker. */
export function killPrograms(name: 'tsc' | 'workerd'): void {
  for (const pid of childrenOf(process.pid)) {
    if (processOf(pid).name !== name) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
