import { gatesText } from '../../text/gates.en.ts'
import { TwoFactorSetup } from '../../ui/two-factor/two-factor-setup.tsx'
import { GatePage } from './gate-page.tsx'
import { OtherOrganizations } from '../../shell/organizations/other-organizations.tsx'

export function TwoFactorGate({ onPassed }: { onPassed: () => void }) {
  return (
    <GatePage {...gatesText.twoFactor}>
      <TwoFactorSetup onDone={onPassed} />
      <OtherOrganizations title={gatesText.switchTitle} />
    </GatePage>
  )
}
