import type { Limit } from './limits.ts'
import { sentencesOf } from './sentence.ts'

/** Something that an app does with the records of a list besides storing them. `visits` counts visitors of its pages. */
export type Extra =
  | { is: 'summary'; collection: string }
  /** `heading` is the kind of document, for example `Invoice`; null: the PDF shows the record itself. */
  | { is: 'pdf'; collection: string; heading: string | null }
  /** `to` is null when the text contains no address. */
  | { is: 'mail'; collection: string; to: string | null }
  /** The form requires a bot check, so that programs cannot add records. */
  | { is: 'guard'; collection: string }
  /** Notifies people of new records, after they have turned notifications on. */
  | { is: 'push'; collection: string }
  | ({ is: 'limit'; collection: string } & Limit)
  | { is: 'visits' }

/**
 * An extra that a text requests, before its list is known. `words` is the clause that requests it, `rest` the
 * text without that clause.
 */
export interface ExtraRequest {
  is: Exclude<Extra['is'], 'limit'>
  heading: string | null
  to: string | null
  words: string
  rest: string
}

/** Kinds of documents that a PDF file can be. */
export const DOCUMENT_HEADINGS = ['Invoice', 'Receipt', 'Certificate', 'Quote']

/** Matches only a complete address: the ASCII part of `jörg@example.com` is the address of another person. */
const MAIL_ADDRESS = /(?<![^\s<(":,])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/
const WHEN_WORDS = 'when(?:ever)?|(?:every|each)\\s+time|once|as\\s+soon\\s+as|if'
const PERSON_WORDS =
  'some(?:one|body)|any(?:one|body)|people|an?\\s+(?:customer|visitor|guest|client|person|user)'
const ADD_VERBS =
  '(?:add|order|book|reserve|make|place|send|write|leave|submit|register|fill|sign|enter|create|ask|post|request)'
const ARRIVE_VERBS =
  'comes?\\s+in|arrives?|(?:is|are|was|were|gets?)\\s+(?:added|placed|made|sent|created|submitted|received|entered|booked)'
/** Matches the event of a new record: `when an order comes in`, `whenever somebody books`, `for each new order`. */
const RECORD_ADDED = [
  `\\b(?:${WHEN_WORDS})\\s+(?:(?:there\\s+(?:is|are)|(?:we|i)\\s+(?:get|have|receive))\\s+(?:an?\\s+)?(?:new\\s+)?[a-z]`,
  `(?:an?|any|the|each|every|new)\\s[^,;]*?\\b(?:${ARRIVE_VERBS})\\b`,
  `(?:${PERSON_WORDS})\\s+${ADD_VERBS}s?\\b)`,
  '\\b(?:for|of|about|on)\\s+(?:(?:each|every|any|all)\\s+(?:new\\s+)?|an?\\s+new\\s+|new\\s+)[a-z]',
].join('|')

const EXTRA_PATTERNS: [is: ExtraRequest['is'], pattern: RegExp][] = [
  ['summary', /\bsummari[sz](?:e|es|ing)\b|\bsummar(?:y|ies)\s+of\s+(?:an?|each|every|the)\b/i],
  ['pdf', /\b(?:as|into)\s+(?:an?\s+)?(?:[a-z]+\s+)?pdfs?\b|\bpdfs?\s+(?:files?\s+)?(?:of|for)\b/i],
  [
    'mail',
    new RegExp(
      `^(?=.*(?:${RECORD_ADDED})).*?\\b(?:e-?mails?|mails?|sends?|notify|tell|inform|write)\\b.*${MAIL_ADDRESS.source}|^(?=.*\\b(?:me|us)\\b)(?=.*(?:${RECORD_ADDED})).*\\be?-?mails?\\b`,
      'i',
    ),
  ],
  [
    'guard',
    /\b(?:protect|guard|shield|secure|defend)\w*\b.*\b(?:bots?|robots?|spam(?:mers?|bots?)?)\b|\b(?:keep\w*|block\w*)\s+(?:out\s+)?(?:the\s+|all\s+)?(?:bots?|robots?|spam(?:mers?|bots?)?)\b|\b(?:bots?|spam)[ -]protection\b|\bcaptcha\b/i,
  ],
  [
    'push',
    new RegExp(
      `^(?=.*(?:${RECORD_ADDED}))(?!.*${MAIL_ADDRESS.source})(?!.*\\be?-?mails?\\b).*\\b(?:notif(?:y|ies|ied|ications?)|push|ping|alerts?|(?:tell|inform)\\s+(?:me|us))\\b`,
      'i',
    ),
  ],
  ['visits', /\bcount\s+(?:the\s+|my\s+|our\s+)?(?:visitors?|visits|page\s?views)\b(?!\s*(?::|\(|with\b))/i],
]
const UNWANTED_WORDS =
  /\b(?:don't|do\s+not|stop|without|no|no\s+longer|never|remove|delete|upload\w*|import\w*)\b/i
const QUESTION_START = /^\s*(?:what|why|how|when|where|who|which|is|are|does|do|did|should)\b/i
const PART_JOINT = /[,;]\s*(?:and|then)\s+|[,;]\s+|\s+and\s+/gi

/** Returns the extra that a text requests; null when there is none. The request must be a whole sentence or the end of a sentence. */
export function readExtra(text: string): ExtraRequest | null {
  const sentences = sentencesOf(text)
  for (const [at, sentence] of sentences.entries()) {
    const said = withEventLast(sentence)
    if (UNWANTED_WORDS.test(said) || STOP_VERBS.test(said) || QUESTION_START.test(said)) continue
    const found = EXTRA_PATTERNS.map(([is, pattern]) => ({
      is,
      clause: splitLastClause(said, pattern),
    })).find(({ clause }) => clause !== null)
    if (found === undefined || found.clause === null) continue
    const [before, words] = found.clause
    const rest = [...sentences.slice(0, at), before, ...sentences.slice(at + 1)].filter((part) => part !== '')
    const heading = DOCUMENT_HEADINGS.find((one) => new RegExp(`\\b${one}s?\\b`, 'i').test(words))
    const to = MAIL_ADDRESS.exec(words)?.[0] ?? null
    return { is: found.is, heading: heading ?? null, to, words, rest: rest.join('.\n') }
  }
  return null
}

/**
 * Moves the condition to the end: `When an order comes in, mail me` becomes `mail me When an order comes in`.
 */
const withEventLast = (sentence: string) =>
  sentence.replace(
    new RegExp(`^((?:${WHEN_WORDS}|for\\s+(?:each|every))\\s[^,]+),\\s*(?:then\\s+)?(.+)$`, 'i'),
    '$2 $1',
  )

const STOP_VERBS =
  /^(?:stop|end|(?:turn|switch)\s+off|remove|drop|get\s+rid\s+of|no\s+more|don't|do\s+not|no\s+longer)\b/i
const STOPPED_EXTRAS: [is: 'mail' | 'guard' | 'push' | 'limit', pattern: RegExp][] = [
  ['limit', /\blimit(?:s|ing|ation)?\b/i],
  ['mail', /\b(?:e-?mailing|mailing|mails|e-?mails|e-?mail\s+(?:me|us)|mail\s+(?:me|us))\b/i],
  ['guard', /\b(?:bot|spam)[ -]protection\b|\bcaptcha\b|\bprotect(?:ing|ion)\b/i],
  ['push', /\bnotif(?:y|ying|ications?)\b/i],
]

/** Returns the extra that a text requests to stop; null when there is none. */
export function readStop(text: string): 'mail' | 'guard' | 'push' | 'limit' | null {
  const said = sentencesOf(text).find((sentence) => STOP_VERBS.test(sentence))
  return (
    (said === undefined ? undefined : STOPPED_EXTRAS.find(([, pattern]) => pattern.test(said)))?.[0] ?? null
  )
}

/**
 * Splits a sentence at the last comma or `and` after which the rest matches the pattern. Returns null when no
 * rest matches.
 */
function splitLastClause(sentence: string, pattern: RegExp): [before: string, clause: string] | null {
  const joints = [...sentence.matchAll(PART_JOINT)].toReversed()
  for (const joint of joints) {
    const clause = sentence.slice(joint.index + joint[0].length)
    if (pattern.test(clause)) return [sentence.slice(0, joint.index), clause]
  }
  return joints.length === 0 && pattern.test(sentence) ? ['', sentence] : null
}
