import type { SlipwayError } from '@slipway/sdk/errors.ts'

/** The stored part of a failed call: no text that a person wrote, and no id except the request id. */
export interface FailedCall {
  method: string
  route: string
  status: number
  code: string
  requestId: string | null
  at: string
}

const CALLS_MAX = 5
const ID_PATTERN = /^[a-z]{2,5}_[0-9A-Za-z]{8,}$/

let failedCalls: readonly FailedCall[] = []
const failureListeners = new Set<(call: FailedCall) => void>()

/** Stores a failed call for a help request. Only the last five are kept. */
export function recordFailure(error: SlipwayError): void {
  const { method, path, status, code, requestId } = error
  const call = { method, route: pathWithoutIds(path), status, code, requestId, at: new Date().toISOString() }
  failedCalls = [...failedCalls, call].slice(-CALLS_MAX)
  for (const listener of failureListeners) listener(call)
}

/** The last failed calls, oldest first. */
export const recentFailures = (): readonly FailedCall[] => failedCalls

/** Calls `listener` after each failed call from now on, until the page is closed. */
export function onFailedCall(listener: (call: FailedCall) => void): void {
  failureListeners.add(listener)
}

/** Replaces ids by `:id`, so that a report contains the endpoint but no record's id. */
function pathWithoutIds(path: string): string {
  return path
    .split('/')
    .map((part) => (ID_PATTERN.test(part) ? ':id' : part))
    .join('/')
}
