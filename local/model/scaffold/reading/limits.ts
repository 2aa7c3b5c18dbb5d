import { EVERYONE_WORDS, withoutPhrase } from './access.ts'

/** How many records of a list one person may add in an hour, a day, a week or a month. */
export interface Limit {
  count: number
  window: 'hour' | 'day' | 'week' | 'month'
}

const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const COUNT_PATTERN = `(?<count>\\d{1,4}|${NUMBER_WORDS.join('|')})`
const AT_MOST = '(?:at\\s+most|(?:no|not)\\s+more\\s+than|up\\s+to|a?\\s*max(?:imum)?(?:\\s+of)?|only)\\s+'
const NOUN_WORDS = '(?:\\s+(?!per\\b|an?\\b|each\\b|every\\b|for\\b)[a-z]+){0,2}'
const PER_TIME_WINDOW_PATTERN = '(?:per|an?|each|every)\\s+(?<window>hour|day|week|month)'
const PER_PERSON = '(?:per|for\\s+(?:each|every)|each|every|an?)\\s+(?:person|user|member)'
const WHO_WORDS = `(?:${EVERYONE_WORDS}|(?:signed|logged)[ -]in\\s+people)`
const LIMIT_PHRASES = [
  `${WHO_WORDS}\\s+(?:(?:can|may|should|must|(?:is|are)\\s+allowed\\s+to)\\s+)?(?:only\\s+)?(?:add|create|enter|write|post|submit)s?\\s+(?:${AT_MOST})?${COUNT_PATTERN}${NOUN_WORDS}\\s+${PER_TIME_WINDOW_PATTERN}`,
  `(?:${AT_MOST})${COUNT_PATTERN}${NOUN_WORDS}\\s+${PER_PERSON}\\s+(?:and\\s+)?${PER_TIME_WINDOW_PATTERN}`,
  `(?:${AT_MOST})${COUNT_PATTERN}${NOUN_WORDS}\\s+${PER_TIME_WINDOW_PATTERN}\\s+(?:and\\s+)?${PER_PERSON}`,
  `limit\\s+(?:${WHO_WORDS})\\s+to\\s+${COUNT_PATTERN}${NOUN_WORDS}\\s+${PER_TIME_WINDOW_PATTERN}`,
].map(
  (phrase) =>
    new RegExp(
      `(?:[,;]\\s*)?(?:\\b(?:and|but|where|so\\s+that)\\s+)?\\b(?:please\\s+)?(?:${phrase})\\b`,
      'i',
    ),
)
const UNWANTED_START =
  /^\s*(?:stop|end|remove|drop|delete|no\b(?!\s+more\s+than)|don't|do\s+not|what|why|how|when|who|is|are|does|do)\b/i

/** Returns the limit that a text requests, and the rest of the text; null when the text requests no limit. */
export function readAllowance(text: string): (Limit & { words: string; rest: string }) | null {
  if (UNWANTED_START.test(text)) return null
  for (const phrase of LIMIT_PHRASES) {
    const [words, found] = [phrase.exec(text)?.[0], phrase.exec(text)?.groups]
    if (words === undefined || found === undefined) continue
    const said = found['count']?.toLowerCase() ?? ''
    const count = NUMBER_WORDS.includes(said) ? NUMBER_WORDS.indexOf(said) + 1 : Number(said)
    const window = found['window']?.toLowerCase() as Limit['window']
    const rest = withoutPhrase(text.replace(words, ' '))
    if (count > 0) return { count, window, words: words.replace(/^[,;\s]+/, ''), rest }
  }
  return null
}
