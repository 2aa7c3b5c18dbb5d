import { PlugsIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { capabilityQuery } from '../../../api/project/capabilities.ts'
import { projectQuery } from '../../../api/project/projects.ts'
import { href } from '../../../routes.ts'
import { hookText } from './text.en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { AddressRow } from '../tab-parts/address-row.tsx'
import { hasSecret } from '../capability-metadata.ts'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { endpointAddress, EndpointForm, endpointsOf } from './endpoint-form.tsx'

export function HookEndpoints({ projectId }: { projectId: string }) {
  const capability = useQuery(capabilityQuery(projectId, 'hook'))
  const project = useQuery(projectQuery(projectId))
  if (capability.isPending || project.isPending) return <LiveSkeleton />
  if (!capability.data || !project.data)
    return (
      <LiveFailure
        projectId={projectId}
        error={capability.error ?? project.error}
        onRetry={() => void Promise.all([capability.refetch(), project.refetch()])}
      />
    )
  const endpoints = endpointsOf(capability.data)
  return (
    <div className="space-y-5">
      {Object.keys(endpoints).length === 0 ? (
        <EmptyNote icon={<PlugsIcon />} title={hookText.empty} hint={hookText.emptyHint} />
      ) : (
        <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
          {Object.entries(endpoints).map(([name, { scheme }]) => (
            <li key={name}>
              <AddressRow
                projectId={projectId}
                capabilityKey="hook"
                name={name}
                note={`${scheme ?? hookText.declared} · ${hasSecret(capability.data, `${name}Secret`) ? hookText.open : hookText.closed}`}
                address={endpointAddress(project.data.url, name)}
                words={hookText}
                removeConsequence={hookText.removeConsequence}
                removal={(stored) => {
                  const { [name]: _removed, ...others } = endpointsOf(stored)
                  return {
                    enabled: stored.enabled,
                    settings: { endpoints: others },
                    secrets: { [`${name}Secret`]: null },
                  }
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <p className="text-[13px] text-kumo-subtle">
        {hookText.messages}{' '}
        <a
          href={href.capability(projectId, 'data', { tab: 'live' })}
          className="rounded-sm text-kumo-link underline underline-offset-3"
        >
          {hookText.toMessages}
        </a>
      </p>
      <EndpointForm projectId={projectId} appUrl={project.data.url} />
    </div>
  )
}
