import type { DeployState } from '@slipway/sdk/client/types.gen.ts'
import { workText } from '../../text/workspace.en.ts'
import { VersionName } from '../versions/version-name.tsx'

/** Shown in place of `Comparison` when the newest build and the deployed version are the same. */
export function SameVersion(props: { projectId: string; sha: string; isLive: boolean }) {
  return (
    <dl className="rounded-lg px-4 py-2.5 ring-1 ring-kumo-line">
      <dt className="text-xs text-kumo-subtle">
        {props.isLive ? workText.ship.isLive : workText.ship.newest}
      </dt>
      <dd className="text-[13px]">
        <VersionName projectId={props.projectId} sha={props.sha} />
      </dd>
    </dl>
  )
}

export function Comparison({ projectId, deployment }: { projectId: string; deployment: DeployState }) {
  return (
    <dl className="grid grid-cols-2 divide-x divide-kumo-line rounded-lg ring-1 ring-kumo-line">
      <div className="min-w-0 px-4 py-2.5">
        <dt className="text-xs text-kumo-subtle">{workText.ship.willBeLive}</dt>
        <dd className="text-[13px]">
          {deployment.builtSha ? <VersionName projectId={projectId} sha={deployment.builtSha} /> : '–'}
        </dd>
      </div>
      <div className="min-w-0 px-4 py-2.5">
        <dt className="text-xs text-kumo-subtle">{workText.ship.isLive}</dt>
        <dd className="text-[13px] text-kumo-subtle">
          {deployment.sha ? (
            <VersionName projectId={projectId} sha={deployment.sha} />
          ) : (
            workText.ship.nothingLive
          )}
        </dd>
      </div>
    </dl>
  )
}
