import { useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useShortcut } from '../../../shell/keys/shortcuts.ts'
import { useBuildTicket } from '../../builds/start/use-build-action.ts'
import type { NavigateWorkspace } from '../../../state/use-workspace-location.ts'
import type { PaneState, MenuKind } from '../../../state/tickets/pane-context.ts'
import { undoEdit } from '../../../state/tickets/edit-tickets.ts'
import { neighbour } from '../../../lib/list-cursor.ts'
import { cachedTicket } from '../../../state/tickets/ticket-cache.ts'
import { isModifierHeld } from '../../../ui/browser/held-modifier.ts'
import { requestTitleEdit } from '../../../state/tickets/title-request.ts'

/**
 * Binds the shortcuts of the tickets. They act on the selected tickets, otherwise on the ticket at the cursor, otherwise on the open
 * ticket. Returns the handler of the arrow keys while a ticket is focused.
 */
export function useTicketKeys(
  pane: PaneState,
  actions: {
    go: NavigateWorkspace
    queue: (ids: string[]) => void
    fallbackAnchor: () => HTMLElement | null
  },
) {
  const client = useQueryClient()
  const { marks, order, chosen } = pane
  const { build } = useBuildTicket(pane.projectId)
  const here = () => marks.cursor() ?? chosen
  const targets = () => (marks.marked().size > 0 ? [...marks.marked()] : [here()].filter((id) => id !== null))
  const moveCursor = (by: 1 | -1, isRange = false) => {
    const next = neighbour(order.current(), here(), by)
    if (next === null) return
    if (isRange) marks.extendTo(next, order.current())
    marks.focus(next)
  }
  const menu = (kind: MenuKind) => {
    const ids = targets()
    const anchor = anchorOf(ids) ?? actions.fallbackAnchor()
    if (ids.length > 0 && anchor) pane.open({ kind, ids, anchor })
  }
  const current = () => {
    const id = here()
    return id === null ? null : cachedTicket(client, pane.projectId, id)
  }
  useShortcut('nextTicket', (event) => moveCursor(1, event.shiftKey))
  useShortcut('previousTicket', (event) => moveCursor(-1, event.shiftKey))
  useShortcut('openTicket', () => {
    const ticket = current()
    if (ticket) pane.choose(ticket)
  })
  useShortcut('editTicket', () => {
    const id = here()
    if (id === null) return
    requestTitleEdit(id)
    actions.go({ ticket: id, tab: 'ticket', pane: 'work' })
  })
  useShortcut('setStatus', () => menu('status'))
  useShortcut('setPriority', () => menu('priority'))
  useShortcut('setLabels', () => {
    const ids = targets()
    if (ids.length > 0) pane.open({ kind: 'labels', ids })
  })
  useShortcut('selectTicket', (event) => {
    const id = here()
    if (id === null) return
    if (event.shiftKey) marks.extendTo(id, order.current())
    else marks.toggle(id)
  })
  useShortcut('buildTicket', () => {
    const ticket = current()
    if (!ticket) return
    build(ticket)
    if (ticket.type !== 'epic') actions.go({ ticket: ticket.id, tab: 'build', pane: 'work' })
  })
  useShortcut('queueTicket', () => {
    const ids = targets()
    if (ids.length > 0) actions.queue(ids)
  })
  useShortcut('undo', () => void undoEdit())
  return (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    const onTicket = event.target instanceof HTMLElement && event.target.dataset['ticket'] !== undefined
    if (by === null || !onTicket || isModifierHeld(event)) return
    event.preventDefault()
    moveCursor(by, event.shiftKey)
  }
}

/** Returns the element beside which a menu opens: the status button of a single ticket, or the bar of the selection. */
function anchorOf(ids: string[]): HTMLElement | null {
  if (ids.length > 1) return document.querySelector<HTMLElement>('[data-bulk=status]')
  return document.querySelector<HTMLElement>(`[data-status-of="${CSS.escape(ids[0] ?? '')}"]`)
}
