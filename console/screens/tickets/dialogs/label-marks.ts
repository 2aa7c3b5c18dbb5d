import type { Ticket } from '@slipway/sdk/client/types.gen.ts'

export type LabelMark = 'all' | 'some' | 'none'

/** The service's limits for the labels of a ticket (`server/tickets/ticket.ts`). */
export const LABELS_MAX = 20
export const LABEL_CHARACTERS_MAX = 50

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** For each label of these tickets, whether all or only some of them have it. */
export function marksOf(tickets: Pick<Ticket, 'labels'>[]): Map<string, LabelMark> {
  const counts = new Map<string, number>()
  for (const label of tickets.flatMap(({ labels }) => labels)) counts.set(label, (counts.get(label) ?? 0) + 1)
  return new Map([...counts].map(([label, n]) => [label, n === tickets.length ? 'all' : 'some']))
}

/** The labels of a ticket after adding those wanted on all and removing those wanted on none; others stay. */
export function applyMarks(labels: string[], wanted: ReadonlyMap<string, LabelMark>): string[] {
  const kept = labels.filter((label) => wanted.get(label) !== 'none')
  const added = [...wanted].flatMap(([label, mark]) =>
    mark === 'all' && !kept.some((other) => same(other, label)) ? [label] : [],
  )
  return [...kept, ...added]
}

/** Whether the labels are equal, so that no change is announced. */
export const sameLabels = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.every((label) => b.includes(label))

/** The labels that contain the text, and the one that it names, known or new; null without a text. */
export function findLabels(known: string[], words: string) {
  const text = words.trim()
  const found = known.filter((label) => label.toLowerCase().includes(text.toLowerCase()))
  const exact = known.find((label) => same(label, text))
  return { found, named: text === '' ? null : (exact ?? text), isNew: text !== '' && exact === undefined }
}
