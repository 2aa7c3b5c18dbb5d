import { HammerIcon } from '@phosphor-icons/react'
import { useQueries } from '@tanstack/react-query'
import { type Ref, useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { isNotFound } from '../../../api/request/query-client.ts'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { href } from '../../../routes.ts'
import { planText } from '../../../text/plan.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { useFirstNewRow } from '../../../ui/lists/use-first-new-row.ts'
import { useAddToQueue } from '../../builds/queue/use-queue.ts'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'
import type { WrittenTicket } from '../turn/turn-state.ts'

const CHIPS_MAX = 8

export function TicketChips(props: {
  projectId: string
  tickets: WrittenTicket[]
  isNewest: boolean
  /** True when one button queues all tickets of the reply. */
  offersBuild: boolean
  /** The questions of the reply. They are shown before its tickets are queued. */
  questions: string[]
}) {
  const { projectId, tickets } = props
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? tickets : tickets.slice(0, CHIPS_MAX)
  const hidden = tickets.length - shown.length
  const { list, extend } = useFirstNewRow<HTMLUListElement>()
  return (
    <section aria-label={planText.tickets.wrote(tickets.length)} className="space-y-2">
      <h4 className="text-xs font-medium text-kumo-subtle">{planText.tickets.wrote(tickets.length)}</h4>
      <ChipRows list={list} projectId={projectId} tickets={shown} isLive={props.isNewest} />
      <div className="flex flex-wrap gap-2 empty:hidden">
        {hidden > 0 && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              extend()
              setWhole(true)
            }}
          >
            {planText.tickets.more(hidden)}
          </Button>
        )}
        {props.offersBuild && (
          <BuildThem projectId={projectId} ids={tickets.map(({ id }) => id)} questions={props.questions} />
        )}
      </div>
    </section>
  )
}

function ChipRows({
  list,
  projectId,
  tickets,
  isLive,
}: {
  list: Ref<HTMLUListElement>
  projectId: string
  tickets: WrittenTicket[]
  isLive: boolean
}) {
  // Only the tickets of the newest reply are refetched when tickets change. Otherwise a long conversation would refetch all its tickets.
  const known = useQueries({
    queries: tickets.map(({ id }) => ({
      ...ticketQuery(projectId, id),
      ...(!isLive && { queryKey: queryKeys.plan.ticket(projectId, id), staleTime: 60_000 }),
    })),
  })
  return (
    <ul ref={list} className="grid grid-cols-1 gap-1.5">
      {tickets.map(({ id, title }, index) => {
        const { data: ticket, error } = known[index] ?? {}
        const isGone = ticket === undefined && isNotFound(error)
        if (isGone)
          return (
            <li
              key={id}
              className="rounded-lg px-2.5 py-1.5 text-[13px] text-kumo-subtle line-through [overflow-wrap:anywhere]"
            >
              {title ?? planText.tickets.gone}
            </li>
          )
        return (
          <li key={id}>
            <a
              href={href.project(projectId, { ticket: id, tab: 'ticket', pane: 'work' })}
              className="flex min-h-9 items-start gap-2.5 rounded-lg bg-kumo-base px-2.5 py-2 ring-1 ring-kumo-line hover:bg-kumo-tint"
            >
              <StatusIcon status={ticket?.status ?? 'backlog'} className="mt-0.5 size-4 shrink-0" />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{ticket?.title ?? title ?? id}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/** Queues all tickets of a reply. Shows the open questions of the reply first. */
function BuildThem({ projectId, ids, questions }: { projectId: string; ids: string[]; questions: string[] }) {
  const add = useAddToQueue(projectId)
  const [isAsking, setAsking] = useState(false)
  const questionsBox = useRef<HTMLElement>(null)
  const buildButton = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  const queuedNote = useRef<HTMLParagraphElement>(null)
  const hadFocus = useRef(false)
  const [watchFocus] = useState(() => (button: HTMLButtonElement) => {
    buildButton.current = button
    return () => {
      hadFocus.current = button === document.activeElement
      buildButton.current = null
    }
  })
  // The pressed button disappears once the tickets are queued, so the focus that it had moves to the note that says so. While the button is
  // removed, the note has no text and is hidden, so it cannot have the focus before this effect.
  useEffect(() => {
    if (add.isSuccess && hadFocus.current) queuedNote.current?.focus()
  }, [add.isSuccess])
  useEffect(() => {
    if (isAsking === wasAsking.current) return
    wasAsking.current = isAsking
    // The questions replace the pressed button and take over its focus, and the other way round.
    const shown = isAsking ? questionsBox.current : buildButton.current
    shown?.focus()
  }, [isAsking])
  const build = () => {
    setAsking(false)
    add.mutate(ids)
  }
  if (isAsking)
    return (
      <section
        ref={questionsBox}
        tabIndex={-1}
        role="alert"
        className="w-full space-y-2 rounded-xl bg-tide-tint px-3.5 py-3 ring-1 ring-tide-line"
      >
        <h5 className="font-medium text-kumo-strong">{planText.tickets.asks(questions.length)}</h5>
        <ul className="list-disc space-y-1 pl-5 text-[13px]">
          {questions.map((question) => (
            <li key={question} className="[overflow-wrap:anywhere]">
              {question}
            </li>
          ))}
        </ul>
        <p className="text-[13px] text-kumo-subtle">{planText.tickets.asksHint}</p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="primary" onClick={() => setAsking(false)}>
            {planText.tickets.later}
          </Button>
          <Button size="sm" onClick={build}>
            {planText.tickets.queueAnyway}
          </Button>
        </div>
      </section>
    )
  const count = add.data?.queued.length ?? 0
  return (
    <>
      {!add.isSuccess && (
        <Button
          ref={watchFocus}
          size="sm"
          icon={<HammerIcon />}
          loading={add.isPending}
          onClick={() => (questions.length === 0 ? build() : setAsking(true))}
        >
          {planText.tickets.queue(ids.length)}
        </Button>
      )}
      <p
        ref={queuedNote}
        tabIndex={-1}
        role="status"
        className="self-center rounded-sm text-[13px] text-kumo-subtle empty:hidden"
      >
        {add.isSuccess && (count === 0 ? planText.tickets.queuedNone : planText.tickets.queued(count))}
      </p>
      {add.isError && <FailureNote title={planText.tickets.queueFailed} error={add.error} />}
    </>
  )
}
