import { describeFailure } from '../api/failures.ts'
import { ToastStore } from './toast-store.ts'

const store = new ToastStore()
let isMounted = false

/** Says that something was done, with a way back where there is one. */
export function notify(words: string, options: { undo?: () => void } = {}): void {
  show()
  store.add({ words, failure: null, undo: options.undo ?? null })
}

/** Says what failed, with its code and request id. Beside a form the failure belongs into the form instead. */
export function notifyFailure(error: unknown): void {
  const failure = describeFailure(error)
  show()
  store.add({ words: failure.sentence, failure, undo: null })
}

/** The first message brings the view: a page that says nothing loads nothing. */
function show(): void {
  if (isMounted) return
  isMounted = true
  void import('./toast-view.tsx').then((view) => view.mountToasts(store))
}
