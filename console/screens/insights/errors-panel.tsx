import { LinkButton } from '@cloudflare/kumo/components/button'
import { TicketIcon } from '@phosphor-icons/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'
import { createBugTicket, liveErrorsQuery } from '../../api/project/insights.ts'
import { href } from '../../routes.ts'
import { insightsText } from '../../text/shipping.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote, LoadFailure } from '../../ui/page/failure.tsx'
import { formatCount } from '../../lib/format.ts'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { type LiveError, ticketOf } from './error-ticket.ts'

export function ErrorsPanel({ projectId }: { projectId: string }) {
  const errors = useQuery(liveErrorsQuery(projectId))
  const { data } = errors
  return (
    <Panel title={insightsText.errorsTitle}>
      {errors.isPending && (
        <Skeleton>
          <Bar className="h-12!" />
        </Skeleton>
      )}
      <LoadFailure query={errors} />
      {data?.state === 'unavailable' && (
        <p>
          <span className="font-medium text-kumo-strong">{insightsText.errorsUnavailable}.</span>{' '}
          <span className="break-words">{data.reason}</span>
        </p>
      )}
      {data?.state === 'ok' && data.items.length === 0 && (
        <>
          <p className="font-medium text-kumo-strong">{insightsText.noErrors}</p>
          <p className="text-[13px] text-kumo-subtle">{insightsText.noErrorsHint}</p>
        </>
      )}
      <ul className="divide-y divide-kumo-line empty:hidden">
        {data?.items.map((error) => (
          <ErrorRow key={`${error.route ?? ''} ${error.message}`} projectId={projectId} error={error} />
        ))}
      </ul>
    </Panel>
  )
}

function ErrorRow({ projectId, error }: { projectId: string; error: LiveError }) {
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: () => createBugTicket(projectId, ticketOf(error)),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.tickets.all }),
  })
  return (
    <li className="space-y-1.5 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="line-clamp-3 font-medium break-words text-kumo-strong">{error.message}</h3>
          <p className="text-[13px] break-words text-kumo-subtle">
            {error.route ?? insightsText.noRoute} ·{' '}
            {insightsText.times(formatCount(error.count), error.count === 1)} · {insightsText.lastSeen}{' '}
            <RelativeTime at={error.lastAt} />
          </p>
        </div>
        {make.data ? (
          <LinkButton size="sm" href={href.project(projectId, { ticket: make.data.id, tab: 'ticket' })}>
            {insightsText.ticketMade}
          </LinkButton>
        ) : (
          <Button size="sm" icon={<TicketIcon />} loading={make.isPending} onClick={() => make.mutate()}>
            {insightsText.makeTicket}
          </Button>
        )}
      </div>
      {make.isError && <FailureNote title={insightsText.ticketFailed} error={make.error} />}
      {error.stack && (
        <details className="text-[13px]">
          <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-kumo-subtle hover:text-kumo-default">
            {insightsText.stack}
          </summary>
          <pre className="mt-1 max-h-72 overflow-y-auto rounded-lg bg-kumo-recessed p-3 font-mono text-xs break-all whitespace-pre-wrap">
            {error.stack}
          </pre>
        </details>
      )}
    </li>
  )
}
