import type { SlipwayError } from '@slipway/sdk/errors.ts'

/** What is kept of a failed call: no text that a person wrote, and no id except that of the request. */
export interface FailedCall {
  method: string
  route: string
  status: number
  code: string
  requestId: string | null
  at: string
}

const KEPT = 5
const ID = /^[a-z]{2,5}_[0-9A-Za-z]{8,}$/

let ring: readonly FailedCall[] = []
const listeners = new Set<(call: FailedCall) => void>()

/** Keeps the last five failed calls for a report to support. */
export function recordFailure(error: SlipwayError): void {
  const { method, path, status, code, requestId } = error
  const call = { method, route: routeOf(path), status, code, requestId, at: new Date().toISOString() }
  ring = [...ring, call].slice(-KEPT)
  for (const listener of listeners) listener(call)
}

/** The last failed calls, oldest first. */
export const recentFailures = (): readonly FailedCall[] => ring

/** Calls `listener` after each failed call from now on, for as long as the page lives. */
export function onFailedCall(listener: (call: FailedCall) => void): void {
  listeners.add(listener)
}

/** Replaces ids by `:id`, so that a report contains the endpoint but no record's id. */
function routeOf(path: string): string {
  return path
    .split('/')
    .map((part) => (ID.test(part) ? ':id' : part))
    .join('/')
}
