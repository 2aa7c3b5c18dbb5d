import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import type { ReactNode } from 'react'
import { planText } from '../../../text/plan.en.ts'
import { Mark } from '../../../ui/page/brand.tsx'
import { formatCount } from '../../../lib/format.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { FailedNote } from './failed-note.tsx'
import { CollapsedParts, WritingIndicator, ReplyParts } from './reply-parts.tsx'
import { TicketChips } from './ticket-chips.tsx'
import { finishedTurnOf, type TurnView } from '../turn/turn-follower.ts'
import { replyText } from '../turn/turn-state.ts'

export function Reply(props: {
  projectId: string
  message: PlanMessage
  isLast: boolean
  onRetry: (() => void) | null
}) {
  const { projectId, message, isLast } = props
  const history = finishedTurnOf(message.id)
  // Show the streamed parts only when their text equals the stored text: when a model call was retried, the
  // texts may differ.
  const isSame = history !== null && replyText(history) === message.text
  const tickets = message.tickets.map(
    (id) => history?.tickets.find((ticket) => ticket.id === id) ?? { id, title: null },
  )
  return (
    <ReplyFrame note={<ReplyFooter message={message} />}>
      {isSame ? (
        <ReplyParts parts={history.parts} />
      ) : (
        <>
          {history !== null && <CollapsedParts parts={history.parts} />}
          {message.text !== '' && <Markdown text={message.text} />}
        </>
      )}
      {tickets.length > 0 && (
        <TicketChips
          projectId={projectId}
          tickets={tickets}
          isNewest={isLast}
          offersBuild={isLast && message.status === 'complete'}
          questions={message.questions}
        />
      )}
      {message.status === 'stopped' && (
        <p className="text-[13px] text-kumo-subtle">
          {message.text === '' ? planText.ended.nothing : planText.ended.stopped}
        </p>
      )}
      {message.status === 'failed' && <FailedNote message={message} onRetry={props.onRetry} />}
    </ReplyFrame>
  )
}

export function LiveReply({ projectId, view }: { projectId: string; view: TurnView }) {
  const { state, phase } = view
  return (
    <ReplyFrame note={null}>
      <ReplyParts parts={state.parts} grows />
      {state.tickets.length > 0 && (
        <TicketChips
          projectId={projectId}
          tickets={state.tickets}
          isNewest
          offersBuild={false}
          questions={[]}
        />
      )}
      {phase === 'apart' ? (
        <p className="flex items-start gap-2.5 text-[13px] text-kumo-subtle">
          <span
            className="mt-1.5 size-2 shrink-0 animate-pulse-dot rounded-full bg-tide"
            aria-hidden="true"
          />
          {planText.apart}
        </p>
      ) : (
        <WritingIndicator writing={state.writing} />
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

function ReplyFooter({ message }: { message: PlanMessage }) {
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
