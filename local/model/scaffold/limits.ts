import { EVERYONE, withoutPhrase } from './access.ts'

/** How many records of a list one person may add in an hour, a day, a week or a month. */
export interface Limit {
  count: number
  window: 'hour' | 'day' | 'week' | 'month'
}

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const COUNT = `(?<count>\\d{1,4}|${NUMBERS.join('|')})`
const AT_MOST = '(?:at\\s+most|(?:no|not)\\s+more\\s+than|up\\s+to|a?\\s*max(?:imum)?(?:\\s+of)?|only)\\s+'
const NOUN = '(?:\\s+(?!per\\b|an?\\b|each\\b|every\\b|for\\b)[a-z]+){0,2}'
const WINDOW = '(?:per|an?|each|every)\\s+(?<window>hour|day|week|month)'
const PERSON = '(?:per|for\\s+(?:each|every)|each|every|an?)\\s+(?:person|user|member)'
const WHO = `(?:${EVERYONE}|(?:signed|logged)[ -]in\\s+people)`
const PHRASES = [
  `${WHO}\\s+(?:(?:can|may|should|must|(?:is|are)\\s+allowed\\s+to)\\s+)?(?:only\\s+)?(?:add|create|enter|write|post|submit)s?\\s+(?:${AT_MOST})?${COUNT}${NOUN}\\s+${WINDOW}`,
  `(?:${AT_MOST})${COUNT}${NOUN}\\s+${PERSON}\\s+(?:and\\s+)?${WINDOW}`,
  `(?:${AT_MOST})${COUNT}${NOUN}\\s+${WINDOW}\\s+(?:and\\s+)?${PERSON}`,
  `limit\\s+(?:${WHO})\\s+to\\s+${COUNT}${NOUN}\\s+${WINDOW}`,
].map(
  (phrase) =>
    new RegExp(
      `(?:[,;]\\s*)?(?:\\b(?:and|but|where|so\\s+that)\\s+)?\\b(?:please\\s+)?(?:${phrase})\\b`,
      'i',
    ),
)
const UNWANTED =
  /^\s*(?:stop|end|remove|drop|delete|no\b(?!\s+more\s+than)|don't|do\s+not|what|why|how|when|who|is|are|does|do)\b/i

/** Returns the limit that a text requests, and the rest of the text; null when it requests none. */
export function readAllowance(text: string): (Limit & { words: string; rest: string }) | null {
  if (UNWANTED.test(text)) return null
  for (const phrase of PHRASES) {
    const [words, found] = [phrase.exec(text)?.[0], phrase.exec(text)?.groups]
    if (words === undefined || found === undefined) continue
    const said = found['count']?.toLowerCase() ?? ''
    const count = NUMBERS.includes(said) ? NUMBERS.indexOf(said) + 1 : Number(said)
    const window = found['window']?.toLowerCase() as Limit['window']
    const rest = withoutPhrase(text.replace(words, ' '))
    if (count > 0) return { count, window, words: words.replace(/^[,;\s]+/, ''), rest }
  }
  return null
}
