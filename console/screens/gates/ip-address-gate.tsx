import type { SlipwayError } from '@slipway/sdk/errors.ts'
import { gatesText } from '../../text/gates.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { refusedAddress } from './refused-address.ts'
import { GatePage } from './gate-page.tsx'
import { OtherOrganizations } from '../../shell/organizations/other-organizations.tsx'
import { text } from '../../text/en.ts'

const words = gatesText.address

/** Shown when the organization does not allow this browser's IP address. */
export function IpAddressGate({ error, onPassed }: { error: SlipwayError; onPassed: () => void }) {
  const address = refusedAddress(error.message)
  return (
    <GatePage title={words.title} lead={words.lead}>
      {address !== null && (
        <div className="flex items-center gap-2 rounded-lg bg-kumo-recessed py-2.5 pr-2 pl-3.5 ring-1 ring-kumo-line">
          <p className="min-w-0 flex-1">
            <span className="block text-[13px] text-kumo-subtle">{words.refused}</span>
            <code className="font-mono text-[15px] break-all text-kumo-strong">{address}</code>
          </p>
          <CopyButton value={address} label={`${text.common.copy}: ${words.refused}`} />
        </div>
      )}
      <p className="text-pretty">{words.next}</p>
      <Button variant="primary" size="lg" onClick={onPassed}>
        {words.again}
      </Button>
      <OtherOrganizations title={gatesText.switchTitle} />
    </GatePage>
  )
}
