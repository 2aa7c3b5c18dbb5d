import { useSyncExternalStore } from 'react'
import type { TicketStatus } from '../../../api/types.ts'

/** A ticket that is to have the focus, as soon as it stands under this status where one is named. */
export interface WantedFocus {
  id: string
  status: TicketStatus | null
}

/** The tickets that are selected together, where the keyboard stands, and where the focus is to go. */
export class MarkStore {
  #marked: ReadonlySet<string> = new Set()
  #cursor: string | null = null
  #wanted: WantedFocus | null = null
  readonly #listeners = new Set<() => void>()

  readonly marked = (): ReadonlySet<string> => this.#marked
  readonly cursor = (): string | null => this.#cursor

  readonly wanted = (): WantedFocus | null => this.#wanted

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Selects a ticket or lets it go. */
  toggle(id: string): void {
    const next = new Set(this.#marked)
    if (!next.delete(id)) next.add(id)
    this.#change(next, id)
  }

  /** Selects everything between where the keyboard stands and this ticket, in the order on screen. */
  extendTo(id: string, order: string[]): void {
    const from = order.indexOf(this.#cursor ?? id)
    const to = order.indexOf(id)
    if (from < 0 || to < 0) return this.toggle(id)
    const between = order.slice(Math.min(from, to), Math.max(from, to) + 1)
    this.#change(new Set([...this.#marked, ...between]), id)
  }

  clear(): void {
    this.#change(new Set(), this.#cursor)
  }

  moveTo(id: string | null): void {
    if (id !== this.#cursor) this.#change(this.#marked, id)
  }

  /** The keyboard stands here and the focus comes too. */
  focus(id: string, status: TicketStatus | null = null): void {
    this.#wanted = { id, status }
    this.#change(this.#marked, id)
  }

  /** The focus has arrived, or there is nothing to wait for any more. */
  arrived(): void {
    if (this.#wanted === null) return
    this.#wanted = null
    this.#change(this.#marked, this.#cursor)
  }

  #change(marked: ReadonlySet<string>, cursor: string | null): void {
    this.#marked = marked
    this.#cursor = cursor
    for (const listener of this.#listeners) listener()
  }
}

export const useMarked = (store: MarkStore): ReadonlySet<string> =>
  useSyncExternalStore(store.subscribe, store.marked)

export const useIsMarked = (store: MarkStore, id: string): boolean =>
  useSyncExternalStore(store.subscribe, () => store.marked().has(id))

export const useCursor = (store: MarkStore): string | null =>
  useSyncExternalStore(store.subscribe, store.cursor)

export const useWantedFocus = (store: MarkStore): WantedFocus | null =>
  useSyncExternalStore(store.subscribe, store.wanted)
