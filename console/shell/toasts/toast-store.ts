import type { Failure } from '../../api/request/failures.ts'
import { createStore } from '../../lib/store.ts'

/** A button of a message, such as Undo. Pressing it also dismisses the message. */
export interface ToastAction {
  label: string
  run: () => void
}

export interface ToastMessage {
  id: number
  words: string
  /** The failure that the message describes; null for any other message. */
  failure: Failure | null
  action: ToastAction | null
  /** A message with `attention` stays until it is dismissed. */
  tone: 'done' | 'attention'
}

const TOASTS_SHOWN_MAX = 4
const TOAST_SHOWN_MS = 4000
const ACTION_SHOWN_MS = 8000

/**
 * How long a message is shown, in milliseconds. A message with an action is shown longer, so that a person can reach it. Null means until
 * it is dismissed.
 */
export const shownMs = (toast: ToastMessage): number | null => {
  if (toast.tone === 'attention') return null
  return toast.action ? ACTION_SHOWN_MS : TOAST_SHOWN_MS
}

/** The messages on screen, at most `TOASTS_SHOWN_MAX`: a further message removes the oldest. */
export class ToastStore {
  readonly #shown = createStore<readonly ToastMessage[]>([])
  #lastId = 0

  readonly get = this.#shown.get
  readonly subscribe = this.#shown.subscribe

  /** Adds a message. A failure replaces an earlier message with the same text, so that the newest request id is shown. */
  add(toast: Omit<ToastMessage, 'id'>): void {
    const isRepeat = (other: ToastMessage) => other.failure !== null && other.words === toast.words
    const others = toast.failure ? this.get().filter((other) => !isRepeat(other)) : this.get()
    this.#shown.set([...others, { ...toast, id: ++this.#lastId }].slice(-TOASTS_SHOWN_MAX))
  }

  dismiss(id: number): void {
    this.#shown.set(this.get().filter((toast) => toast.id !== id))
  }
}
