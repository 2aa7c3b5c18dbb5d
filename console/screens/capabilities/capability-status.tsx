import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { readinessQuery } from '../../api/project/deployments.ts'
import { href } from '../../routes.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { shipText } from '../../text/shipping.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { capabilityState } from './capability-metadata.ts'
import { lowerFirstLetter } from '../../lib/format.ts'
import { useSetCapability } from './use-set-capability.ts'
import { entryOf } from '../../lib/fields.ts'

/** Returns the Ship page's name for a kind of resource. */
const kindWord = (kind: string) => lowerFirstLetter(entryOf(shipText.managed.kinds, kind) ?? kind)

export function CapabilityStatus({ projectId, capability }: { projectId: string; capability: Capability }) {
  const { provision, resource, enabled } = capability
  const { tone, word } = capabilityState(capability)
  const again = useSetCapability(projectId, capability.key)
  return (
    <div role="status" className="space-y-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium text-kumo-strong">
          <StateDot tone={tone}>{word}</StateDot>
        </span>
        {enabled && provision.state === 'creating' && (
          <span className="text-kumo-subtle">
            {resource ? capabilitiesText.creating(kindWord(resource.kind)) : capabilitiesText.creatingAny}
          </span>
        )}
        {enabled && provision.state === 'idle' && (
          <span className="text-[13px] text-kumo-subtle">
            {capabilitiesText.shipHint}{' '}
            <a href={href.ship(projectId)} className="rounded-sm text-kumo-link underline underline-offset-3">
              {capabilitiesText.notLive.action}
            </a>
          </span>
        )}
      </p>
      {resource && (
        <p className="flex flex-wrap gap-x-2 text-[13px]">
          <span className="text-kumo-subtle">{capabilitiesText.resource}</span>
          <code className="font-mono text-xs leading-5 break-all">{resource.name}</code>
          <span className="text-kumo-subtle">({kindWord(resource.kind)})</span>
        </p>
      )}
      {enabled && <Findings projectId={projectId} capability={capability} />}
      {provision.error && (
        <div className="space-y-2 rounded-lg bg-kumo-danger-tint px-3.5 py-3">
          <p className="font-medium text-kumo-strong">{capabilitiesText.errorTitle}</p>
          <p className="break-words">{provision.error.message}</p>
          <p className="font-mono text-xs text-kumo-subtle">{provision.error.code}</p>
          <Button
            size="sm"
            loading={again.isPending}
            onClick={() => !again.isPending && again.mutate((stored) => ({ enabled: stored.enabled }))}
          >
            {capabilitiesText.retry}
          </Button>
          {again.isError && <FailureNote title={capabilitiesText.failed} error={again.error} />}
        </div>
      )}
    </div>
  )
}

/**
 * Lists what fails and what is missing for the capability, in the words of the Ship page. The list is empty until the readiness is loaded.
 */
function Findings({ projectId, capability }: { projectId: string; capability: Capability }) {
  const { key, provision } = capability
  const { failed = [], missing = [] } = useQuery(readinessQuery(projectId)).data ?? {}
  // Leave out `failed` when the creation of the resource failed, because that error is shown above.
  const found = [
    ...(provision.state === 'error' ? [] : failed).map((one) => ({ ...one, tone: 'bad' as const })),
    ...missing.map((one) => ({ ...one, tone: 'ask' as const })),
  ].filter((one) => one.key === key)
  if (found.length === 0) return null
  return (
    <ul className="space-y-1">
      {found.map(({ reason, tone }) => (
        <li key={reason} className="break-words text-kumo-default">
          <StateDot tone={tone}>
            <span className="min-w-0">{reason}</span>
          </StateDot>
        </li>
      ))}
    </ul>
  )
}
