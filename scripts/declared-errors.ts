import type { Endpoint } from '../server/http/endpoint.ts'
import { collectLines } from './collected.ts'
import exceptions from './declared-errors.json' with { type: 'json' }
import type { TestResult } from './test-group.ts'

/**
 * Collects the errors that endpoint handlers throw in test processes started from now on (server/testing/provoked.ts). `compare` passes
 * when tests provoked every declared error, except those in a list that is meant to shrink.
 */
export function collectErrors(): { compare(): Promise<TestResult> } {
  const provoked = collectLines('SLIPWAY_PROVOKED_ERRORS')
  return {
    async compare() {
      const began = performance.now()
      const { ENDPOINTS } = await import('../server/endpoints.ts')
      const declared = ENDPOINTS.flatMap((endpoint) =>
        thrownBy(endpoint).map((code) => `${endpoint.name}: ${code}`),
      )
      const { missing, needless } = compareErrors(declared, provoked(), exceptions)
      // An exception that was not needed does not fail the run: which endpoint a test's outage hits depends
      // on timing, so the next run may need it.
      if (needless.length > 0) process.stdout.write(`${needless.join('\n')}\n`)
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
 * The declared errors that the handler itself throws. Those that `server/http` throws before it are left out,
 * because the tests of `server/http` provoke them.
 */
const thrownBy = ({ fails, limit, idempotent, refusesKeys }: Endpoint) =>
  fails.filter(
    (code) =>
      !(code === 'rate_limited' && limit !== undefined && limit.countedBy !== 'handler') &&
      !(code === 'conflict' && idempotent === true) &&
      !(code === 'forbidden' && refusesKeys === true),
  )

/** Returns a sentence for each declared error that was not provoked, and one for each exception that was not needed. */
export function compareErrors(
  declared: readonly string[],
  provoked: ReadonlySet<string>,
  exceptions: readonly string[],
): { missing: string[]; needless: string[] } {
  const unprovoked = declared.filter((error) => !provoked.has(error))
  return {
    missing: unprovoked
      .filter((error) => !exceptions.includes(error))
      .map((error) => `no test provokes “${error}”, which the endpoint declares`),
    needless: exceptions
      .filter((error) => !unprovoked.includes(error))
      .map((error) => `the exception “${error}” is needed no more: remove it`),
  }
}
