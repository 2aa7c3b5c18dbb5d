import type { Version } from '@slipway/sdk/client/types.gen.ts'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { versionsText as words } from '../../text/code.en.ts'
import { RelativeTime } from '../../ui/time.tsx'

/** Which version it is, when and by whom it came about, and what it came from. */
export function VersionFacts({ projectId, version }: { projectId: string; version: Version }) {
  const { ticketId, runId } = version
  return (
    <ul className="flex flex-wrap gap-x-3 text-[13px] text-kumo-subtle">
      <li>
        <code className="font-mono text-xs">{version.sha.slice(0, 7)}</code>
      </li>
      <li className="min-w-0 break-words">
        <RelativeTime at={version.createdAt} /> {words.by(version.author)}
      </li>
      <li>{words.files(version.files)}</li>
      {ticketId !== null && (
        <li>
          <FactLink to={href.project(projectId, { ticket: ticketId, tab: 'ticket' })}>
            {words.ticket}
          </FactLink>
        </li>
      )}
      {ticketId !== null && runId !== null && (
        <li>
          <FactLink to={href.project(projectId, { ticket: ticketId, tab: 'build' })}>{words.run}</FactLink>
        </li>
      )}
    </ul>
  )
}

function FactLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className="inline-block min-h-6 rounded-sm text-kumo-link hover:underline">
      {children}
    </a>
  )
}
