import type { SlipwayError } from '@slipway/sdk/errors.ts'
import { IpAddressGate } from './ip-address-gate.tsx'
import { NoOrganizationGate } from './no-organization-gate.tsx'
import { TwoFactorGate } from './two-factor-gate.tsx'

export function Gate({ error, onPassed }: { error: SlipwayError; onPassed: () => void }) {
  if (error.code === 'two_factor_required') return <TwoFactorGate onPassed={onPassed} />
  if (error.code === 'ip_not_allowed') return <IpAddressGate error={error} onPassed={onPassed} />
  return <NoOrganizationGate />
}
