import { HourglassIcon, ListPlusIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { QueuedBuilds } from '../../../api/project/queue.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { href } from '../../../routes.ts'
import { queueText } from '../../../text/builds.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { isBuilding, startBuild } from '../../../state/builds/build-follower.ts'
import { useBuildPart } from '../../../state/builds/use-build.ts'
import { describeQueued, describeWaiting, queuePosition } from './queue-line.ts'
import { useAddToQueue, useRemoveFromQueue } from './use-queue.ts'

export function BusyNote(props: {
  projectId: string
  running: { ticketId: string; title: string }
  ticketId: string
  title: string
  canQueue: boolean
  onQueued: () => void
}) {
  const { projectId, running } = props
  const add = useAddToQueue(projectId)
  const queue = () =>
    add.mutate([props.ticketId], { onSuccess: ({ queued }) => queued.length > 0 && props.onQueued() })
  return (
    <section role="alert" className="space-y-3 rounded-xl bg-kumo-base p-4 shadow-sm ring-1 ring-kumo-line">
      <h3 className="flex items-start gap-2.5 text-[15px] font-semibold text-kumo-strong">
        <HourglassIcon weight="fill" className="mt-px size-5 shrink-0 text-tide" aria-hidden="true" />
        {queueText.busyTitle}
      </h3>
      <p className="break-words text-kumo-subtle">
        {props.canQueue ? queueText.busyHint(running.title) : queueText.busyAnswers(running.title)}
      </p>
      {add.isError && <FailureNote title={queueText.addFailed} error={add.error} />}
      {add.data && <QueuedNote answer={add.data} titleOf={() => props.title} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {props.canQueue && (
          <Button variant="primary" icon={<ListPlusIcon />} loading={add.isPending} onClick={queue}>
            {queueText.add}
          </Button>
        )}
        <a
          href={href.project(projectId, { ticket: running.ticketId, tab: 'build', pane: 'work' })}
          className="rounded-sm text-[13px] break-words text-kumo-link underline underline-offset-3"
        >
          {queueText.watch(running.title)}
        </a>
      </div>
    </section>
  )
}

/** A ref of a button. When the button disappears while it has the focus, the focus moves to the tab panel around it. */
const passFocusToPanel = (button: HTMLButtonElement) => () => {
  if (button === document.activeElement) button.closest<HTMLElement>('[role=tabpanel]')?.focus()
}

/**
 * The position of a queued ticket and why the ticket waits, with a button to remove it from the queue. A ticket that waits for other
 * tickets also has a button to build it without them. Renders nothing for a ticket that is not queued.
 */
export const QueuePosition = memo(function QueuePosition(props: { projectId: string; ticketId: string }) {
  const { projectId, ticketId } = props
  const queue = useQuery(queueQuery(projectId)).data
  const removal = useRemoveFromQueue(projectId)
  const place = queuePosition(queue, ticketId)
  const waiting = queue?.queued.find((row) => row.ticketId === ticketId)?.waiting ?? null
  const isHeldBack = waiting?.reason === 'dependencies'
  // The cached queue lists a build that has started until the queue is read again.
  const isStarted = useBuildPart(ticketId, isBuilding)
  if (!place && !removal.isError) return null
  return (
    <div className="space-y-2 px-4 pt-4">
      {removal.isError && <FailureNote title={queueText.removeFailed} error={removal.error} />}
      {place && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl bg-tide-tint px-3.5 py-2.5 ring-1 ring-tide-line">
          <HourglassIcon weight="fill" className="size-5 shrink-0 text-tide" aria-hidden="true" />
          <p role="status" className="min-w-0 flex-1 basis-40">
            <span className="font-medium text-kumo-strong">{queueText.place(place.n, place.of)}.</span>{' '}
            <span className="break-words text-kumo-subtle">
              {waiting && `${describeWaiting(waiting)} `}
              {isHeldBack ? queueText.stuckHint : queueText.placeHint}
            </span>
          </p>
          {isHeldBack && !queue?.running && !isStarted && (
            <Button ref={passFocusToPanel} size="sm" onClick={() => startBuild(projectId, ticketId)}>
              {queueText.anyway}
            </Button>
          )}
          <Button ref={passFocusToPanel} size="sm" onClick={() => removal.mutate(ticketId)}>
            {queueText.leave}
          </Button>
        </div>
      )}
    </div>
  )
})

export function QueuedNote({
  answer,
  titleOf = () => undefined,
}: {
  answer: QueuedBuilds
  titleOf?: (ticketId: string) => string | undefined
}) {
  const { sentence, skipped } = describeQueued(answer, titleOf)
  return (
    <div role="status" className="text-[13px]">
      <p className="font-medium text-kumo-strong">{sentence}</p>
      <ul className="mt-1 space-y-0.5">
        {skipped.map(({ ticketId, title, why }) => (
          <li key={ticketId} className="break-words text-kumo-subtle">
            <span className="text-kumo-default">{title}</span>: {why}
          </li>
        ))}
      </ul>
    </div>
  )
}
