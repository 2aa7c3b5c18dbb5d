/** A place somebody chose before. */
export interface RecentPlace {
  to: string
  label: string
}

const KEY = 'slipway.recent'
const KEPT = 8

/** The places chosen last, newest first; anything unreadable counts as none. */
export function readRecent(): RecentPlace[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPlace) : []
  } catch {
    return []
  }
}

/** Remembers a place; chosen again it moves to the front. */
export function rememberPlace(place: RecentPlace): void {
  const others = readRecent().filter(({ to }) => to !== place.to)
  try {
    localStorage.setItem(KEY, JSON.stringify([place, ...others].slice(0, KEPT)))
  } catch {
    // Without storage the palette begins with everything else.
  }
}

function isPlace(value: unknown): value is RecentPlace {
  const place = value as Partial<RecentPlace> | null
  // Storage is shared with whatever else ran on this host: only paths of this console are followed.
  return typeof place?.label === 'string' && typeof place.to === 'string' && /^\/(?!\/)/.test(place.to)
}
