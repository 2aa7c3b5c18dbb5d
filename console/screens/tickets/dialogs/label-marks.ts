import type { Ticket } from '@slipway/sdk/client/types.gen.ts'

/** A label over several tickets: on all of them, on some, on none. */
export type LabelMark = 'all' | 'some' | 'none'

export const LABELS_MAX = 20
export const LABEL_CHARACTERS_MAX = 50

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** How each label in use stands with these tickets. */
export function marksOf(tickets: Pick<Ticket, 'labels'>[]): Map<string, LabelMark> {
  const counts = new Map<string, number>()
  for (const label of tickets.flatMap(({ labels }) => labels)) counts.set(label, (counts.get(label) ?? 0) + 1)
  return new Map([...counts].map(([label, n]) => [label, n === tickets.length ? 'all' : 'some']))
}

/** The labels of a ticket after some were wanted on all tickets or on none; the others stay as they are. */
export function applyMarks(labels: string[], wanted: ReadonlyMap<string, LabelMark>): string[] {
  const kept = labels.filter((label) => wanted.get(label) !== 'none')
  const added = [...wanted].flatMap(([label, mark]) =>
    mark === 'all' && !kept.some((other) => same(other, label)) ? [label] : [],
  )
  return [...kept, ...added]
}

/** Nothing differs: nobody has to be told of a change. */
export const sameLabels = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.every((label) => b.includes(label))

/** The labels that match what was written, and whether it could be a new one. */
export function findLabels(known: string[], words: string): { found: string[]; isNew: boolean } {
  const text = words.trim()
  const found = known.filter((label) => label.toLowerCase().includes(text.toLowerCase()))
  return { found, isNew: text !== '' && !known.some((label) => same(label, text)) }
}
