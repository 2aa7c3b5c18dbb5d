import { describeFailure } from '../../api/request/failures.ts'
import { loadOnce } from '../../lib/load-once.ts'
import { shellText } from '../../text/shell.en.ts'
import { type ToastAction, ToastStore } from './toast-store.ts'

const toastStore = new ToastStore()
const loadToastView = loadOnce(async () => (await import('./toast-view.tsx')).mountToasts(toastStore))

interface NotifyOptions {
  undo?: () => void
  action?: ToastAction
  /** A message with `attention` stays until it is dismissed. */
  tone?: 'done' | 'attention'
}

/** Shows a short message at the edge of the window. With `undo` it has an Undo button, which replaces `action`. */
export function notify(words: string, { undo, action, tone = 'done' }: NotifyOptions = {}): void {
  showView()
  const way = undo === undefined ? (action ?? null) : { label: shellText.toasts.undo, run: undo }
  toastStore.add({ words, failure: null, action: way, tone })
}

/**
 * Shows the error of an API request with its code and request id. Not for forms, which show their own errors.
 */
export function notifyFailure(error: unknown): void {
  const failure = describeFailure(error)
  showView()
  toastStore.add({ words: failure.sentence, failure, action: null, tone: 'attention' })
}

/** Loads the view with the first message, so that pages without messages do not load it. */
function showView(): void {
  // When the service is down, the view cannot be loaded. The next message tries again and then also shows this message.
  loadToastView().catch(() => {})
}
