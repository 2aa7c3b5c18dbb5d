import { ArrowSquareOutIcon, PlugsConnectedIcon, QuotesIcon } from '@phosphor-icons/react'
import type { ReactNode } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { hostOf } from '../../../ui/format/host.ts'
import { RelativeTime } from '../../../ui/format/time.tsx'

/** The sentence from which a ticket was created, verbatim. */
export function Origin({ words }: { words: string }) {
  return (
    <figure className="rounded-xl bg-tide-tint p-4 ring-1 ring-tide-line">
      <figcaption className="mb-1 flex items-center gap-1.5 text-xs font-medium text-kumo-subtle">
        <QuotesIcon weight="fill" className="text-tide" aria-hidden="true" />
        {workText.tickets.fields.origin}
      </figcaption>
      <blockquote className="text-[15px] leading-relaxed break-words whitespace-pre-wrap text-kumo-strong">
        {words}
      </blockquote>
    </figure>
  )
}

export function Part({
  title,
  action,
  children,
}: {
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="space-y-1.5">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h3 className="text-[13px] font-medium">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}

export function Provenance({ ticket }: { ticket: Ticket }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-kumo-line pt-4 text-xs text-kumo-subtle">
      {ticket.source === 'ingest' && (
        <span className="inline-flex items-center gap-1.5 rounded-full bg-kumo-fill px-2.5 py-0.5 text-kumo-default">
          <PlugsConnectedIcon aria-hidden="true" />
          {workText.tickets.ingest}
        </span>
      )}
      {ticket.source === 'agent' && <span>{workText.tickets.agent}</span>}
      {ticket.url && <OriginalLink url={ticket.url} />}
      <span>
        {ticketsText.details.created} <RelativeTime at={ticket.createdAt} />
        {ticket.updatedAt !== ticket.createdAt && (
          <>
            {', '}
            {ticketsText.details.changed} <RelativeTime at={ticket.updatedAt} />
          </>
        )}
      </span>
    </p>
  )
}

/** The URL of the ticket in the system that sent it. Only an http(s) URL becomes a link, which shows its host. */
function OriginalLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="break-all">{url}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-1 text-kumo-link underline underline-offset-3"
    >
      {ticketsText.details.original}
      <span className="break-all">({hostOf(url)})</span>
      <ArrowSquareOutIcon aria-hidden="true" />
    </a>
  )
}
