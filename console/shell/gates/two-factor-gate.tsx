import { gatesText } from '../../text/gates.en.ts'
import { TwoFactorSetup } from '../../ui/two-factor/two-factor-setup.tsx'
import { GatePage } from './gate-page.tsx'
import { OtherOrganizations } from '../organizations/other-organizations.tsx'

/** The organization requires a second factor: it is set up here, then the page opens. */
export function TwoFactorGate({ onPassed }: { onPassed: () => void }) {
  return (
    <GatePage {...gatesText.twoFactor}>
      <TwoFactorSetup onDone={onPassed} />
      <OtherOrganizations title={gatesText.switchTitle} />
    </GatePage>
  )
}
