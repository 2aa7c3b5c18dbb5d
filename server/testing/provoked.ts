import { appendFileSync } from 'node:fs'
import type { Endpoint } from '../http/endpoint.ts'
import { toApiError } from '../http/envelope.ts'

/** The file in which a run of all tests collects the errors that the tests provoke (scripts/suite/declared-errors.ts). */
const REPORT = process.env['SLIPWAY_PROVOKED_ERRORS']

const reportedErrors = new Set<string>()

/** Wraps endpoints so that each error that a handler throws is reported once, in the form `createTicket: conflict`. */
export function reportErrors(endpoints: Endpoint[]): Endpoint[] {
  if (REPORT === undefined) return endpoints
  return endpoints.map((endpoint) => ({
    ...endpoint,
    handle: async (input) => {
      try {
        return await endpoint.handle(input)
      } catch (error) {
        const one = `${endpoint.name}: ${toApiError(error).code}\n`
        // Appended immediately, because the test runner may end this process at any time.
        if (!reportedErrors.has(one)) appendFileSync(REPORT, one)
        reportedErrors.add(one)
        throw error
      }
    },
  }))
}
