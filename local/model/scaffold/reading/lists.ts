import type { AccessLevel } from './access.ts'
import {
  type ScaffoldFields,
  fieldItems,
  isKnownField,
  readFields,
  referenceField,
  requireIdentifyingField,
} from './fields.ts'
import { defaultFields, isKnownNoun } from './lexicon.ts'
import { GENERIC_WORDS, PEOPLE_WORDS, unsupportedWordIn, isAdjective, needsLiveData } from './vocabulary.ts'
import { camelCase, isPlural, plural, sentenceCase, singular } from './words.ts'

export interface WantedList {
  /** The identifier of the list, a plural such as `officePlants`. */
  collection: string
  title: string
  fields: ScaffoldFields
  /** False when the text names no field, so that the list has its noun's usual fields. */
  hasOwnFields: boolean
  access?: AccessLevel
  isPosted?: boolean
  isLimited?: boolean
}

/** A noun that may be the name of a list. */
interface NamedList {
  noun: string
  /**
   * How certain it is that the noun is a list. `sure`: the text says that it is tracked or listed, so any noun is accepted. `plural`: only
   * a plural or a noun of the lexicon is accepted. `known`: only a noun of the lexicon, or a noun with usual fields in the text, is
   * accepted.
   */
  trust: 'sure' | 'plural' | 'known'
  others: string[]
  /** Fields without an introducing word such as `with`: `the appointments, customer name, date and price`. */
  list?: string
}

// Words for a list, and verbs for putting something into a list. `listNamedIn` tries the most certain phrases first:
// after `track` or `list of` any noun can be a list, after `app for` only a noun of the lexicon.

/** Verbs that always mean tracking, whatever their object is. */
const TRACK_VERBS = String.raw`keep(?:ing)?\s+(?:an?\s+|the\s+)?(?:good\s+|close\s+)?(?:track|records?|list|log|eye|tabs|notes?|overview)\s+(?:of|on|for|about)|track(?:s|ing)?(?:\s+of)?|log(?:s|ging)?(?!\s*-?(?:in|out|into|on)\b)|writ(?:e|ing)\s+down|not(?:e|ing)\s+down|jot\s+down|catalogu?e`
/** These verbs also have other meanings, so their object must be a plural. */
const KEEP_VERBS = String.raw`record(?:ing)?|note|keep(?:s|ing)?|sav(?:e|ing)|stor(?:e|ing)|collect(?:ing)?|manag(?:e|ing)|organi[sz](?:e|ing)|remember(?:ing)?|maintain|plan(?:ning)?|list|register|gather|administer|handle|overview\s+of`
const listPattern = (of: string) =>
  String.raw`\b(?:list|lists|log|records?|database|collection|overview|inventory|directory|catalogu?e?|register|table|spreadsheet|sheet|diary|journal|archive|library|history)\s+(?:${of})\s+(?:all\s+)?(.+)$`
const LIST_WORDS =
  'tracker|list|log|diary|inventory|directory|database|catalogu?e?|register|journal|collection|archive'
const APP_WORDS =
  'app|application|manager|organi[sz]er|planner|page|form|sheet|spreadsheet|board|overview|tool|system|program|tracking|book'
const SOMETHING_FOR = String.raw`\b(?:${APP_WORDS}|something|place|way|site)\s+(?:for|with|of|about)\s+(.+)$`

/** Words that cannot be part of a noun phrase, so they end it. */
const PHRASE_END =
  /\s+(?:in|for|of|with|having|including|by|that|which|who|whose|from|on|at|so|to|per|where|and|as|i|i've|we|you|they|he|she|people|everyone|my|our|when|while|because|before|after|if|about|near|around|between|into|over|during|until|since|than|then|now|every|each|online|together|is|are|has|have|can|should|was|were|plus|here|there|too|also|again|soon)\b|[:,;.("!?\n]/i
const FILLER_WORDS =
  /^(?:(?:an?|the|my|our|your|their|his|her|all|some|every|each|any|these|those|this|simple|small|new|little|tiny|own|different|various|many|few|several|list|lists|track|collection|database|log|record|overview|table|page|way|up)\s+(?:of\s+)?)+/i
const FIELD_INTRO = new RegExp(
  String.raw`:|\s\((?=[^)]*,)|\bwith\b(?!\s+(?:my|our|me|us|you|him|others?|friends|family|people|each\s+other)\b)|\bhaving\b|\bincluding\b|\bincludes?\b|\bcontaining\b|\bthat\s+ha(?:s|ve)\b|\bwhich\s+ha(?:s|ve)\b|\b(?:and|plus)\s+(?:their|its)\b|\b(?:where|so|and)\s+(?:i|we|you|people|visitors|guests|they|everyone|anyone)\s+(?:can|could|should|leave|want\s+to|need\s+to)(?:\s+(?:easily|just|also))?(?:\s+(?:leave|write|note|put|enter|see|log|record|add|fill|save|type|look|know)(?:\s+(?:down|in|up|at))?)?|\b(?:leave|note\s+down|write\s+down)\s+(?=an?\s)`,
  'i',
)
/** Matches a sentence that adds fields to the previous sentence's list: `For each one I want the name and the phone`. */
const FOLLOW_UP =
  /^(?:(?:for\s+)?(?:each|every)(?:\s+(?:one|of\s+them|entry|[a-z]+))?,?\s*(?:i|we|it|they)?\s*(?:also\s+)?(?:want|need|should|must|has|have|needs|would\s+like)?\s*(?:to\s+)?(?:have|know|note|see|record|track|store|write\s+down|keep|show)?|fields|columns|they\s+(?:should\s+)?have|it\s+should\s+(?:have|show)|have|note|write\s+down|know|see|with|including)\s*:?\s+(.+)$/i

/** Matches requests to change an existing list, which name no new list. */
const IS_CHANGE = /^(?:remove|delete|drop|hide|get\s+rid|rename|change|call|sort|fix|let)\b/i

/** Returns the lists that sentences name, in the order of the text. */
export function readLists(sentences: string[]): WantedList[] {
  const found: WantedList[] = []
  for (const sentence of sentences.filter((item) => !IS_CHANGE.test(item))) {
    const said = splitFields(sentence)
    const named = listNamedIn(said)
    const last = found.at(-1)
    if (named !== null) found.push(...wantedIn(said, named))
    else if (last === undefined) found.push(...listFromForEach(sentence))
    else if (!last.hasOwnFields) addFollowUpFields(last, sentence)
  }
  const distinct = found.filter(
    (item, index) => found.findIndex((other) => other.collection === item.collection) === index,
  )
  return withRefs(sentences.join('. '), distinct).slice(0, 6)
}

/** Returns the identifier of a list: `the office plants` becomes `officePlants`. */
export function collectionOf(phrase: string): string {
  const words = phrase.trim().toLowerCase().replace(FILLER_WORDS, '').split(/\s+/).slice(-3)
  const last = words.pop() ?? ''
  return camelCase([...words, plural(singular(last))].join(' '))
}

function listNamedIn(said: ParsedSentence): NamedList | null {
  if (/^(?:show|display|find|tell)\b/i.test(said.sentence)) return null
  const { head, list } = said
  const candidates = [
    listNameAfter(head, listPattern('of'), 'sure'),
    nameBefore(head, LIST_WORDS, 'sure'),
    listNameAfter(head, listPattern('for|with'), 'plural'),
    nameBefore(head, APP_WORDS, 'known'),
    listNameAfter(head, String.raw`\b(?:${TRACK_VERBS})\s+(.+)$`, 'sure'),
    listNameAfter(head, String.raw`\b(?:${KEEP_VERBS})\s+(.+)$`, 'plural'),
    ignorePeople(listNameAfter(head, SOMETHING_FOR, 'known'), list),
    listNameAfter(head, String.raw`^(?:add|make|create|build|set\s+up)\s+(.+)$`, 'known'),
    listNameAfter(head, String.raw`^(.+?)\s+(?:for\s+each|for\s+every|per)\s`, 'known'),
    listNameAfter(head, String.raw`\b(?:leave|submit|enter|write)\s+(.+)$`, 'known'),
    listFromNoun(said),
    namelessList(head, list),
  ]
  return candidates.find((named) => named !== null && isTrusted(named, said)) ?? null
}

/** Returns whether a noun meets the condition of its trust level. */
function isTrusted({ noun, trust }: NamedList, { head, list }: ParsedSentence): boolean {
  const last = noun.split(' ').at(-1) ?? ''
  const isKnown = isKnownNoun(noun)
  const known = list === null ? 0 : fieldItems(list).filter(isKnownField).length
  if (
    known === 0 &&
    ((!isKnown && unsupportedWordIn(noun) !== null) || needsLiveData(clauseWithNoun(noun, head)))
  )
    return false
  const isMany = isPlural(last)
  if (trust === 'sure') return isKnown || isMany || !isAdjective(last)
  if (trust === 'plural')
    return isMany || (isKnown && !hasArticle(head, noun)) || (known > 0 && !isAdjective(last))
  if (unsupportedWordIn(head) !== null) return false
  return isKnown ? isMany || known > 0 || !hasArticle(head, noun) : known > 1
}

const clauseWithNoun = (noun: string, head: string) =>
  head.split(/,\s*|\sand\s/).find((clause) => clause.toLowerCase().includes(noun)) ?? head

/** Returns whether the noun has an article: `a trip` is one trip and not a list of trips. */
const hasArticle = (head: string, noun: string) =>
  new RegExp(String.raw`\b(?:an?|one)\s+(?:\w+\s+)?${noun}\b(?!\s+(?:${APP_WORDS}|${LIST_WORDS}))`, 'i').test(
    head,
  )

/** Reads `books: title, author`, `Customers (name, phone)`, or a noun alone: `my recipes`. */
function listFromNoun({ sentence, head, list }: ParsedSentence): NamedList | null {
  const [first = '', ...more] = head.replace(OWNER_PHRASE, '').split(/\s+(?:and|&)\s+|,\s*/i)
  const noun = cutPhrase(first)
  const isWhole = noun !== '' && first.toLowerCase().replace(FILLER_WORDS, '').trim() === noun
  const fields = list === null || WITH_CALENDAR.test(sentence) ? [] : fieldItems(list)
  const isBeyond = [head, ...fields].some((part) => !isKnownField(part) && unsupportedWordIn(part) !== null)
  if (!isWhole || !isNoun(noun) || IS_VERB.test(noun) || isBeyond) return null
  const others = more.map(cutPhrase)
  const isListed = more.length === 0 && fields.some(isKnownField)
  const isPlain = fields.length === 0 && (!noun.includes(' ') || noun !== first.trim().toLowerCase())
  const areKnown = [noun, ...others].every(isKnownNoun)
  return isListed || (areKnown && isPlain) ? { noun, trust: 'known', others } : null
}

/** `with a calendar` names no field: a list with a date has a calendar anyway. */
const WITH_CALENDAR = /\s+with\s+(?:an?\s+)?calendar$/i

/** Matches the end of `members of our club` or `requests from tenants`, which is not part of the noun. */
const OWNER_PHRASE = /\s+(?:of|for|in|at|from)\s+(?:(?:my|our|the|an?)\s+)?[a-z]+(?:\s[a-z]+)?,?$/i

/** `A form with name and date` names no noun, so the list gets the name `entries`. */
function namelessList(head: string, list: string | null): NamedList | null {
  const isList = /\b(?:form|table|sheet|spreadsheet|list|register|diary|journal)\b/i.test(head)
  return isList && list !== null ? { noun: 'entries', trust: 'known', others: [] } : null
}

/** Ignores a noun for people when the sentence names no fields: `A page for my team` is not a list of teams. */
function ignorePeople(named: NamedList | null, list: string | null): NamedList | null {
  const last = singular(named?.noun.split(' ').at(-1) ?? '')
  return PEOPLE_WORDS.has(last) && list === null ? null : named
}

const IS_VERB = new RegExp(
  String.raw`^(?:${TRACK_VERBS}|${KEEP_VERBS}|add|make|create|build|show|give|get|send|design|put|set|remove|delete|drop|hide|rename|change|call|sort|print|export|import|fix|let|open|sell|buy|order|find|search|see|e-?mail|invite|bake|translate|write)\s`,
)

function listNameAfter(head: string, pattern: string, trust: NamedList['trust']): NamedList | null {
  const rest = new RegExp(pattern, 'i').exec(head)?.[1]
  const [phrase = '', ...others] = (rest ?? '').split(/\s+(?:and|&)\s+|[,;]\s*/i).map(cutPhrase)
  // Remove a participle at the end: `trees planted by students` is a list of trees.
  const first = trust === 'sure' ? phrase.replace(/(?<=\S)(?:\s[a-z]+ed)+$/, '') : phrase
  if (!isNoun(first)) return null
  const lists = others.filter((other) => isKnownNoun(other) && isPlural(other.split(' ').at(-1) ?? ''))
  const fields = others.filter((other) => isKnownField(other) && !lists.includes(other))
  return fields.length > 1 && lists.length === 0
    ? { noun: first, trust, others: [], list: others.join(', ') }
    : { noun: first, trust, others: lists.filter(isNoun).slice(0, 3) }
}

/**
 * Returns the noun before a word such as `tracker`. The noun begins after the last word that cannot be part of it, such as `my` or `build`.
 */
function nameBefore(head: string, words: string, trust: NamedList['trust']): NamedList | null {
  const said = new RegExp(
    String.raw`((?:[a-z'-]+\s+){1,4})(?:${words})\b(?!\s+(?:of|on|for\s+each)\b)`,
    'i',
  ).exec(head)?.[1]
  const phrase = (said ?? '').trim().toLowerCase().split(/\s+/)
  const start = phrase.findLastIndex((word) => NO_NOUN.test(word)) + 1
  const noun = phrase.slice(start).join(' ')
  return isKnownNoun(noun) || (isNoun(noun) && (noun.includes(' ') || !noun.endsWith('ing')))
    ? { noun, trust, others: [] }
    : null
}

const NO_NOUN =
  /^(?:an?|the|my|our|your|their|make|build|create|give|me|us|get|have|want|need|like|new|simple|small|little|nice|good|easy|quick|of|for|to|with|in|on|is|and|or|as|into|by|track|keep|log|add|set|up|one|this|that|web|mobile|online|internal|use|using|shared|another|second|personal|tiny|it|from|some|any)$/

/** Returns true for at most three plain words whose last is not a generic noun such as `thing`. */
function isNoun(phrase: string): boolean {
  const words = phrase.split(/[ -]/)
  return (
    /^[a-z][a-z0-9']+(?:[ -][a-z0-9']{2,}){0,2}$/.test(phrase) &&
    !GENERIC_WORDS.has(words.at(-1) ?? '') &&
    !/^(?:it|them|this|that|these|those|something|anything|everything|which|what|who|when|how|to|not|sure|in|is|for|of|with|at|on|by|from|my|our|and|or|as|up|down|out)$/.test(
      words[0] ?? '',
    )
  )
}

function cutPhrase(phrase: string): string {
  const noun = phrase.trim().toLowerCase().replace(FILLER_WORDS, '')
  return noun.slice(0, PHRASE_END.exec(noun)?.index).trim()
}

interface ParsedSentence {
  sentence: string
  /** The part of the sentence before its list of fields. */
  head: string
  list: string | null
}

function splitFields(sentence: string): ParsedSentence {
  const intro = FIELD_INTRO.exec(sentence)
  if (intro === null || intro.index === 0) return { sentence, head: sentence, list: null }
  const list = sentence
    .slice(intro.index + intro[0].length)
    .trim()
    .replace(/^(?:the\s+)?(?:following\s+)?(?:columns|fields)\s*:?\s*/i, '')
  const isParentheses = intro[0].endsWith('(')
  return {
    sentence,
    head: sentence.slice(0, intro.index).trim(),
    list: isParentheses ? list.replace(/\)[^)]*$/, '') : list,
  }
}

/** Matches a further list after `and`: `..., and orders with customer and cake`. */
const NEXT_LIST =
  /(?:,|;)?\s+(?:and|plus)\s+(?:(?:also\s+)?an?(?:other)?\s+list\s+(?:of|for|with)\s+)?((?:[a-z]+\s)?[a-z]+)(?:\s+with\s+|\s*:\s*|\s+\((?=[^)]*,))/i

function wantedIn({ sentence, list }: ParsedSentence, { noun, others, list: bare }: NamedList): WantedList[] {
  const all = list ?? bare ?? ''
  const next = NEXT_LIST.exec(all)
  const nextNoun = next?.[1]?.toLowerCase() ?? ''
  const isNext = next !== null && isKnownNoun(nextNoun) && isPlural(nextNoun.split(' ').at(-1) ?? '')
  const first = wantedOf(noun, isNext ? all.slice(0, next.index) : all, isComplete(sentence))
  const more = isNext ? [wantedOf(nextNoun, all.slice(next.index + next[0].length), false)] : []
  return [first, ...others.map((other) => wantedOf(other, '', false)), ...more]
}

/**
 * The fields of a list that are given after a colon or in parentheses are complete, so no usual fields are
 * added.
 */
const isComplete = (sentence: string) =>
  sentence.includes(':') || FIELD_INTRO.exec(sentence)?.[0].endsWith('(') === true

/** Returns a list with the fields of the text, or with the usual fields of the noun when the text has none. */
function wantedOf(noun: string, list: string, isComplete: boolean): WantedList {
  const collection = collectionOf(noun)
  const last = singular(noun.toLowerCase().split(/\s+/).at(-1) ?? noun)
  const items = fieldItems(list).filter((item) => isKnownField(item) || unsupportedWordIn(item) === null)
  const own = readFields(items.join('; '))
  const hasOwnFields = Object.keys(own).length > 0
  // A text that names only files, such as `expenses with photos`, gets the usual fields too.
  const isOnlyFiles = Object.values(own).every(({ type }) => type === 'file')
  const named = isOnlyFiles ? { ...defaultFields(last), ...own } : withNameField(last, own, isComplete)
  const fields = requireIdentifyingField(named)
  return { collection, title: sentenceCase(collection), fields, hasOwnFields }
}

/** Adds the first usual text field of a known noun: `books with author and rating` does not mention the title of a book. */
function withNameField(noun: string, own: ScaffoldFields, isComplete: boolean): ScaffoldFields {
  const [first] = Object.entries(defaultFields(noun))
  const isNamed = isComplete || Object.keys(own).some((name) => /name|title/i.test(name))
  if (isNamed || !isKnownNoun(noun) || first?.[1].type !== 'text' || Object.hasOwn(own, first[0])) return own
  return { [first[0]]: first[1], ...own }
}

/** Reads `For each student I want the name and the phone` when no list was named before. */
function listFromForEach(sentence: string): WantedList[] {
  const noun = /^(?:for\s+)?(?:each|every)\s+([a-z]+)/i.exec(sentence)?.[1]?.toLowerCase()
  const said = FOLLOW_UP.exec(sentence)?.[1]
  if (noun === undefined || said === undefined || !isKnownNoun(noun)) return []
  return fieldItems(said).filter(isKnownField).length > 1 ? [wantedOf(noun, said, true)] : []
}

function addFollowUpFields(list: WantedList, sentence: string): void {
  const said = FOLLOW_UP.exec(sentence)?.[1]
  const items = said === undefined ? [] : fieldItems(said)
  if (said === undefined || !items.some(isKnownField)) return
  const next = wantedOf(list.title, said, /name|title/i.test(said))
  if (next.hasOwnFields) Object.assign(list, { fields: next.fields, hasOwnFields: true })
}

/** Adds references between lists: `tasks for each project`, `every task belongs to a project`, `a project has many tasks`. */
function withRefs(text: string, wanted: WantedList[]): WantedList[] {
  const first = wanted[0]
  const parent =
    /\b(?:belongs? to (?:an?|one))\s+([a-z]+)/i.exec(text)?.[1] ??
    /^[^:]*?\b[a-z]+\s+(?:for each|for every|per)\s+([a-z]+)/i.exec(text)?.[1] ??
    /\b([a-z]+)\s+has many\b/i.exec(text)?.[1]
  if (first === undefined || parent === undefined || !isKnownNoun(parent)) return wanted
  const target = collectionOf(parent)
  if (target === '' || target === first.collection) return wanted
  const [name, field] = referenceField(target)
  const child = { ...first, fields: { ...first.fields, [name]: field } }
  const others = wanted.slice(1)
  return others.some((item) => item.collection === target)
    ? [child, ...others]
    : [child, ...others, wantedOf(parent.toLowerCase(), '', false)]
}
