import type { SecurityPolicy } from '@slipway/sdk/client/types.gen.ts'
import type { Failure } from '../../../api/request/failures.ts'
import type { Policy } from '../../../api/organization/security.ts'
import { securityText } from '../../../text/security.en.ts'

/** The addresses in a text, separated by line breaks, blanks or commas. */
export const readAddresses = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

export const withAddress = (text: string, address: string): string =>
  [...readAddresses(text), address].join('\n')

/** The part of the stored policy that a person can set. */
export const policyOf = (stored: SecurityPolicy): Policy => ({
  requireSso: stored.requireSso,
  requireTwoFactor: stored.requireTwoFactor,
  sessionLifetimeDays: stored.sessionLifetimeDays,
  allowedIps: stored.allowedIps,
  anyPackages: stored.anyPackages,
})

/** Whether saving ends every session, because a session that met the old policy may not meet the new one. */
export function endsSessions(before: Policy, next: Policy): boolean {
  return (
    (next.requireSso && !before.requireSso) ||
    (next.requireTwoFactor && !before.requireTwoFactor) ||
    (next.sessionLifetimeDays ?? Infinity) < (before.sessionLifetimeDays ?? Infinity)
  )
}

/** Returns sentences that say what saving means for people and API keys. Returns none when the policy only becomes less strict. */
export function consequencesOf(before: Policy, next: Policy, hasTwoFactor: boolean): string[] {
  const added = next.allowedIps.join() !== before.allowedIps.join() && next.allowedIps.length > 0
  return [
    ...(endsSessions(before, next) ? [securityText.consequences.signedOut] : []),
    ...(next.requireTwoFactor && !before.requireTwoFactor && !hasTwoFactor
      ? [securityText.consequences.enrolNext]
      : []),
    ...(added ? [securityText.consequences.addresses] : []),
  ]
}

/** The error to show at the field of allowed IP addresses. For an error in one entry, such as `allowedIps[2]`, it names that address. */
export function addressProblem(failure: Failure | null, addresses: string[]): string | undefined {
  const match = /^allowedIps(?:[.[](\d+))?/.exec(failure?.field ?? '')
  if (failure === null || match === null) return undefined
  const named = match[1] === undefined ? undefined : addresses[Number(match[1])]
  return named === undefined ? failure.sentence : `${named}: ${failure.sentence}`
}
