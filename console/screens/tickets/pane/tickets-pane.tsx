import { lazy, memo, Suspense, useMemo, useRef, useState } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketFilter } from '../../../api/types.ts'
import type { TicketView } from '../../../routes.ts'
import { readFocus } from '../../../shell/keys/shortcut-gate.ts'
import { notify, notifyFailure } from '../../../shell/toasts/toasts.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { describeQueued } from '../../builds/queue/queue-line.ts'
import { useAddToQueue } from '../../builds/queue/use-queue.ts'
import type { NavigateWorkspace } from '../../../state/use-workspace-location.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CaptureBox } from './capture-box.tsx'
import { type PaneState, PaneContext, type Overlay } from '../../../state/tickets/pane-context.ts'
import { MarkStore } from '../../../state/tickets/mark-store.ts'
import { TicketList } from '../list/ticket-list.tsx'
import { Toolbar } from './toolbar.tsx'
import { useRemoteChanges } from './use-remote-changes.ts'
import { useTicketKeys } from './use-ticket-keys.ts'

const Board = lazy(() => import('../board/board.tsx').then((module) => ({ default: module.Board })))
const TicketTree = lazy(() =>
  import('../tree/ticket-tree.tsx').then((module) => ({ default: module.TicketTree })),
)
const LabelDialog = lazy(() =>
  import('../dialogs/label-dialog.tsx').then((module) => ({ default: module.LabelDialog })),
)
const ParentDialog = lazy(() =>
  import('../dialogs/parent-dialog.tsx').then((module) => ({ default: module.ParentDialog })),
)
const FieldMenu = lazy(() =>
  import('../dialogs/field-menu.tsx').then((module) => ({ default: module.FieldMenu })),
)

interface TicketsPaneProps {
  projectId: string
  view: TicketView
  filter: TicketFilter
  /** The ticket that is open in the Work pane. */
  chosen: string | null
  /** The ticket whose details are on screen beside this pane. */
  detailed: string | null
  go: NavigateWorkspace
}

function ticketsView(view: TicketView, go: NavigateWorkspace) {
  if (view === 'board') return <Board go={go} />
  return view === 'tree' ? <TicketTree /> : <TicketList go={go} />
}

export const TicketsPane = memo(function TicketsPane(props: TicketsPaneProps) {
  const { projectId, view, filter, chosen, detailed, go } = props
  const [marks] = useState(() => new MarkStore())
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const [spoken, setSpoken] = useState('')
  const order = useRef<() => string[]>(() => [])
  const body = useRef<HTMLDivElement>(null)
  const captureBox = useRef<HTMLDivElement>(null)
  const queue = useQueueTickets(projectId)
  const pane = useMemo<PaneState>(
    () => ({
      projectId,
      chosen,
      detailed,
      filter,
      marks,
      order,
      choose: (ticket: Ticket) => {
        marks.moveTo(ticket.id)
        go({ ticket: ticket.id, tab: ticket.build.runId ? 'build' : 'ticket', pane: 'work' })
      },
      open: setOverlay,
      announce: setSpoken,
    }),
    [projectId, chosen, detailed, filter, marks, go],
  )
  useRemoteChanges(projectId)
  const onKeyDown = useTicketKeys(pane, { go, queue, fallbackAnchor: () => body.current })
  const openCaptured = (ticket: Ticket) => {
    const { activeElement } = document
    // The user types in another field: opening the ticket would remove that field, and the next keys would act as shortcuts.
    if (readFocus(activeElement).inField && !captureBox.current?.contains(activeElement)) return
    go({ ticket: ticket.id, tab: 'build' })
  }
  return (
    <PaneContext value={pane}>
      <Toolbar view={view} go={go} />
      <BulkBar onQueue={queue} />
      <div
        ref={body}
        data-scroller={view === 'board' ? undefined : ''}
        onKeyDown={onKeyDown}
        className={`min-h-0 flex-1 bg-kumo-canvas p-2 ${view === 'board' ? 'overflow-hidden' : 'overflow-y-auto'}`}
      >
        <Suspense fallback={null}>{ticketsView(view, go)}</Suspense>
      </div>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      <div className="shrink-0 border-t border-kumo-line bg-kumo-base p-2.5">
        <div ref={captureBox} className="max-w-3xl">
          <CaptureBox projectId={projectId} onCaptured={openCaptured} />
        </div>
      </div>
      <Suspense fallback={null}>
        {(overlay?.kind === 'status' || overlay?.kind === 'priority') && (
          <FieldMenu {...overlay} onClose={() => setOverlay(null)} />
        )}
        {overlay?.kind === 'labels' && (
          <LabelDialog projectId={projectId} ids={overlay.ids} onClose={() => setOverlay(null)} />
        )}
        {overlay?.kind === 'parent' && (
          <ParentDialog
            projectId={projectId}
            ticketId={overlay.ids[0] ?? ''}
            onClose={() => setOverlay(null)}
          />
        )}
      </Suspense>
    </PaneContext>
  )
})

function useQueueTickets(projectId: string): (ids: string[]) => void {
  const adding = useAddToQueue(projectId)
  // Uses `mutateAsync`, because React Query drops the callbacks of `mutate` when another call follows, or when the pane is left.
  const queue = async (ids: string[]) => {
    try {
      const { sentence, skipped } = describeQueued(await adding.mutateAsync(ids), () => undefined)
      const reason = [...new Set(skipped.map(({ why }) => why))].join(' ')
      notify(reason ? ticketsText.build.queuedPartly(sentence, reason) : sentence)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (ids) => void queue(ids)
}
