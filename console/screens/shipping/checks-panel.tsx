import { CheckCircleIcon, ClockIcon, WarningCircleIcon } from '@phosphor-icons/react'
import type { DeployState } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { connectionsQuery, modelConnectionsQuery } from '../../api/organization/connections.ts'
import { readinessQuery } from '../../api/project/deployments.ts'
import { text } from '../../text/en.ts'
import { shipText } from '../../text/shipping.en.ts'
import { Bar } from '../../ui/page/skeleton.tsx'
import { FailureNote, LoadFailure } from '../../ui/page/failure.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { type PreflightCheck, listChecks } from './preflight.ts'
import { useRecordAccess } from './use-record-access.ts'

const { checks: words } = shipText
const STATE_ICONS = {
  ready: CheckCircleIcon,
  waiting: ClockIcon,
  open: WarningCircleIcon,
  missing: WarningCircleIcon,
  blocked: WarningCircleIcon,
}
const STATE_COLOURS = {
  ready: 'text-added',
  waiting: 'text-tide',
  open: 'text-kumo-warning',
  missing: 'text-kumo-warning',
  blocked: 'text-removed',
}

/**
 * Returns the conditions for deploying the newest build, met or not. `isLoading` is true until all are loaded or have failed. `isLoading`
 * does not wait for the `readiness` (which capabilities of the app can be deployed), because the service reads it from the cloud account,
 * which can take 8 seconds.
 */
export function useChecks(projectId: string, deployment: DeployState) {
  const connections = useQuery(connectionsQuery())
  const models = useQuery(modelConnectionsQuery())
  const cloud = connections.data?.cloudflare
  // Without a cloud account the readiness cannot be read. `cloudChecks` then lists the missing account instead.
  const isReachable = cloud?.connected === true && cloud.account !== null
  const readiness = useQuery({ ...readinessQuery(projectId), enabled: isReachable })
  const records = useRecordAccess(projectId, deployment.builtSha)
  const checks = listChecks({
    projectId,
    deployment,
    cloud,
    hasModel: models.data && models.data.length > 0,
    readiness: readiness.data,
    access: records.access,
  })
  const reads = [connections, models, ...records.reads]
  return { checks, readiness, reads, isLoading: reads.some((read) => read.isLoading) }
}

export function ChecksPanel({
  checks,
  readiness,
  reads,
}: Pick<ReturnType<typeof useChecks>, 'checks' | 'readiness' | 'reads'>) {
  return (
    <Panel title={words.title}>
      <ul className="space-y-2">
        {checks.map((check) => (
          <CheckLine key={check.key} check={check} />
        ))}
        {/* A placeholder for the line that says that all capabilities are ready. */}
        {readiness.isLoading && (
          <li className="flex h-6 items-center gap-x-2.5">
            <span className="sr-only">{text.common.loading}</span>
            <Bar className="w-[18px] shrink-0" />
            <Bar className="w-1/3" />
          </li>
        )}
      </ul>
      {/* A condition that could not be read adds no line. Show its error, so that it does not pass for a met condition. */}
      {reads.map((read, index) => (
        <LoadFailure key={index} query={read} />
      ))}
      {readiness.isError && (
        <div className="mt-3">
          <FailureNote
            title={words.unknown}
            error={readiness.error}
            onRetry={() => void readiness.refetch()}
          />
        </div>
      )}
    </Panel>
  )
}

function CheckLine({ check }: { check: PreflightCheck }) {
  const Icon = STATE_ICONS[check.state]
  return (
    <li className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
      <Icon
        weight="fill"
        className={`size-[18px] shrink-0 translate-y-1 ${STATE_COLOURS[check.state]}`}
        aria-hidden="true"
      />
      <span className="min-w-0 flex-1 break-words">
        <span className="sr-only">{words[check.state]}: </span>
        {check.sentence}
      </span>
      {check.fix && (
        <a
          href={check.fix.to}
          className="rounded-sm leading-6 text-kumo-link sm:shrink-0 underline underline-offset-2 hover:no-underline"
        >
          {check.fix.label}
        </a>
      )}
    </li>
  )
}
