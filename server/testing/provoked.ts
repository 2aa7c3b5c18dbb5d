import { appendFileSync } from 'node:fs'
import type { Endpoint } from '../http/endpoint.ts'
import { toApiError } from '../http/envelope.ts'

/** Where the runner of all tests collects what they provoke (scripts/declared-errors.ts). */
const REPORT = process.env['SLIPWAY_PROVOKED_ERRORS']

const provoked = new Set<string>()

/** The same endpoints, which report each error that their handlers throw, once: `createTicket: conflict`. */
export function reportErrors(endpoints: Endpoint[]): Endpoint[] {
  if (REPORT === undefined) return endpoints
  return endpoints.map((endpoint) => ({
    ...endpoint,
    handle: async (input) => {
      try {
        return await endpoint.handle(input)
      } catch (error) {
        const one = `${endpoint.name}: ${toApiError(error).code}\n`
        // At once, because the runner may end this process at any time.
        if (!provoked.has(one)) appendFileSync(REPORT, one)
        provoked.add(one)
        throw error
      }
    },
  }))
}
