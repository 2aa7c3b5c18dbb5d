import { useSyncExternalStore } from 'react'
import { Icon } from './icons.tsx'

const SHOWN_MS = 5000

interface Toast {
  id: number
  text: string
  kind: 'done' | 'failed'
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a short message at the edge of the window and announces it to screen readers. */
export function showToast(text: string, kind: Toast['kind'] = 'done'): void {
  const toast = { id: ++lastId, text, kind }
  change([...toasts.slice(-2), toast])
  setTimeout(() => change(toasts.filter((shown) => shown !== toast)), SHOWN_MS)
}

/** The region of toasts; always rendered, because screen readers only follow regions that already exist. */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    listen,
    () => toasts,
    () => toasts,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={`toast toast-${toast.kind}`}>
          <Icon name={toast.kind === 'done' ? 'check' : 'alert'} />
          {toast.text}
        </div>
      ))}
    </div>
  )
}
