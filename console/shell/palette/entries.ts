import type { ReactNode } from 'react'

export const GROUPS = ['recent', 'actions', 'projects', 'tickets', 'places'] as const
export type Group = (typeof GROUPS)[number]

/** One line of the palette: a place to go to, or something to do. */
export interface Entry {
  id: string
  group: Group
  label: string
  /** Where it belongs or what it is, in small type. */
  detail?: string
  /** Other words somebody may look for. */
  keywords?: string
  icon: ReactNode
  /** Set for a place; it can be remembered. */
  to?: string
  act?: () => void
  /** Why it cannot be done now. */
  reason?: string | null
}

/** The entries that hold every word that was typed, those that begin with it first. */
export function matching(entries: readonly Entry[], typed: string): Entry[] {
  const query = typed.trim().toLowerCase()
  if (query === '') return [...entries]
  const words = query.split(/\s+/)
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, query, words) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ entry }) => entry)
}

function rankOf(entry: Entry, query: string, words: string[]): number | null {
  const label = entry.label.toLowerCase()
  const all = `${label} ${entry.keywords?.toLowerCase() ?? ''}`
  if (!words.every((word) => all.includes(word))) return null
  if (label.startsWith(query)) return 0
  if (words.every((word) => label.split(/\s+/).some((part) => part.startsWith(word)))) return 1
  return words.every((word) => label.includes(word)) ? 2 : 3
}

/** The entries under their headings, in the order of the headings; empty ones are left out. */
export function grouped(entries: readonly Entry[]): { group: Group; entries: Entry[] }[] {
  return GROUPS.map((group) => ({ group, entries: entries.filter((entry) => entry.group === group) })).filter(
    (part) => part.entries.length > 0,
  )
}

/** Where the mark goes by an arrow key: around the ends. */
export const stepped = (at: number, by: number, count: number): number =>
  count === 0 ? -1 : (at + by + count) % count
