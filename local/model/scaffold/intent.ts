import { type Fields, readFields, refTo } from './fields.ts'
import { defaultFields, knownNouns } from './lexicon.ts'
import { camelCase, plural, sentenceCase, singular } from './words.ts'

/** One thing the app keeps: a collection with its fields. */
export interface Wanted {
  /** Plural identifier, `officePlants`. */
  collection: string
  title: string
  fields: Fields
  /** Whether the sentence named the fields itself. */
  hasOwnFields: boolean
}

export type Intent =
  | { kind: 'question' }
  | { kind: 'collections'; wanted: Wanted[] }
  | { kind: 'remove'; collection: string }
  | { kind: 'nothing' }

const VERBS =
  'tracks?|tracking|lists?|manages?|managing|keeps?|keeping|stores?|collects?|plans?|planning|logs?|logging|records?|organi[sz]es?|saves?|catalogs?|remembers?|monitors?|adds?|builds?|creates?|makes?|shows?'
const INTERROGATIVE =
  /^\s*(?:what|why|how|when|where|who|which|is|are|can|could|does|do|did|should|would|will)\b/i
/** Words that end a noun phrase. */
const PHRASE_END =
  /\s+(?:in|for|of|with|having|including|by|that|which|who|from|on|at|so|to|per|where|and|as)\b|[:,;.(\n]/i
const FIELD_INTRO = /(?::|\bwith\b|\bhaving\b|\bincluding\b|\bincludes?\b)\s*(.+)$/is
const FILLER =
  /^(?:(?:an?|the|my|our|your|their|all|some|simple|small|new|little|tiny|list|lists|track|collection|database|log|record|overview|table|page|way)\s+(?:of\s+)?)+/i

/** What a ticket asks for, by fixed rules: no guessing beyond them. */
export function readIntent(text: string): Intent {
  const sentence = text.trim()
  const hasVerb = new RegExp(String.raw`\b(?:${VERBS})\b`, 'i').test(sentence)
  if (sentence.endsWith('?') || (INTERROGATIVE.test(sentence) && !hasVerb)) return { kind: 'question' }
  const removed = /\b(?:remove|delete|drop)\s+(?:the\s+|all\s+)?([a-z][a-z -]*)/i.exec(sentence)?.[1]
  if (removed !== undefined) return { kind: 'remove', collection: collectionOf(removed) }
  const added =
    /\badd\s+(.+?)\s+(?:fields?|columns?)?\s*to\s+(?:the\s+|every\s+|each\s+)?([a-z][a-z ]*)/i.exec(sentence)
  if (added?.[1] !== undefined && added[2] !== undefined) return extend(added[2], added[1])
  const nouns = nounsOf(sentence.replace(/\bguest\s?book\b/i, 'log messages'))
  if (nouns.length === 0) return { kind: 'nothing' }
  const listed = FIELD_INTRO.exec(sentence)?.[1]?.split(/\.\s|\n\n/)[0]
  const own = listed === undefined ? {} : namedFields(sentence, listed, nouns[0] ?? '')
  const all = nouns.map((noun, index) => wantedOf(noun, index === 0 ? own : {}))
  const wanted = all.filter(
    (item, index) => all.findIndex((other) => other.collection === item.collection) === index,
  )
  return { kind: 'collections', wanted: withRefs(sentence, wanted) }
}

/** `Add a phone field to contacts`: the fields alone, for a collection that is there already. */
function extend(noun: string, list: string): Intent {
  const fields = readFields(list.replace(/\b(?:fields?|columns?)\b/gi, ''))
  const collection = collectionOf(noun)
  return {
    kind: 'collections',
    wanted: [{ collection, title: sentenceCase(collection), fields, hasOwnFields: true }],
  }
}

function wantedOf(noun: string, own: Fields): Wanted {
  const collection = collectionOf(noun)
  const hasOwnFields = Object.keys(own).length > 0
  const lastWord = singular(noun.toLowerCase().split(/\s+/).at(-1) ?? noun)
  return {
    collection,
    title: sentenceCase(collection),
    fields: hasOwnFields ? own : defaultFields(lastWord),
    hasOwnFields,
  }
}

/**
 * The fields a sentence lists. `books with author and rating` leaves out what a book is called, so that a noun
 * we know brings its own first field along; a list after a colon is taken as complete.
 */
function namedFields(sentence: string, listed: string, noun: string): Fields {
  const own = readFields(listed)
  const isComplete = sentence.includes(':') || Object.keys(own).some((name) => /name|title/i.test(name))
  const last = singular(noun.split(/\s+/).at(-1) ?? '')
  const [first] = Object.entries(defaultFields(last))
  if (isComplete || !knownNouns.has(last) || first === undefined || Object.hasOwn(own, first[0])) return own
  for (const field of Object.values(own)) delete field.required
  return { [first[0]]: first[1], ...own }
}

/** The collection a phrase names: `the office plants` is `officePlants`. */
export function collectionOf(phrase: string): string {
  const words = phrase.trim().toLowerCase().replace(FILLER, '').split(/\s+/).slice(-3)
  const last = words.pop() ?? ''
  return camelCase([...words, plural(singular(last))].join(' '))
}

function nounsOf(sentence: string): string[] {
  const head = (sentence.split(/:|\n|\.\s/)[0] ?? sentence).replace(FIELD_INTRO, '')
  const app =
    /\b([a-z]+(?:\s[a-z]+)?)\s+(?:app|tracker|list|manager|log|diary|organi[sz]er|planner|directory|database|catalog|inventory)\b(?!\s+of)/i.exec(
      head,
    )?.[1]
  const fromApp = app === undefined ? '' : app.toLowerCase().replace(FILLER, '').trim()
  const isNamed =
    fromApp !== '' && !new RegExp(`^(?:${VERBS}|an?|the|my|our|web|mobile|of)$`, 'i').test(fromApp)
  if (isNamed) return [lastKnown(fromApp)]
  const afterVerb = new RegExp(
    String.raw`\b(?:${VERBS})\s+(?:track\s+of\s+|(?:an?\s+|the\s+)?(?:list|record|log|overview|collection)\s+of\s+|me\s+|us\s+)?(.+)$`,
    'i',
  ).exec(head)?.[1]
  const phrases = (afterVerb ?? '').split(/\s+(?:and|&)\s+|,\s*/i).map(cutPhrase)
  const [first, ...others] = phrases.filter((phrase) => phrase !== '')
  if (first !== undefined && isNoun(first))
    return [first, ...others.filter((phrase) => knownNouns.has(singular(phrase)))].slice(0, 4)
  const anywhere = head
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.find((word) => knownNouns.has(singular(word)))
  return anywhere === undefined ? [] : [anywhere]
}

/** `recipe` of `family recipe`, when the last word is one we know; otherwise the phrase as it stands. */
function lastKnown(phrase: string): string {
  const last = phrase.split(/\s+/).at(-1) ?? phrase
  return knownNouns.has(singular(last)) ? phrase.split(/\s+/).slice(-2).join(' ') : phrase
}

function cutPhrase(phrase: string): string {
  const end = PHRASE_END.exec(phrase)?.index
  return phrase.slice(0, end).toLowerCase().replace(FILLER, '').trim()
}

/** Three words at most, plain ones, and not a word that stands for nothing. */
function isNoun(phrase: string): boolean {
  return (
    /^[a-z][a-z0-9]+(?:[ -][a-z0-9]{2,}){0,2}$/.test(phrase) &&
    !/^(?:something|anything|nothing|everything|it|this|that|them|these|those|sure)\b|^(?:app|application|website|site|thing|things|stuff|software|tool for me)$/.test(
      phrase,
    )
  )
}

/** `tasks for each project`, `every task belongs to a project`, `a project has many tasks`. */
function withRefs(sentence: string, wanted: Wanted[]): Wanted[] {
  const first = wanted[0]
  const parent =
    /\b(?:for each|belongs? to (?:an?|one)|per)\s+([a-z]+)/i.exec(sentence)?.[1] ??
    /\b([a-z]+)\s+has many\b/i.exec(sentence)?.[1]
  if (first === undefined || parent === undefined) return wanted
  const target = collectionOf(parent)
  if (target === '' || target === first.collection) return wanted
  const [name, field] = refTo(target)
  const child = { ...first, fields: { ...first.fields, [name]: field } }
  const others = wanted.slice(1)
  return others.some((item) => item.collection === target)
    ? [child, ...others]
    : [child, ...others, wantedOf(parent, {})]
}
