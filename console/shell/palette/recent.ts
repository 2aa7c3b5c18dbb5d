import { isObjectOrList } from '../../lib/fields.ts'

/** A page that was opened with the palette, with the text under which the palette lists it. */
export interface RecentPage {
  to: string
  label: string
}

const STORAGE_KEY = 'slipway.recent'
const RECENT_PAGES_MAX = 8

/** The recently opened pages, newest first. Invalid stored data counts as empty. */
export function readRecentPages(): RecentPage[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentPage) : []
  } catch {
    return []
  }
}

/** Stores a page as the most recent one. Only the newest `RECENT_PAGES_MAX` are stored. */
export function rememberPage(page: RecentPage): void {
  const others = readRecentPages().filter(({ to }) => to !== page.to)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([page, ...others].slice(0, RECENT_PAGES_MAX)))
  } catch {
    // Storage is blocked, so no page is remembered.
  }
}

function isRecentPage(value: unknown): value is RecentPage {
  if (!isObjectOrList(value)) return false
  // Another program on this origin may have written this, so accept only paths of this console.
  return typeof value.label === 'string' && typeof value.to === 'string' && /^\/(?!\/)/.test(value.to)
}
