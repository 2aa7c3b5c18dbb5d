import type { Ticket } from '@slipway/sdk/client/types.gen.ts'

export type LabelMark = 'all' | 'some' | 'none'

/** The service's limits for the labels of a ticket (`server/tickets/ticket.ts`). */
export const LABELS_MAX = 20
export const LABEL_CHARACTERS_MAX = 50

const isSameLabel = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Returns for each label whether all of these tickets have it, or only some. */
export function marksOf(tickets: Pick<Ticket, 'labels'>[]): Map<string, LabelMark> {
  const counts = new Map<string, number>()
  for (const label of tickets.flatMap(({ labels }) => labels)) counts.set(label, (counts.get(label) ?? 0) + 1)
  return new Map([...counts].map(([label, n]) => [label, n === tickets.length ? 'all' : 'some']))
}

/**
 * Returns the new labels of a ticket: labels marked `all` are added, and labels marked `none` are removed.
 */
export function applyMarks(labels: string[], wanted: ReadonlyMap<string, LabelMark>): string[] {
  const kept = labels.filter((label) => wanted.get(label) !== 'none')
  const added = [...wanted].flatMap(([label, mark]) =>
    mark === 'all' && !kept.some((other) => isSameLabel(other, label)) ? [label] : [],
  )
  return [...kept, ...added]
}

/** Whether two lists have the same labels in any order. Then there is nothing to save. */
export const sameLabels = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.every((label) => b.includes(label))

/**
 * Returns the known labels that contain the text (`found`), and the label that Enter would add (`named`). `named` is the known label that
 * equals the text in any case, otherwise the text as a new label, or null for an empty text.
 */
export function findLabels(known: string[], words: string) {
  const text = words.trim()
  const found = known.filter((label) => label.toLowerCase().includes(text.toLowerCase()))
  const exact = known.find((label) => isSameLabel(label, text))
  return { found, named: text === '' ? null : (exact ?? text), isNew: text !== '' && exact === undefined }
}
