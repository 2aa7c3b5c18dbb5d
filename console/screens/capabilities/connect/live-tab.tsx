import { PlugsConnectedIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { capabilityQuery } from '../../../api/project/capabilities.ts'
import { projectQuery } from '../../../api/project/projects.ts'
import { connectText as words } from './text.en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { AddressRow } from '../tab-parts/address-row.tsx'
import { hasSecret } from '../capability-metadata.ts'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { redirectAddress, type ServiceSettings, ServiceForm, servicesOf } from './service-form.tsx'

export function ConnectServices({ projectId }: { projectId: string }) {
  const capability = useQuery(capabilityQuery(projectId, 'connect'))
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
  const services = servicesOf(capability.data)
  return (
    <div className="space-y-5">
      {services.length === 0 ? (
        <EmptyNote icon={<PlugsConnectedIcon />} title={words.empty} hint={words.emptyHint} />
      ) : (
        <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
          {services.map((service) => (
            <li key={service.id}>
              <ServiceRow
                projectId={projectId}
                service={service}
                hasSecret={hasSecret(capability.data, `${service.id}ClientSecret`)}
                appUrl={project.data.url}
              />
            </li>
          ))}
        </ul>
      )}
      <ServiceForm projectId={projectId} services={services} appUrl={project.data.url} />
    </div>
  )
}

function ServiceRow(props: {
  projectId: string
  service: ServiceSettings
  hasSecret: boolean
  /** The address of the live app. Null until the app was shipped once. */
  appUrl: string | null
}) {
  const { projectId, appUrl } = props
  const { id, kind = 'oauth' } = props.service
  const isOauth = kind === 'oauth'
  return (
    <AddressRow
      projectId={projectId}
      capabilityKey="connect"
      name={id}
      note={isOauth ? (props.hasSecret ? words.ready : words.noSecret) : words.byKey}
      {...(isOauth && { address: redirectAddress(appUrl, id) })}
      words={words}
      removeConsequence={words.removeConsequence(isOauth)}
      removal={(stored) => ({
        enabled: stored.enabled,
        settings: { providers: servicesOf(stored).filter((one) => one.id !== id) },
        ...(isOauth && { secrets: { [`${id}ClientSecret`]: null } }),
      })}
    />
  )
}
