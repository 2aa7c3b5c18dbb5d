import { CaretRightIcon, PaperPlaneTiltIcon } from '@phosphor-icons/react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { storePreviewErrors } from '../../api/project/preview.ts'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { previewText } from '../../text/preview.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { countOf } from '../../lib/format.ts'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { BuildTicketButton } from '../builds/start/build-ticket-button.tsx'
import { type AppError, toPreviewError } from './app-error.ts'

interface AppErrorsProps {
  project: Project
  ticket: Ticket | null
  errors: AppError[]
  onClear: () => void
}

export function AppErrors({ project, ticket, errors, onClear }: AppErrorsProps) {
  /** The id of the newest error that was sent, by ticket id. */
  const [sent, setSent] = useState<Record<string, number>>({})
  const sentUpTo = (ticket && sent[ticket.id]) ?? 0
  const fresh = errors.filter(({ id }) => id > sentUpTo)
  const send = useMutation({
    mutationFn: ({ ticketId, batch }: { ticketId: string; batch: AppError[] }) =>
      storePreviewErrors(project.id, ticketId, batch.map(toPreviewError)),
    // More errors may have been reported while this batch was being sent.
    onSuccess: (_stored, { ticketId, batch }) =>
      setSent((before) => ({ ...before, [ticketId]: batch.at(-1)?.id ?? 0 })),
  })
  const clear = useMutation({
    mutationFn: () =>
      Promise.all(Object.keys(sent).map((ticketId) => storePreviewErrors(project.id, ticketId, []))),
    onSuccess: onClear,
  })
  const isSent = sentUpTo > 0 && fresh.length === 0
  const failure = send.error ?? clear.error
  return (
    <section
      className="max-h-[45%] shrink-0 overflow-y-auto border-t border-kumo-line bg-kumo-base text-[13px]"
      aria-labelledby="app-errors"
    >
      <div className="sticky top-0 flex flex-wrap items-center gap-x-2 gap-y-1.5 bg-kumo-danger-tint px-3 py-2">
        <h3 id="app-errors" className="mr-auto font-medium text-kumo-strong">
          {previewText.errors(countOf(errors.length, 'error'))}
        </h3>
        {!isSent && (
          <ReasonButton
            size="sm"
            variant="secondary"
            icon={<PaperPlaneTiltIcon />}
            loading={send.isPending}
            reason={ticket ? null : previewText.noTicket}
            onClick={() => ticket && send.mutate({ ticketId: ticket.id, batch: fresh })}
          >
            {previewText.send}
          </ReasonButton>
        )}
        <Button size="sm" variant="ghost" loading={clear.isPending} onClick={() => clear.mutate()}>
          {previewText.clearErrors}
        </Button>
      </div>
      {failure && (
        <div className="px-3 pt-2">
          <FailureNote title={previewText.sendFailed} error={failure} />
        </div>
      )}
      <div role="status">
        {isSent && ticket && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-kumo-line px-3 py-2">
            <p className="min-w-0 flex-1 basis-48 break-words">{previewText.sent(ticket.title)}</p>
            <BuildTicketButton project={project} ticket={ticket} label={previewText.buildNow} size="sm" />
          </div>
        )}
      </div>
      <ul className="divide-y divide-kumo-line">
        {errors.toReversed().map((error) => (
          <ErrorRow key={error.id} error={error} />
        ))}
      </ul>
    </section>
  )
}

function ErrorRow({ error }: { error: AppError }) {
  const words = <span className="min-w-0 flex-1 font-mono text-xs break-words">{error.message}</span>
  const place = error.path && <span className="shrink-0 text-xs text-kumo-subtle">{error.path}</span>
  if (!error.stack)
    return (
      <li className="flex gap-2 px-3 py-1.5 pl-8">
        {words}
        {place}
      </li>
    )
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-start gap-2 px-3 py-1.5 hover:bg-kumo-tint [&::-webkit-details-marker]:hidden">
          <CaretRightIcon
            className="mt-0.5 size-3 shrink-0 text-kumo-subtle group-open:rotate-90"
            aria-hidden="true"
          />
          {words}
          {place}
        </summary>
        <pre
          tabIndex={0}
          className="mx-3 mb-2 ml-8 max-h-40 overflow-auto rounded-md bg-kumo-recessed p-2 font-mono text-xs whitespace-pre-wrap"
        >
          {error.stack}
        </pre>
      </details>
    </li>
  )
}
