import { XIcon } from '@phosphor-icons/react'
import type { BuildQueue } from '@slipway/sdk/client/types.gen.ts'
import { useRef } from 'react'
import { href } from '../../../routes.ts'
import { queueText } from '../../../text/builds.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { describeWaiting } from './queue-line.ts'
import { useRemoveFromQueue } from './use-queue.ts'

interface QueuePanelProps {
  projectId: string
  queue: BuildQueue
  /** Called after the person chose a ticket, to close the panel. */
  onLeave: () => void
}

export function QueuePanel({ projectId, queue, onLeave }: QueuePanelProps) {
  const removal = useRemoveFromQueue(projectId)
  const { running, queued } = queue
  const lead = useRef<HTMLParagraphElement>(null)
  const remove = (ticketId: string, row: HTMLElement | null) => {
    // Move the focus first: the pressed button disappears with its row.
    const next = row?.nextElementSibling ?? row?.previousElementSibling
    ;(next?.querySelector('button') ?? lead.current)?.focus()
    removal.mutate(ticketId)
  }
  return (
    <div className="space-y-3 px-4 pt-1.5 pb-4">
      <p ref={lead} tabIndex={-1} className="rounded-sm text-[13px] leading-snug text-kumo-subtle">
        {queueText.lead}
      </p>
      {removal.isError && <FailureNote title={queueText.removeFailed} error={removal.error} />}
      {running && (
        <section
          aria-label={queueText.now}
          className="rounded-lg bg-tide-tint px-3 py-2 ring-1 ring-tide-line"
        >
          <StateDot tone="busy">
            <span className="text-xs font-medium text-kumo-subtle">{queueText.now}</span>
          </StateDot>
          <TicketLink
            projectId={projectId}
            ticketId={running.ticketId}
            title={running.title}
            name={queueText.watch(running.title)}
            onLeave={onLeave}
          />
        </section>
      )}
      {queued.length === 0 ? (
        <p className="text-[13px]">
          <span className="font-medium text-kumo-strong">{queueText.empty}.</span>{' '}
          <span className="text-kumo-subtle">{queueText.emptyHint}</span>
        </p>
      ) : (
        <ol aria-label={queueText.next} className="-mx-1.5 max-h-[min(22rem,50dvh)] overflow-y-auto">
          {queued.map(({ ticketId, title, position, queuedAt, waiting }) => (
            <li
              key={ticketId}
              className="flex items-center gap-2.5 rounded-lg px-1.5 py-1 hover:bg-kumo-tint"
            >
              <span className="w-5 shrink-0 text-right text-xs text-kumo-subtle tabular-nums">
                {position}
              </span>
              <div className="min-w-0 flex-1">
                <TicketLink
                  projectId={projectId}
                  ticketId={ticketId}
                  title={title}
                  name={queueText.open(title)}
                  onLeave={onLeave}
                />
                <p className="text-xs text-kumo-subtle">
                  <RelativeTime at={queuedAt} />
                </p>
                {waiting && (
                  <p className="text-xs break-words text-kumo-default">{describeWaiting(waiting)}</p>
                )}
              </div>
              <IconButton
                icon={<XIcon />}
                label={queueText.remove(title)}
                onClick={(event) => remove(ticketId, event.currentTarget.closest('li'))}
              />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function TicketLink(props: {
  projectId: string
  ticketId: string
  title: string
  name: string
  onLeave: () => void
}) {
  return (
    <a
      href={href.project(props.projectId, { ticket: props.ticketId, tab: 'build', pane: 'work' })}
      title={props.name}
      onClick={props.onLeave}
      className="block truncate rounded-sm py-0.5 text-kumo-default hover:underline"
    >
      {props.title}
    </a>
  )
}
