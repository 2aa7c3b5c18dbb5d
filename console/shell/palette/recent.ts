export interface RecentPlace {
  to: string
  label: string
}

const KEY = 'slipway.recent'
const KEPT = 8

/** The recently opened pages, newest first; invalid storage counts as empty. */
export function readRecent(): RecentPlace[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPlace) : []
  } catch {
    return []
  }
}

/** Puts a page first in the list, which keeps the newest `KEPT`. */
export function rememberPlace(place: RecentPlace): void {
  const others = readRecent().filter(({ to }) => to !== place.to)
  try {
    localStorage.setItem(KEY, JSON.stringify([place, ...others].slice(0, KEPT)))
  } catch {
    // Storage is blocked: nothing is remembered.
  }
}

function isPlace(value: unknown): value is RecentPlace {
  const place = value as Partial<RecentPlace> | null
  // Other programs on this host may write to the same storage, so only paths of this console are accepted.
  return typeof place?.label === 'string' && typeof place.to === 'string' && /^\/(?!\/)/.test(place.to)
}
