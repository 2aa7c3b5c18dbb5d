import type { Endpoint } from '../../server/http/endpoint.ts'
import { collectLines } from './collected.ts'
import exceptions from './listed-effects.json' with { type: 'json' }
import type { TestResult } from './test-group.ts'

/**
 * Collects the endpoints for which a test lists everything that a successful call leaves behind (server/testing/effects.ts). `compare`
 * passes when these are all endpoints that may change something, except for a list of endpoints that may only shrink.
 */
export function collectEffects(): { compare(): Promise<TestResult> } {
  const listed = collectLines('SLIPWAY_LISTED_CALLS')
  return {
    async compare() {
      const began = performance.now()
      const { ENDPOINTS } = await import('../../server/tables/endpoints.ts')
      const faults = compareEffects(ENDPOINTS.filter(mayChange), listed(), exceptions)
      return {
        name: 'listed effects',
        isGreen: faults.length === 0,
        tests: ENDPOINTS.filter(mayChange).length,
        ms: performance.now() - began,
        output: faults.map((sentence) => `${sentence}\n`).join(''),
      }
    },
  }
}

/**
 * A GET endpoint changes nothing unless it is a redirect endpoint: a provider's sign-in page redirects to such an endpoint, and the result
 * is stored.
 */
const mayChange = ({ method, kind }: Endpoint) => method !== 'GET' || kind === 'redirect'

/** Returns a sentence for each endpoint that no test lists and for each exception that is not needed. */
export function compareEffects(
  endpoints: readonly { name: string }[],
  listed: ReadonlySet<string>,
  exceptions: readonly string[],
): string[] {
  const missing = endpoints.map(({ name }) => name).filter((name) => !listed.has(name))
  return [
    ...missing
      .filter((name) => !exceptions.includes(name))
      .map((name) => `no test lists what “${name}” leaves behind: events, activity and jobs`),
    ...exceptions
      .filter((name) => !missing.includes(name))
      .map((name) => `the exception “${name}” is needed no more: remove it`),
  ]
}
