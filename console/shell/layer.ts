/** What of the frame's own dialogs is open. */
export type Layer = 'palette' | 'shortcuts' | null

let shown: Layer = null
const listeners = new Set<() => void>()

/** Opens and closes the palette and the list of shortcuts from anywhere. */
export const layer = {
  get: () => shown,
  show(next: Layer): void {
    shown = next
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
