import type { ReactNode } from 'react'

export const ENTRY_GROUPS = ['recent', 'actions', 'projects', 'tickets', 'places'] as const
export type Group = (typeof ENTRY_GROUPS)[number]

export interface PaletteEntry {
  id: string
  group: Group
  label: string
  detail?: string
  /** Synonyms that also find the entry. */
  keywords?: string
  icon: ReactNode
  /** The path of the page that the entry opens. Opened pages are listed as recent. */
  to?: string
  act?: () => void
  /** Why the entry is disabled; null when it is enabled. */
  reason?: string | null
}

/** The entries that contain every word of the text, best matches first. */
export function searchEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const query = typed.trim().toLowerCase()
  if (query === '') return [...entries]
  const words = query.split(/\s+/)
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, query, words) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ entry }) => entry)
}

function rankOf(entry: PaletteEntry, query: string, words: string[]): number | null {
  const label = entry.label.toLowerCase()
  const all = `${label} ${entry.keywords?.toLowerCase() ?? ''}`
  if (!words.every((word) => all.includes(word))) return null
  if (label.startsWith(query)) return 0
  if (words.every((word) => label.split(/\s+/).some((part) => part.startsWith(word)))) return 1
  return words.every((word) => label.includes(word)) ? 2 : 3
}

/** Groups the entries in the order of the groups. Empty groups are left out. */
export function groupEntries(entries: readonly PaletteEntry[]): { group: Group; entries: PaletteEntry[] }[] {
  return ENTRY_GROUPS.map((group) => ({
    group,
    entries: entries.filter((entry) => entry.group === group),
  })).filter((part) => part.entries.length > 0)
}

/** Returns the index to which an arrow key moves. After the last index comes the first. */
export const nextIndex = (at: number, by: number, count: number): number =>
  count === 0 ? -1 : (at + by + count) % count
