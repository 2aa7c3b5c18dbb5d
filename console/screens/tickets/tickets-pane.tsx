import { lazy, Suspense, useRef, useState } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { Go, Place } from '../workspace/use-place.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CaptureBox } from './capture-box.tsx'
import { type Desk, DeskContext, type Overlay } from './desk.ts'
import { MarkStore } from './mark-store.ts'
import { TicketList } from './ticket-list.tsx'
import { Toolbar } from './toolbar.tsx'
import { useOthersChanges } from './use-others-changes.ts'
import { useQueueTickets } from './use-queue-tickets.ts'
import { useTicketKeys } from './use-ticket-keys.ts'

const FieldMenu = lazy(() => import('./field-menu.tsx').then((module) => ({ default: module.FieldMenu })))

interface TicketsPaneProps {
  projectId: string
  place: Place
  /** The ticket on screen in the Work pane. */
  chosen: string | null
  go: Go
}

/** All tickets of a project in one of three views, with the box at the foot that makes the next one. */
export function TicketsPane({ projectId, place, chosen, go }: TicketsPaneProps) {
  const [marks] = useState(() => new MarkStore())
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const [spoken, setSpoken] = useState('')
  const order = useRef<string[]>([])
  const body = useRef<HTMLDivElement>(null)
  const queue = useQueueTickets(projectId)
  const desk: Desk = {
    projectId,
    chosen,
    filter: place.filter,
    marks,
    order,
    choose: (ticket: Ticket) => {
      marks.moveTo(ticket.id)
      go({ ticket: ticket.id, tab: ticket.build.runId ? 'build' : 'ticket', pane: 'work' })
    },
    open: setOverlay,
    announce: setSpoken,
  }
  useOthersChanges(projectId)
  const onKeyDown = useTicketKeys(desk, { go, queue, fallbackAnchor: () => body.current })
  return (
    <DeskContext value={desk}>
      <Toolbar view={place.view} go={go} />
      <BulkBar onQueue={queue} />
      <div
        ref={body}
        data-scroller
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto bg-kumo-canvas px-2 py-2"
      >
        <TicketList />
      </div>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      <div className="shrink-0 border-t border-kumo-line bg-kumo-base p-2.5">
        <CaptureBox projectId={projectId} onCaptured={(ticket) => go({ ticket: ticket.id, tab: 'build' })} />
      </div>
      <Suspense fallback={null}>
        {(overlay?.kind === 'status' || overlay?.kind === 'priority') && (
          <FieldMenu {...overlay} onClose={() => setOverlay(null)} />
        )}
      </Suspense>
    </DeskContext>
  )
}
