/**
 * Collects items and passes them on once per animation frame, so that a fast stream does not block rendering.
 */
export function createFrameBatcher<T>(handle: (items: T[]) => void): { add(item: T): void; flush(): void } {
  let waiting: T[] = []
  let cancel: (() => void) | null = null
  const flush = () => {
    cancel?.()
    cancel = null
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    handle(items)
  }
  return {
    add(item) {
      waiting.push(item)
      cancel ??= scheduleFlush(flush)
    },
    flush,
  }
}

/** A hidden tab gets no animation frames, so use a timer there. */
function scheduleFlush(flush: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(flush, 250)
    return () => clearTimeout(timer)
  }
  const handle = requestAnimationFrame(flush)
  return () => cancelAnimationFrame(handle)
}
