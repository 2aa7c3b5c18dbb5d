import type { ConnectionState } from './connection.ts'

export type BarKind = 'offline' | 'away' | 'noModel' | 'outdated'

/** What the bar above the page has to say, one thing at a time: the most severe. */
export function chooseBar(now: {
  connection: ConnectionState
  /** Null while it is not known. */
  hasModel: boolean | null
  isOutdated: boolean
}): BarKind | null {
  if (now.connection !== 'online') return now.connection
  if (now.hasModel === false) return 'noModel'
  return now.isOutdated ? 'outdated' : null
}
