import type { Endpoint } from '../../server/http/endpoint.ts'
import { collectLines } from './collected.ts'
import type { TestResult } from './test-group.ts'

/**
 * Collects the errors that endpoint handlers throw in test processes started from now on (server/testing/provoked.ts). `compare` passes
 * when tests provoked every declared error.
 */
export function collectErrors(): { compare(): Promise<TestResult> } {
  const provoked = collectLines('SLIPWAY_PROVOKED_ERRORS')
  return {
    async compare() {
      const began = performance.now()
      const { ENDPOINTS } = await import('../../server/tables/endpoints.ts')
      const declared = ENDPOINTS.flatMap((endpoint) =>
        thrownBy(endpoint).map((code) => `${endpoint.name}: ${code}`),
      )
      const missing = unprovokedErrors(declared, provoked())
      return {
        name: 'declared errors',
        isGreen: missing.length === 0,
        tests: declared.length,
        ms: performance.now() - began,
        output: missing.map((sentence) => `${sentence}\n`).join(''),
      }
    },
  }
}

/**
 * The declared errors that the handler itself throws. Errors that `server/http` throws before the handler are left out, because the tests
 * of `server/http` provoke them.
 */
const thrownBy = ({ fails, limit, idempotent, refusesKeys }: Endpoint) =>
  fails.filter(
    (code) =>
      !(code === 'rate_limited' && limit !== undefined && limit.countedBy !== 'handler') &&
      !(code === 'conflict' && idempotent === true) &&
      !(code === 'forbidden' && refusesKeys === true),
  )

/** Returns a sentence for each declared error that was not provoked. */
export const unprovokedErrors = (declared: readonly string[], provoked: ReadonlySet<string>): string[] =>
  declared
    .filter((error) => !provoked.has(error))
    .map((error) => `no test provokes “${error}”, which the endpoint declares`)
