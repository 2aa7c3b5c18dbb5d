import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketStatus } from '../../../api/types.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { setStatus } from '../fields/set-status.ts'

/** Makes a card draggable. The caller passes `ref` to the element. */
export function useCardDrag(ticket: Ticket) {
  const ref = useRef<HTMLElement>(null)
  const [isDragged, setDragged] = useState(false)
  const { id } = ticket
  useEffect(() => {
    if (!ref.current) return
    return draggable({
      element: ref.current,
      getInitialData: () => ({ ticketId: id }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [id])
  return { ref, isDragged }
}

/** Makes a column a drop target. Dropping a selected card moves all selected tickets. */
export function useColumnDrop(status: TicketStatus) {
  const ref = useRef<HTMLElement>(null)
  const [isOver, setOver] = useState(false)
  const pane = usePane()
  const client = useQueryClient()
  const receive = useEffectEvent((ticketId: unknown) => {
    if (typeof ticketId !== 'string') return
    const marked = pane.marks.marked()
    const ids = marked.has(ticketId) ? [...marked] : [ticketId]
    void setStatus(client, pane, ids, status)
  })
  useEffect(() => {
    if (!ref.current) return
    return dropTargetForElements({
      element: ref.current,
      canDrop: ({ source }) => 'ticketId' in source.data,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        receive(source.data['ticketId'])
      },
    })
  }, [])
  return { ref, isOver }
}
