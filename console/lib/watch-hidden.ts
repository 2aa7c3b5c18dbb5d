/**
 * How long a tab is hidden before it closes its streams. Browsers allow six connections per origin, over all
 * tabs, which the streams of hidden tabs would use up.
 */
const HIDDEN_MS = 30_000

/**
 * Calls `onHidden` once the tab has been hidden for 30 seconds, and `onShown` each time it becomes visible. Returns the function that ends
 * the watch.
 */
export function watchHidden({
  onHidden,
  onShown,
}: {
  onHidden: () => void
  onShown?: () => void
}): () => void {
  // A tab may be opened in the background, so it may be hidden from the start.
  let timer = document.hidden ? setTimeout(onHidden, HIDDEN_MS) : undefined
  const changed = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(onHidden, HIDDEN_MS)
    else onShown?.()
  }
  document.addEventListener('visibilitychange', changed)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', changed)
  }
}
