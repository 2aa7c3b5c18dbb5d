/** A page that was opened with the palette, with the text under which the palette lists it. */
export interface RecentPlace {
  to: string
  label: string
}

const STORAGE_KEY = 'slipway.recent'
const RECENT_PLACES_MAX = 8

/** The recently opened pages, newest first. Invalid stored data counts as empty. */
export function readRecent(): RecentPlace[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentPlace) : []
  } catch {
    return []
  }
}

/** Stores a page as the most recent one. Only the newest `RECENT_PLACES_MAX` are stored. */
export function rememberPlace(place: RecentPlace): void {
  const others = readRecent().filter(({ to }) => to !== place.to)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([place, ...others].slice(0, RECENT_PLACES_MAX)))
  } catch {
    // Storage is blocked, so no page is remembered.
  }
}

function isRecentPlace(value: unknown): value is RecentPlace {
  const place = value as Partial<RecentPlace> | null
  // Another program on this origin may have written this, so accept only paths of this console.
  return typeof place?.label === 'string' && typeof place.to === 'string' && /^\/(?!\/)/.test(place.to)
}
