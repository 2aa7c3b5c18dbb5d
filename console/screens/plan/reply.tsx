import { Button } from '@cloudflare/kumo/components/button'
import { WarningCircleIcon } from '@phosphor-icons/react'
import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import type { ReactNode } from 'react'
import { planText } from '../../text/plan.en.ts'
import { Mark } from '../../ui/brand.tsx'
import { formatCount } from '../../ui/format.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { Folded, Pulse, ReplyParts } from './reply-parts.tsx'
import { TicketChips } from './ticket-chips.tsx'
import { historyOf, type TurnView } from './turn-follower.ts'
import { saidIn } from './turn-state.ts'

/** A reply whose turn is over. */
export function Reply(props: {
  projectId: string
  message: PlanMessage
  isLast: boolean
  onRetry: (() => void) | null
}) {
  const { projectId, message, isLast } = props
  const history = historyOf(message.id)
  // A call that was repeated said things twice: then only the stored words count.
  const isSame = history !== null && saidIn(history) === message.text
  const tickets = message.tickets.map(
    (id) => history?.tickets.find((ticket) => ticket.id === id) ?? { id, title: null },
  )
  return (
    <ReplyFrame note={<Footer message={message} />}>
      {isSame ? (
        <ReplyParts parts={history.parts} />
      ) : (
        <>
          {history !== null && <Folded parts={history.parts} />}
          {message.text !== '' && <Markdown text={message.text} />}
        </>
      )}
      {tickets.length > 0 && (
        <TicketChips
          projectId={projectId}
          tickets={tickets}
          offersBuild={isLast && message.status === 'complete'}
        />
      )}
      {message.status === 'stopped' && (
        <p className="text-[13px] text-kumo-subtle">
          {message.text === '' ? planText.ended.nothing : planText.ended.stopped}
        </p>
      )}
      {message.status === 'failed' && <Failed message={message} onRetry={props.onRetry} />}
    </ReplyFrame>
  )
}

/** A reply that is being written. */
export function LiveReply({ projectId, view }: { projectId: string; view: TurnView }) {
  const { state, phase } = view
  return (
    <ReplyFrame note={null}>
      <ReplyParts parts={state.parts} grows />
      {state.tickets.length > 0 && (
        <TicketChips projectId={projectId} tickets={state.tickets} offersBuild={false} />
      )}
      {phase === 'apart' ? (
        <p className="flex items-center gap-2.5 text-[13px] text-kumo-subtle">
          <span className="size-2 shrink-0 animate-pulse-dot rounded-full bg-tide" aria-hidden="true" />
          {planText.apart}
        </p>
      ) : (
        <Pulse writing={state.writing} />
      )}
    </ReplyFrame>
  )
}

function ReplyFrame({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <article aria-label={planText.agent} className="flex gap-3">
      <Mark className="mt-px size-5 shrink-0" />
      <div className="min-w-0 flex-1 space-y-3">
        <h3 className="sr-only">{planText.agent}</h3>
        {children}
        {note}
      </div>
    </article>
  )
}

function Footer({ message }: { message: PlanMessage }) {
  const tokens = message.usage ? message.usage.input + message.usage.output : 0
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-kumo-subtle tabular-nums">
      <RelativeTime at={message.createdAt} />
      {message.model && (
        <>
          <span aria-hidden="true">·</span>
          <span className="break-all">{message.model}</span>
        </>
      )}
      {tokens > 0 && (
        <>
          <span aria-hidden="true">·</span>
          <span>{planText.tokens(formatCount(tokens))}</span>
        </>
      )}
    </p>
  )
}

function Failed({ message, onRetry }: { message: PlanMessage; onRetry: (() => void) | null }) {
  const { error } = message
  return (
    <div className="flex gap-3 rounded-lg bg-kumo-danger-tint px-3.5 py-3 ring-1 ring-kumo-danger/25">
      <WarningCircleIcon
        weight="fill"
        className="mt-0.5 size-[18px] shrink-0 text-removed"
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1 space-y-1">
        <p className="font-medium text-kumo-strong">{planText.ended.failed}</p>
        <p>{planText.kinds[error?.kind ?? 'server_error'] ?? error?.message}</p>
        {error && (
          <details className="text-[13px]">
            <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-kumo-subtle">
              {planText.ended.said}
            </summary>
            <p className="mt-1 break-words">{error.message}</p>
          </details>
        )}
        {message.tickets.length > 0 && <p className="text-[13px]">{planText.ended.kept}</p>}
        <p className="text-xs text-kumo-subtle">
          <code className="font-mono">{error?.kind}</code>
        </p>
        {onRetry && (
          <Button size="sm" className="mt-1.5" onClick={onRetry}>
            {planText.ended.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
