import { createStore, useStore } from '../../lib/store.ts'
import type { TicketStatus } from '../../api/types.ts'

/** A ticket to focus as soon as a list shows it; if a status is given, in that status's group. */
export interface FocusRequest {
  id: string
  status: TicketStatus | null
}

interface TicketMarks {
  marked: ReadonlySet<string>
  cursor: string | null
  wanted: FocusRequest | null
}

/**
 * The selected tickets and the keyboard cursor of the tickets pane. Outside of React, so that moving the cursor does not render the whole
 * pane.
 */
export class MarkStore {
  readonly #store = createStore<TicketMarks>({ marked: new Set(), cursor: null, wanted: null })

  readonly get = this.#store.get
  readonly subscribe = this.#store.subscribe

  readonly marked = (): ReadonlySet<string> => this.get().marked
  readonly cursor = (): string | null => this.get().cursor
  readonly wanted = (): FocusRequest | null => this.get().wanted

  /** Selects the ticket or removes it from the selection, and moves the cursor there. */
  toggle(id: string): void {
    const marked = new Set(this.marked())
    if (!marked.delete(id)) marked.add(id)
    this.#update({ marked, cursor: id })
  }

  /** Selects every ticket from the cursor to this ticket, in the order on screen. Tickets that are selected already stay selected. */
  extendTo(id: string, order: string[]): void {
    const from = order.indexOf(this.cursor() ?? id)
    const to = order.indexOf(id)
    if (from < 0 || to < 0) return this.toggle(id)
    const between = order.slice(Math.min(from, to), Math.max(from, to) + 1)
    this.#update({ marked: new Set([...this.marked(), ...between]), cursor: id })
  }

  /** Removes the selection. The cursor stays. */
  clear(): void {
    this.#update({ marked: new Set() })
  }

  /** Moves the cursor without requesting the focus, because the ticket has the focus already. */
  moveTo(id: string | null): void {
    if (id !== this.cursor()) this.#update({ cursor: id })
  }

  /** Moves the cursor to this ticket and requests the focus for it. */
  focus(id: string, status: TicketStatus | null = null): void {
    this.#update({ cursor: id, wanted: { id, status } })
  }

  /** Ends the request for the focus: the ticket was focused, or no list will show it. */
  arrived(): void {
    if (this.wanted() !== null) this.#update({ wanted: null })
  }

  #update(part: Partial<TicketMarks>): void {
    this.#store.set({ ...this.get(), ...part })
  }
}

/** Renders again with every change of the selection. A row uses `useIsMarked` instead. */
export const useMarked = (store: MarkStore): ReadonlySet<string> => useStore(store, ({ marked }) => marked)

export const useIsMarked = (store: MarkStore, id: string): boolean =>
  useStore(store, ({ marked }) => marked.has(id))

export const useCursor = (store: MarkStore): string | null => useStore(store, ({ cursor }) => cursor)

/** The ticket to focus; null when there is none. The list that shows the ticket focuses it and calls `arrived`. */
export const useFocusRequest = (store: MarkStore): FocusRequest | null =>
  useStore(store, ({ wanted }) => wanted)
