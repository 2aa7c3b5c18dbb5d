import { createContext, use } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketFilter } from '../../../api/types.ts'
import type { MarkStore } from './mark-store.ts'

export type MenuKind = 'status' | 'priority'
/** A menu or dialog over the tickets: what it is about, and the element it belongs to. */
export type Overlay =
  | { kind: MenuKind; ids: string[]; anchor: HTMLElement }
  | { kind: 'labels' | 'parent'; ids: string[] }

/** What every part of the tickets pane shares. */
export interface Desk {
  projectId: string
  /** The ticket on screen in the Work pane. */
  chosen: string | null
  filter: TicketFilter
  marks: MarkStore
  /** The tickets on screen from top to bottom, told by the view that shows them. */
  order: { current: () => string[] }
  choose: (ticket: Ticket) => void
  open: (overlay: Overlay) => void
  /** Tells those who cannot see it. */
  announce: (words: string) => void
}

export const DeskContext = createContext<Desk | null>(null)

/** The pane's shared parts; only inside the pane. */
export function useDesk(): Desk {
  const desk = use(DeskContext)
  if (!desk) throw new Error('outside of the tickets pane')
  return desk
}
