import { useSyncExternalStore } from 'react'
import { Icon } from './icons.tsx'

const TOAST_MS = 5000

interface ShownToast {
  id: number
  text: string
  kind: 'done' | 'failed'
}

let currentToast: ShownToast | null = null
let lastId = 0
const toastListeners = new Set<() => void>()

function setToast(next: ShownToast | null): void {
  currentToast = next
  for (const listener of toastListeners) listener()
}

function addListener(listener: () => void): () => void {
  toastListeners.add(listener)
  return () => toastListeners.delete(listener)
}

/**
 * Shows a short message at the edge of the window and announces it to screen readers. Replaces the previous message. Use `Notice` for
 * errors: a notice stays, and is shown where the person acted.
 */
export function showToast(text: string, kind: ShownToast['kind'] = 'done'): void {
  const toast = { id: ++lastId, text, kind }
  setToast(toast)
  setTimeout(() => currentToast === toast && setToast(null), TOAST_MS)
}

/** Always rendered, because screen readers announce changes only in a region that already exists. */
export function ToastRegion() {
  const toast = useSyncExternalStore(
    addListener,
    () => currentToast,
    () => null,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toast !== null && (
        <div key={toast.id} className={`toast toast-${toast.kind}`}>
          <Icon name={toast.kind === 'done' ? 'check' : 'alert'} />
          {toast.text}
        </div>
      )}
    </div>
  )
}
