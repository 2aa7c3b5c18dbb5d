/** Which records a reminder selects: `open` records that are not done, `due` records whose date has come, or all. */
export type ReminderScope = 'open' | 'due' | 'all'

/** A reminder of the records of one list at a set time. */
export interface Reminder {
  collection: string
  /** In the syntax of `schedules` in `app.json`: `monday at 09:00`. */
  every: string
  /**
   * Null when the text does not say which records. The reminder then selects records that are not done. When the list has no field for
   * that, the reminder selects records that are due, and without a due date all records.
   */
  about: ReminderScope | null
}

/**
 * The reminder that a text requests. `words` is the clause that requests it, `rest` the text without that
 * clause.
 */
export type ReminderRequest =
  | { is: 'wanted'; every: string; about: ReminderScope | null; words: string; rest: string }
  | { is: 'unwanted' }

const DAY_WORDS = 'mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?'
const PART_OF_DAY_WORDS = 'mornings?|noon|afternoons?|evenings?|nights?'
const REPEAT_WORDS = new RegExp(
  String.raw`\b(?:(?:every|each)\s+(${DAY_WORDS}|${PART_OF_DAY_WORDS}|day|weekday|working\s+day|work\s?day|week|month)|(daily|weekly|monthly)|on\s+(${DAY_WORDS})|(?:once|first\s+thing)\s+(?:a|every)\s+(day|week|month))\b`,
  'i',
)
const CLOCK_TIME =
  /\bat\s+(?:(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?(?:\s*o'?\s?clock)?|noon|midnight)(?![\w:])/i
const PART_OF_DAY = new RegExp(String.raw`\b(?:in\s+the\s+)?(${PART_OF_DAY_WORDS})\b`, 'i')
const REMIND_VERBS = /\bremind(?:s|ed|ers?|ing)?\b/i
const UNWANTED_START =
  /^\s*(?:please\s+)?(?:(?:stop|remove|delete|drop|switch\s+off|turn\s+off|no\s+more|without|get\s+rid\s+of)\b|(?:i|we)?\s*(?:don't|do\s+not|no\s+longer)\b).*\bremind/i

/** Returns the reminder that a text requests; null when the text requests none or does not say how often. */
export function readReminder(text: string): ReminderRequest | null {
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/)) {
    if (!REMIND_VERBS.test(sentence)) continue
    if (UNWANTED_START.test(sentence)) return { is: 'unwanted' }
    const every = repeatPhrase(sentence)
    if (every === null) continue
    const [before, words] = splitBeforeReminder(
      sentence,
      Math.min(indexOf(sentence, REMIND_VERBS), indexOf(sentence, REPEAT_WORDS)),
    )
    const rest = text.replace(sentence, () => before).trim()
    return { is: 'wanted', every, about: reminderSubject(words), words, rest }
  }
  return null
}

const indexOf = (text: string, pattern: RegExp) => pattern.exec(text)?.index ?? text.length

/** Words before a reminder that mean nothing by themselves: `Send me a`, `and`, `I want the app to`. */
const LEADING_WORDS =
  /(?:[,;:]?\s*\b(?:and|but|then|also|so|please|send|sends|give|gives|show|shows|write|writes|make|get|add|set|up|it|i|we|me|us|you|the|an?|app|my|our|want|wants|need|needs|would|like|should|can|could|must|to|be|that|with)\b)+[\s,;]*$/i

/** Splits a sentence before the reminder, and removes the words that only introduce it. */
function splitBeforeReminder(sentence: string, at: number): [before: string, words: string] {
  const before = sentence
    .slice(0, at)
    .replace(LEADING_WORDS, '')
    .replace(/[,;\s]+$/, '')
  return [before === '' ? '' : `${before}.`, sentence.slice(at)]
}

/** Returns when a reminder repeats, in the syntax of `app.json`; null when the text does not say so or its time is invalid. */
function repeatPhrase(text: string): string | null {
  const [said, ...found] = REPEAT_WORDS.exec(text) ?? []
  if (said === undefined) return null
  const often = found.find((part) => part !== undefined)?.toLowerCase() ?? ''
  const time = readTime(text)
  if (time === null) return null
  if (often.startsWith('week') && !often.startsWith('weekday')) return `monday at ${time}`
  if (often.startsWith('work') || often === 'weekday') return `weekday at ${time}`
  if (often.startsWith('month')) return `month on 1 at ${time}`
  return /day/.test(often) && often !== 'day' ? `${often.replace(/s$/, '')} at ${time}` : `day at ${time}`
}

const USUAL_TIME = '09:00'
const PART_TIMES: [start: string, time: string][] = [
  ['morning', '08:00'],
  ['noon', '12:00'],
  ['afternoon', '15:00'],
  ['evening', '18:00'],
  ['night', '21:00'],
]

/** Returns a time such as `09:00`; null when it is invalid. */
function readTime(text: string): string | null {
  const clock = CLOCK_TIME.exec(text)
  if (clock === null) {
    const part = PART_OF_DAY.exec(text)?.[1]?.toLowerCase() ?? ''
    return PART_TIMES.find(([start]) => part.startsWith(start))?.[1] ?? USUAL_TIME
  }
  const [said, hours, minutes = '00', half] = clock
  if (hours === undefined) return /noon/i.test(said) ? '12:00' : '00:00'
  const isHalf = half !== undefined
  const hour = isHalf ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hours)
  if (hour > 23 || Number(minutes) > 59 || (isHalf && Number(hours) > 12)) return null
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

const DUE_WORDS = /\b(?:due|overdue|late|expir\w+|deadlines?|run(?:s|ning)?\s+out)\b/i
const OPEN_WORDS =
  /\b(?:open|undone|unfinished|unpaid|unread|pending|outstanding|left|remaining|(?:is|are)n't|(?:is|are)\s+not|not\s+(?:yet\s+)?[a-z]+(?:ed|ne|id|nt|ght|ad))\b/i

const reminderSubject = (words: string): ReminderScope | null =>
  DUE_WORDS.test(words) ? 'due' : OPEN_WORDS.test(words) ? 'open' : null
