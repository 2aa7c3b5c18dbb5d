import { PlugsConnectedIcon } from '@phosphor-icons/react'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQuery } from '../../../api/project/capabilities.ts'
import { projectQuery } from '../../../api/project/projects.ts'
import { connectText as words } from '../../../text/connect.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LiveFailure } from '../live-failure.tsx'
import { LiveSkeleton } from '../live-skeleton.tsx'
import { useSetCapability } from '../use-set-capability.ts'
import { ServiceForm } from './service-form.tsx'

/** A service as the settings have it; only what is shown or changed here is named. */
export interface Service {
  id: string
  kind?: 'oauth' | 'apiKey'
  clientId?: string
}

/** The services that people of the app can connect, what each still lacks, and a form for another one. */
export function ConnectServices({ projectId }: { projectId: string }) {
  const capability = useQuery(capabilityQuery(projectId, 'connect'))
  const project = useQuery(projectQuery(projectId))
  if (capability.isPending || project.isPending) return <LiveSkeleton />
  if (!capability.data || !project.data)
    return (
      <LiveFailure
        projectId={projectId}
        error={capability.error ?? project.error}
        onRetry={() => void capability.refetch()}
      />
    )
  const services = (capability.data.settings['providers'] ?? []) as Service[]
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
                hasSecret={hasSecret(capability.data, service.id)}
                appUrl={project.data.url}
                others={services.filter(({ id }) => id !== service.id)}
              />
            </li>
          ))}
        </ul>
      )}
      <ServiceForm projectId={projectId} services={services} />
    </div>
  )
}

const hasSecret = (capability: Capability, id: string): boolean =>
  capability[`has${id.charAt(0).toUpperCase()}${id.slice(1)}ClientSecret`] === true

function ServiceRow(props: {
  projectId: string
  service: Service
  hasSecret: boolean
  /** Null before the first ship. */
  appUrl: string | null
  others: Service[]
}) {
  const { projectId, service, appUrl, others } = props
  const { id, kind = 'oauth' } = service
  const save = useSetCapability(projectId, 'connect')
  const isOauth = kind === 'oauth'
  const [isAsked, setAsked] = useState(false)
  const remove = () =>
    save.mutate(
      {
        enabled: true,
        settings: { providers: others },
        ...(isOauth && { secrets: { [`${id}ClientSecret`]: null } }),
      },
      { onSuccess: () => setAsked(false) },
    )
  const address = appUrl === null ? null : `${appUrl}/_app/connect/${id}/callback`
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words text-kumo-strong">{id}</p>
        <p className="text-[13px] text-kumo-subtle">
          {isOauth ? (props.hasSecret ? words.ready : words.noSecret) : words.byKey}
        </p>
        {isOauth && (
          <p className="font-mono text-[13px] break-all text-kumo-default">{address ?? words.noAddress}</p>
        )}
      </div>
      {isOauth && address !== null && <CopyButton value={address} label={words.copy(id)} />}
      <Button
        type="button"
        variant="ghost"
        size="sm"
        aria-label={words.removeNamed(id)}
        onClick={() => setAsked(true)}
      >
        {words.remove}
      </Button>
      {isAsked && (
        <Confirm
          title={words.removeAsk(id)}
          consequence={words.removeConsequence(isOauth)}
          submit={words.remove}
          busy={save.isPending}
          error={save.error}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}
