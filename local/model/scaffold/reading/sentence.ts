import { correctSpelling } from './vocabulary.ts'

/**
 * Words that stand for a list, such as `guestbook`, and abbreviations, each with the phrase that replaces it
 * before the text is parsed.
 */
const NAMED_LISTS: [pattern: RegExp, words: string][] = [
  [/\bguest\s?book\b/gi, 'list of messages'],
  [/\b(?:to-?\s?do|task)[ -]list\b/gi, 'list of todos'],
  [/\b(?:shopping|grocery|packing)[ -]list\b/gi, 'list of items'],
  [/\bbucket[ -]list\b/gi, 'list of goals'],
  [/\breading[ -]list\b/gi, 'list of books'],
  [/\bwatch-?\s?list\b/gi, 'list of movies'],
  [/\bwish-?\s?list\b/gi, 'list of wishes'],
  [/\bplay-?list\b/gi, 'list of songs'],
  [/\b(?:phone|address)\s?book\b/gi, 'list of contacts'],
  [/\bcrm\b/gi, 'list of customers'],
  [/\b(?:sign-ups?|signups?|sign[ -]?up (?:sheet|list|form|page)s?)\b/gi, 'list of signups'],
  [
    /(?<=^|\b(?:an?|the|my|our|me|manage|track|make)\s)(?:(?:shop|store|stock|home) )?inventory(?= (?:for|in|at|of (?:my|our|the) (?:shop|store|house|home|garage|kitchen|workshop|warehouse|company|office))\b|\s*(?:$|:|\())/gi,
    'list of items',
  ],
  [/\b(?:list|table|page)\s*:\s+(?=[a-z]+(?:\s[a-z]+)?\s*[:(])/gi, 'list of '],
  [/\b(?:pick|drop)[ -](?:up|off)\b/gi, 'pickup'],
  [/\bto-?\s?dos?\b/gi, 'todos'],
  [/\be\.\s?g\.,?|\betc\.?|\bi\.\s?e\.,?/gi, ''],
]

const GREETING_WORDS =
  /^(?:hi|hello|hey|hallo|dear \w+|good (?:morning|evening|day|afternoon))(?: (?:there|all|team|everyone))?\s*[,!.:-]*\s*/i
const LEAD_IN_PATTERNS = [
  /^(?:ok(?:ay)?|so|well|and|but|now|then|next|also|first|please|pls|plz|kindly|basically|btw|additionally|actually|yes)\b[,:]?\s+/i,
  /^(?:can|could|would|will) (?:you|u|we)(?: please| pls)?(?: help me(?: to)?)?\s+/i,
  /^(?:can|could|may) (?:i|we) (?:please )?(?:have|get)\s+/i,
  /^help (?:me|us)(?: to)?\s+/i,
  /^(?:let me|let us|let's|it should|the app should|there should be|is it possible to)\s+/i,
  /^(?:i|we)(?:'d|'m| am| are| would| do)?(?: also| really| just| still| always| desperately)*\s+(?:like|love|want|wanna|need|wish|trying|try|looking|have|has|gotta|going|plan)\s+(?:(?:you|u)\s+)?(?:to|for)\s+(?:(?:be able to|have|get|start)\s+)?/i,
  /^(?:i|we)(?:'d| would)?(?: also| really| just| still)*\s+(?:like|love|want|wanna|need)\s+/i,
]

/** Longer texts are cut: real requests are short, and the patterns take quadratic time. */
const SENTENCE_CHARS_MAX = 3000

/** Splits a text into sentences. Removes greetings and politeness, and converts requests to imperatives. */
export function sentencesOf(text: string): string[] {
  return joinBullets(plainText(text.slice(0, SENTENCE_CHARS_MAX)))
    .split(/\n+|(?<=[.!?])\s+/)
    .map(toImperative)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

function plainText(text: string): string {
  const plain = correctSpelling(text.normalize('NFKC'))
    .replaceAll(/[‘’´`]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/(?<=\S)[ \t]+[–—-][ \t]+/g, ': ')
  return NAMED_LISTS.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), plain)
}

/**
 * Converts bullet points after a line that ends with a colon: to fields of that line (`: name, room`), or to
 * sentences when one of them contains a colon.
 */
function joinBullets(text: string): string {
  return text.replaceAll(
    /:[ \t]*\n+((?:[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+.+(?:\n|$))+)/g,
    (_said, bullets: string) => {
      const items = bullets
        .split('\n')
        .map((line) => line.replace(/^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+/, '').trim())
        .filter((line) => line !== '')
      return items.some((item) => item.includes(':')) ? `.\n${items.join('\n')}\n` : `: ${items.join(', ')}\n`
    },
  )
}

/**
 * Converts a request to an imperative: `Could you please make a list of books?` becomes `make a list of
 * books`.
 */
function toImperative(sentence: string): string {
  let said = sentence
    .trim()
    .replace(GREETING_WORDS, '')
    .replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, '')
  for (let before = ''; before !== said;) {
    before = said
    for (const lead of LEAD_IN_PATTERNS) said = said.replace(lead, '')
  }
  const isOrder = said.length < sentence.trim().length
  return said
    .replace(isOrder ? /[.!?]+$/ : /[.!]+$/, '')
    .replaceAll(
      /[,]?\s*\b(?:please|pls|plz|thank you(?: so much| very much)?|thanks(?: a lot)?|thx)\b[.!]*/gi,
      '',
    )
    .trim()
}
