import { describeFailure } from '../../api/request/failures.ts'
import { shellText } from '../../text/shell.en.ts'
import { type ToastAction, ToastStore } from './toast-store.ts'

const store = new ToastStore()
let isMounted = false

interface NotifyOptions {
  /** The way back, offered as Undo. */
  undo?: () => void
  action?: ToastAction
  /** `attention`: it stays until it is dismissed. */
  tone?: 'done' | 'attention'
}

/** Says that something was done or has happened, with a way back or on where there is one. */
export function notify(words: string, { undo, action, tone = 'done' }: NotifyOptions = {}): void {
  show()
  const way = undo === undefined ? (action ?? null) : { label: shellText.toasts.undo, run: undo }
  store.add({ words, failure: null, action: way, tone })
}

/** Says what failed, with its code and request id. Beside a form the failure belongs into the form instead. */
export function notifyFailure(error: unknown): void {
  const failure = describeFailure(error)
  show()
  store.add({ words: failure.sentence, failure, action: null, tone: 'attention' })
}

/** The first message brings the view: a page that says nothing loads nothing. */
function show(): void {
  if (isMounted) return
  isMounted = true
  void import('./toast-view.tsx').then((view) => view.mountToasts(store))
}
