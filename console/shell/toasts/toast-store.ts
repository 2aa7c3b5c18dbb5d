import type { Failure } from '../../api/request/failures.ts'
import { createStore } from '../../lib/store.ts'

export interface ToastAction {
  label: string
  run: () => void
}

export interface ToastMessage {
  id: number
  words: string
  /** Set for a failed call. */
  failure: Failure | null
  action: ToastAction | null
  /** `attention`: stays until it is dismissed. */
  tone: 'done' | 'attention'
}

const MOST_AT_ONCE = 4
const SHOWN_MS = 4000
const ACTION_SHOWN_MS = 8000

/**
 * How long a message is shown, in milliseconds; longer with an action, so that there is time to reach it.
 * Null: until it is dismissed.
 */
export const shownMs = (toast: ToastMessage): number | null => {
  if (toast.tone === 'attention') return null
  return toast.action ? ACTION_SHOWN_MS : SHOWN_MS
}

export class ToastStore {
  readonly #shown = createStore<readonly ToastMessage[]>([])
  #lastId = 0

  readonly get = this.#shown.get
  readonly subscribe = this.#shown.subscribe

  /** Adds a message. Equal failures of several calls are one message, with the newest request id. */
  add(toast: Omit<ToastMessage, 'id'>): void {
    const isRepeat = (other: ToastMessage) => other.failure !== null && other.words === toast.words
    const others = toast.failure ? this.get().filter((other) => !isRepeat(other)) : this.get()
    this.#shown.set([...others, { ...toast, id: ++this.#lastId }].slice(-MOST_AT_ONCE))
  }

  dismiss(id: number): void {
    this.#shown.set(this.get().filter((toast) => toast.id !== id))
  }
}
