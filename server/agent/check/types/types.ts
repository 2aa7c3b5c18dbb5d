import { type CheckError, errorAt } from '../../check-report.ts'
import { isProgramRunning, killPrograms, markStopped, timeoutOnBusyMachine } from '../program.ts'
import type { TreeChanges } from '../folder.ts'
import type { TypeServer } from './type-server.ts'
import { compileCold } from './cold.ts'

const WARM_TIMEOUT_MS = 8_000
const COLD_CHECK_MS_MAX = 20_000
const DEAD_COMPILER_POLL_MS = 100

/**
 * Type-checks the tree written at `target` with the warm compiler, which reads only the changed files. When the warm compiler fails, ends
 * or times out, a cold compiler is used, which is slower but returns the same errors.
 */
export async function checkTypes(
  server: Pick<TypeServer, 'check' | 'hasStarted'>,
  tree: ReadonlyMap<string, string>,
  target: string,
  changes: TreeChanges,
): Promise<CheckError[]> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error('the warm compiler does not respond')),
    timeoutOnBusyMachine(WARM_TIMEOUT_MS),
  )
  // The compiler's library does not report the end of the compiler process, after which its promises never settle.
  const watch = setInterval(() => {
    if (server.hasStarted && !isProgramRunning('tsc')) reject(new Error('the warm compiler has ended'))
  }, DEAD_COMPILER_POLL_MS)
  try {
    return await Promise.race([server.check(tree, target, changes), tooLate])
  } catch {
    markStopped()
    // The warm compiler may still be running, and two compilers need twice the memory.
    killPrograms('tsc')
    const timeoutMs = timeoutOnBusyMachine(COLD_CHECK_MS_MAX)
    return (await compileCold(tree, target, timeoutMs, changes.packages)) ?? [timeoutError(tree, timeoutMs)]
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
  }
}

function timeoutError(tree: ReadonlyMap<string, string>, timeoutMs: number): CheckError {
  const message = `The type check took longer than ${Math.round(timeoutMs / 1000)} s: a type has no end, or the machine is busy.`
  return errorAt(tree, { phase: 'types', file: 'tsconfig.json', code: 'timeout', message })
}
