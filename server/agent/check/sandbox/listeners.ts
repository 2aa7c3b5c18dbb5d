const EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const

/**
 * Remembers the process's listeners and answers a function that removes all added since. Miniflare adds some for
 * every instance (its own call process.exit()), and a checker makes hundreds of instances.
 */
export function keepListeners(): () => void {
  const kept = EVENTS.map((event) => new Set(process.listeners(event as 'exit')))
  return () => {
    for (const [i, event] of EVENTS.entries()) {
      for (const listener of process.listeners(event as 'exit')) {
        if (!kept[i]?.has(listener)) process.off(event, listener)
      }
    }
  }
}
