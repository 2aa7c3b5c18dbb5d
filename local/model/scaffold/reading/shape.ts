import { type Field, IS_STATUS } from './fields.ts'
import type { WantedList } from './lists.ts'
import { sentenceCase, singular } from './words.ts'

/**
 * What a page shows first. `form`: a form to fill in. `board`: a column for each status. `calendar`: days. `money`: sums and charts.
 * `list`: the records.
 */
export type PageShape =
  | { is: 'form' | 'list' }
  | { is: 'board'; status: string }
  | { is: 'calendar'; date: string; title: string; isTitled: boolean }
  | { is: 'money'; amount: string; group: string | null; date: string | null }

/** Nouns of records that people write once and rarely read again. The page of such a list shows the form first. */
const WRITTEN_NOUN = /^(?:message|entry|signup|feedback|review|question|donation|wish|mood|rsvp|answer|vote)$/
/** Nouns of records that happen on a day. The page of such a list shows a calendar first, when the list has a date and a text field. */
const DATED_NOUN =
  /^(?:appointment|event|meeting|booking|reservation|shift|lesson|class|meal|lunch|dinner|visit|match|rehearsal|birthday|party|holiday|vacation|trip|delivery|concert|session)$/
const AMOUNT_FIELD = /^(?:amount|cost|price|total|hour|minute|km|mile|spent|calorie|distance)$/
/** Nouns of records whose amounts are added up. In other lists, such as wines, an amount is only a detail. */
const SPENDING_NOUN =
  /^(?:expense|invoice|payment|receipt|donation|bill|cost|purchase|sale|income|spending|subscription|time|workout|run|ride|hour|loan|refund|tip)$/
const GROUP_FIELD = /^(?:category|kind|type|activity|exercise|shop|project|customer|client|who)$/

/** Chooses what a page shows first, depending on the name and the fields of its list. */
export function shapeOf({ collection, fields }: WantedList): PageShape {
  const noun = lastWord(collection)
  const findField = (isMeant: (name: string, field: Field) => boolean) =>
    Object.entries(fields).find(([name, field]) => isMeant(name, field))?.[0]
  const date = findField((_name, { type }) => type === 'date')
  const status = findField((name, { type }) => type === 'enum' && IS_STATUS.test(name))
  if (status !== undefined) return { is: 'board', status }
  const amount = findField((name, { type }) => type === 'number' && AMOUNT_FIELD.test(lastWord(name)))
  if (amount !== undefined && SPENDING_NOUN.test(noun)) {
    const group = findField(
      (name, { type }) => (type === 'enum' || type === 'text') && GROUP_FIELD.test(lastWord(name)),
    )
    return { is: 'money', amount, group: group ?? null, date: date ?? null }
  }
  if (WRITTEN_NOUN.test(noun)) return { is: 'form' }
  const title = findField((_name, { type, as }) => type === 'text' && as === undefined)
  if (date !== undefined && title !== undefined && DATED_NOUN.test(noun))
    return { is: 'calendar', date, title, isTitled: fields[title]?.required === true }
  return { is: 'list' }
}

/** Returns whether the page of the list shows a calendar. */
export const hasCalendar = (wanted: WantedList): boolean => shapeOf(wanted).is === 'calendar'

const lastWord = (identifier: string) =>
  singular(sentenceCase(identifier).toLowerCase().split(' ').at(-1) ?? '')
