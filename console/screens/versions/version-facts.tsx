import type { Version } from '@slipway/sdk/client/types.gen.ts'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { versionsText as words } from '../../text/code.en.ts'
import { RelativeTime } from '../../ui/format/time.tsx'

export function VersionFacts({ projectId, version }: { projectId: string; version: Version }) {
  const { ticketId, runId } = version
  return (
    <p className="flex flex-wrap gap-x-3 text-[13px] text-kumo-subtle">
      <code className="font-mono text-xs leading-6">{version.sha.slice(0, 7)}</code>
      <span className="min-w-0 leading-6 break-words">
        <RelativeTime at={version.createdAt} /> {words.by(version.author)}
      </span>
      <span className="leading-6">{words.files(version.files)}</span>
      {ticketId !== null && (
        <FactLink to={href.project(projectId, { ticket: ticketId, tab: 'ticket' })}>{words.ticket}</FactLink>
      )}
      {runId !== null && <FactLink to={href.run(projectId, runId)}>{words.run}</FactLink>}
    </p>
  )
}

function FactLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className="rounded-sm leading-6 text-kumo-link hover:underline">
      {children}
    </a>
  )
}
