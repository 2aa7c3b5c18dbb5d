import { createContext, use } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketFilter } from '../../api/types.ts'
import type { MarkStore } from './mark-store.ts'

export type MenuKind = 'status' | 'priority'
/** The menu or dialog that is open over the tickets, and the tickets that it changes. */
export type Overlay =
  | { kind: MenuKind; ids: string[]; anchor: HTMLElement }
  | { kind: 'labels' | 'parent'; ids: string[] }

/** What the list, the board and the tree of the tickets pane share. */
export interface PaneState {
  projectId: string
  /** The ticket that is open in the Work pane. */
  chosen: string | null
  /** The ticket whose details are on screen beside the tickets. */
  detailed: string | null
  filter: TicketFilter
  marks: MarkStore
  /** The ids of the tickets on screen from top to bottom. The current view sets it. */
  order: { current: () => string[] }
  choose: (ticket: Ticket) => void
  open: (overlay: Overlay) => void
  announce: (words: string) => void
}

/** Null outside of the tickets pane. Components read it with `usePane`. */
export const PaneContext = createContext<PaneState | null>(null)

/** The shared state of the tickets pane; throws outside of the pane. */
export function usePane(): PaneState {
  const pane = use(PaneContext)
  if (!pane) throw new Error('outside of the tickets pane')
  return pane
}
