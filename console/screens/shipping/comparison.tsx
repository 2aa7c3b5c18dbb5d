import type { DeployState } from '@slipway/sdk/client/types.gen.ts'
import { workText } from '../../text/workspace.en.ts'

/** Which version would be live beside the one that is. */
export function Comparison({ deployment }: { deployment: DeployState }) {
  return (
    <dl className="grid grid-cols-2 divide-x divide-kumo-line rounded-lg ring-1 ring-kumo-line">
      <div className="px-4 py-2.5">
        <dt className="text-xs text-kumo-subtle">{workText.ship.willBeLive}</dt>
        <dd className="font-mono text-[13px] text-kumo-strong">{deployment.builtSha?.slice(0, 7) ?? '–'}</dd>
      </div>
      <div className="px-4 py-2.5">
        <dt className="text-xs text-kumo-subtle">{workText.ship.isLive}</dt>
        <dd className={deployment.sha ? 'font-mono text-[13px]' : 'text-[13px] text-kumo-subtle'}>
          {deployment.sha?.slice(0, 7) ?? workText.ship.nothingLive}
        </dd>
      </div>
    </dl>
  )
}
