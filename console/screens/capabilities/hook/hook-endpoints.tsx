import { PlugsIcon } from '@phosphor-icons/react'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQuery } from '../../../api/project/capabilities.ts'
import { projectQuery } from '../../../api/project/projects.ts'
import { href } from '../../../routes.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LiveFailure } from '../live-failure.tsx'
import { LiveSkeleton } from '../live-skeleton.tsx'
import { useSetCapability } from '../use-set-capability.ts'
import { EndpointForm } from './endpoint-form.tsx'

const words = capabilitiesText.endpoints

/**
 * The endpoints that other services post to: their addresses, whether they are open, and a form for another
 * one.
 */
export function HookEndpoints({ projectId }: { projectId: string }) {
  const capability = useQuery(capabilityQuery(projectId, 'hook'))
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
  const endpoints = endpointsOf(capability.data)
  return (
    <div className="space-y-5">
      {Object.keys(endpoints).length === 0 ? (
        <EmptyNote icon={<PlugsIcon />} title={words.empty} hint={words.emptyHint} />
      ) : (
        <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
          {Object.entries(endpoints).map(([name, { scheme }]) => (
            <li key={name}>
              <EndpointRow
                projectId={projectId}
                name={name}
                scheme={scheme}
                hasSecret={hasSecret(capability.data, name)}
                address={project.data.url === null ? null : `${project.data.url}/_app/hook/${name}`}
                others={Object.fromEntries(Object.entries(endpoints).filter(([key]) => key !== name))}
              />
            </li>
          ))}
        </ul>
      )}
      <p className="text-[13px] text-kumo-subtle">
        {words.messages}{' '}
        <a
          href={href.capability(projectId, 'data', { tab: 'live' })}
          className="rounded-sm text-kumo-link underline underline-offset-3"
        >
          {words.toMessages}
        </a>
      </p>
      <EndpointForm projectId={projectId} endpoints={endpoints} />
    </div>
  )
}

/** The settings of endpoints, by name. */
export type Endpoints = Record<string, { scheme?: string }>

const endpointsOf = ({ settings }: Capability): Endpoints => (settings['endpoints'] ?? {}) as Endpoints

const hasSecret = (capability: Capability, name: string): boolean =>
  capability[`has${name.charAt(0).toUpperCase()}${name.slice(1)}Secret`] === true

function EndpointRow(props: {
  projectId: string
  name: string
  scheme: string | undefined
  hasSecret: boolean
  /** Null before the first ship. */
  address: string | null
  others: Endpoints
}) {
  const { projectId, name, scheme, address, others } = props
  const save = useSetCapability(projectId, 'hook')
  const [isAsked, setAsked] = useState(false)
  const remove = () =>
    save.mutate(
      { enabled: true, settings: { endpoints: others }, secrets: { [`${name}Secret`]: null } },
      { onSuccess: () => setAsked(false) },
    )
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words text-kumo-strong">{name}</p>
        <p className="text-[13px] text-kumo-subtle">
          {scheme ?? words.declared} · {props.hasSecret ? words.open : words.closed}
        </p>
        <p className="font-mono text-[13px] break-all text-kumo-default">{address ?? words.noAddress}</p>
      </div>
      {address !== null && <CopyButton value={address} label={words.copy(name)} />}
      <Button
        type="button"
        variant="ghost"
        size="sm"
        aria-label={words.removeNamed(name)}
        onClick={() => setAsked(true)}
      >
        {words.remove}
      </Button>
      {isAsked && (
        <Confirm
          title={words.removeAsk(name)}
          consequence={words.removeConsequence}
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
