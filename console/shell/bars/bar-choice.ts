import type { ConnectionState } from './connection.ts'

/** What the bar says: no network, service not reachable, no model connected, or a newer console to load. */
export type BarKind = 'offline' | 'away' | 'noModel' | 'outdated'

/** Returns the most severe message for the bar above the page. */
export function chooseBar(now: {
  connection: ConnectionState
  /** Whether a model is connected; null until that is loaded, and where the bar does not say it. */
  hasModel: boolean | null
  isOutdated: boolean
}): BarKind | null {
  if (now.connection !== 'online') return now.connection
  if (now.hasModel === false) return 'noModel'
  return now.isOutdated ? 'outdated' : null
}
