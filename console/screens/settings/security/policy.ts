import type { SecurityPolicy } from '@slipway/sdk/client/types.gen.ts'
import type { Failure } from '../../../api/request/failures.ts'
import type { Policy } from '../../../api/organization/security.ts'
import { securityText } from '../../../text/security.en.ts'

/** The addresses of a text with one on each line; blanks and commas part them too. */
export const readAddresses = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** The text with an address more. */
export const withAddress = (text: string, address: string): string =>
  [...readAddresses(text), address].join('\n')

/** What of the stored policy a person decides. */
export const policyOf = (stored: SecurityPolicy): Policy => ({
  requireSso: stored.requireSso,
  requireTwoFactor: stored.requireTwoFactor,
  sessionLifetimeDays: stored.sessionLifetimeDays,
  allowedIps: stored.allowedIps,
})

/** Whether saving ends every session: a session that was good enough may no longer be. */
export function signsOut(before: Policy, next: Policy): boolean {
  return (
    (next.requireSso && !before.requireSso) ||
    (next.requireTwoFactor && !before.requireTwoFactor) ||
    (next.sessionLifetimeDays ?? Infinity) < (before.sessionLifetimeDays ?? Infinity)
  )
}

/** What saving will do to people and programs, sentence by sentence; nothing when it only loosens. */
export function consequencesOf(before: Policy, next: Policy, hasTwoFactor: boolean): string[] {
  const added = next.allowedIps.join() !== before.allowedIps.join() && next.allowedIps.length > 0
  return [
    ...(signsOut(before, next) ? [securityText.consequences.signedOut] : []),
    ...(next.requireTwoFactor && !before.requireTwoFactor && !hasTwoFactor
      ? [securityText.consequences.enrolNext]
      : []),
    ...(added ? [securityText.consequences.addresses] : []),
  ]
}

/** The refusal that belongs to the field of addresses; it may name one of them by its place. */
export function addressProblem(failure: Failure | null, addresses: string[]): string | undefined {
  const match = /^allowedIps(?:[.[](\d+))?/.exec(failure?.field ?? '')
  if (failure === null || match === null) return undefined
  const named = match[1] === undefined ? undefined : addresses[Number(match[1])]
  return named === undefined ? failure.sentence : `${named}: ${failure.sentence}`
}
