import type { DomainStatus } from '@slipway/sdk/client/types.gen.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { cloudText } from '../../text/cloud.en.ts'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { HostnameForm } from './hostname-form.tsx'
import { NextStep } from './next-step.tsx'
import { RemoveDomain } from './remove-domain.tsx'
import { DOMAIN_STEPS } from './steps.ts'
import { StepList } from '../../ui/page/step-list.tsx'

export function DomainCard({ projectId, domain }: { projectId: string; domain: DomainStatus }) {
  const words = cloudText.domain.states[domain.state]
  const { tone, done } = DOMAIN_STEPS[domain.state]
  return (
    <div className="space-y-4">
      <section
        aria-labelledby="domain-state"
        className="space-y-4 rounded-xl bg-kumo-base p-5 ring-1 ring-kumo-line"
      >
        {domain.hostname !== null && (
          <p className="flex items-center gap-1 font-mono text-[15px] text-kumo-strong">
            <span className="min-w-0 break-all">{domain.url ?? domain.hostname}</span>
            <CopyButton value={domain.url ?? domain.hostname} label={cloudText.domain.copyAddress} />
          </p>
        )}
        {done !== null && domain.hostname !== null && <StepList steps={cloudText.domain.steps} done={done} />}
        <div role="status" className="space-y-1">
          <h2 id="domain-state" className="text-[15px] font-semibold text-kumo-strong">
            <StateDot tone={tone}>
              <span className="min-w-0">{words.title}</span>
            </StateDot>
          </h2>
          <p className="text-kumo-subtle">{words.hint}</p>
          {domain.message !== null && <p className="break-words">{domain.message}</p>}
        </div>
        {domain.nameServers.length > 0 && <NameServers names={domain.nameServers} />}
        {domain.conflicts.length > 0 && <ConflictRecords records={domain.conflicts} />}
        {domain.state === 'no_domain' ? (
          <HostnameForm projectId={projectId} />
        ) : (
          <NextStep projectId={projectId} domain={domain} />
        )}
      </section>
      {domain.hostname !== null && (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <DomainFacts domain={domain} />
          <RemoveDomain projectId={projectId} hostname={domain.hostname} />
        </div>
      )}
    </div>
  )
}

function NameServers({ names }: { names: string[] }) {
  return (
    <div className="space-y-2">
      <h3 className="font-medium text-kumo-strong">{cloudText.domain.nameServers}</h3>
      <p className="text-[13px] text-kumo-subtle">{cloudText.domain.nameServersHint}</p>
      <ul className="divide-y divide-kumo-line rounded-lg ring-1 ring-kumo-line">
        {names.map((name) => (
          <li key={name} className="flex items-center justify-between gap-2 py-1 pr-1.5 pl-3">
            <code className="min-w-0 font-mono text-[13px] break-all">{name}</code>
            <CopyButton value={name} label={cloudText.domain.copyNameServer(name)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function ConflictRecords({ records }: { records: DomainStatus['conflicts'] }) {
  return (
    <div className="space-y-2">
      <h3 className="font-medium text-kumo-strong">{cloudText.domain.conflicts}</h3>
      <p className="text-[13px] text-kumo-subtle">{cloudText.domain.conflictsHint}</p>
      <ul className="divide-y divide-kumo-line rounded-lg font-mono text-[13px] ring-1 ring-kumo-line">
        {records.map(({ type, content }) => (
          <li key={`${type} ${content}`} className="flex gap-3 px-3 py-2">
            <span className="w-14 shrink-0 text-kumo-strong">{type}</span>
            <span className="min-w-0 break-all">{content}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function DomainFacts({ domain }: { domain: DomainStatus }) {
  const facts = [
    [cloudText.domain.zone, domain.zone && `${domain.zone.name} (${domain.zone.status})`],
    [cloudText.domain.certificate, domain.certificate?.replaceAll('_', ' ')],
    [cloudText.domain.checked, domain.checkedAt && <RelativeTime at={domain.checkedAt} />],
  ] as const
  return (
    <dl className="flex min-w-0 flex-wrap gap-x-5 gap-y-1 pt-1.5 text-[13px]">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex min-w-0 gap-1.5">
              <dt className="shrink-0 text-kumo-subtle">{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
