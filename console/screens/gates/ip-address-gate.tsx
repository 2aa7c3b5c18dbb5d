import type { SlipwayError } from '@slipway/sdk/errors.ts'
import { gatesText } from '../../text/gates.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { GatePage } from './gate-page.tsx'
import { OtherOrganizations } from '../../shell/organizations/other-organizations.tsx'
import { text } from '../../text/en.ts'

const addressGateText = gatesText.address

/**
 * Shown when the organization does not allow this browser's IP address. The service's message, which names the address, is shown unchanged,
 * because its wording may change.
 */
export function IpAddressGate({ error, onPassed }: { error: SlipwayError; onPassed: () => void }) {
  return (
    <GatePage title={addressGateText.title} lead={addressGateText.lead}>
      <div className="flex items-center gap-2 rounded-lg bg-kumo-recessed py-2.5 pr-2 pl-3.5 ring-1 ring-kumo-line">
        <p className="min-w-0 flex-1">
          <span className="block text-[13px] text-kumo-subtle">{addressGateText.message}</span>
          <span className="break-words text-kumo-strong">{error.message}</span>
        </p>
        <CopyButton value={error.message} label={`${text.common.copy}: ${addressGateText.message}`} />
      </div>
      <p className="text-pretty">{addressGateText.next}</p>
      <Button variant="primary" size="lg" onClick={onPassed}>
        {addressGateText.again}
      </Button>
      <OtherOrganizations title={gatesText.switchTitle} />
    </GatePage>
  )
}
