import { type CheckError, errorAt } from './errors.ts'
import { markStopped } from './stopped.ts'
import type { TypeServer } from './type-server.ts'
import { compileCold } from './types-cold.ts'

const TIMEOUT_MS = 20_000

/**
 * Type-checks the tree written at `target`: with the warm compiler, and when that one fails (its interface is new)
 * with a cold one, which answers the same, later.
 */
export async function checkTypes(
  server: TypeServer,
  tree: ReadonlyMap<string, string>,
  target: string,
): Promise<CheckError[]> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), TIMEOUT_MS)
  try {
    const errors = await Promise.race([server.check(tree, target), tooLate])
    return errors ?? [timeout(tree)]
  } catch {
    markStopped()
    return (await compileCold(tree, target, TIMEOUT_MS)) ?? [timeout(tree)]
  } finally {
    clearTimeout(timer)
  }
}

function timeout(tree: ReadonlyMap<string, string>): CheckError {
  markStopped()
  const message = `The type check took longer than ${TIMEOUT_MS / 1000} s: some type has no end.`
  return errorAt(tree, { phase: 'types', file: 'tsconfig.json', code: 'timeout', message })
}
