import { type AccessLevel, readAccess, readLimit } from './access.ts'
import { type Edit, type ScaffoldLists, optional, readEdit } from './edits.ts'
import { type Extra, type ExtraRequest, readExtra, readStop } from './extras.ts'
import { readAllowance } from './limits.ts'
import { hasFile, isKnownField, requireIdentifyingField } from './fields.ts'
import { isKnownNoun } from './lexicon.ts'
import { type WantedList, readLists } from './lists.ts'
import { namesOf } from './names.ts'
import { readReminder, type Reminder } from './reminders.ts'
import { sentencesOf } from './sentence.ts'
import { hasCalendar } from './shape.ts'
import { FILE_FIELD, readUploadField } from './uploads.ts'
import { unsupportedWordIn, isVague, PEOPLE_WORDS } from './vocabulary.ts'
import { isPlural, singular } from './words.ts'

export type Intent =
  /** New lists that the app does not have yet. */
  | { kind: 'lists'; wanted: WantedList[]; reminder?: Reminder | undefined; extras?: Extra[] }
  | Edit
  | { kind: 'access'; access: AccessLevel; collections: string[] }
  | { kind: 'remind'; reminder: Reminder }
  /** The text names no list and the app has several, so the user is asked which list to remind of. */
  | { kind: 'which-reminded' }
  | { kind: 'no-reminders' }
  | { kind: 'extras'; extras: Extra[] }
  | { kind: 'stop'; is: 'mail' | 'guard' | 'push' | 'limit'; collections: string[] }
  /** The text names no list and the app has several, so the user is asked which list gets the extra. */
  | { kind: 'which-extended'; is: Extra['is'] }
  | { kind: 'there'; what: string }
  | { kind: 'question' }
  | { kind: 'vague' }
  /** The text requests something that needs a real model. */
  | { kind: 'beyond' }

const INTERROGATIVE_START =
  /^\s*(?:what|why|how|when|where|who|which|is|are|can|could|does|do|did|should|would|will)\b/i

/** Reads what a text requests, by fixed rules. `lists` are the lists that the app already has. */
export function readIntent(text: string, lists: ScaffoldLists = {}): Intent {
  const allowance = readAllowance(text)
  if (allowance !== null) return withLimit(text, allowance, lists)
  if (readStop(text) === 'limit') return readExtraToStop(text, lists) ?? readWithoutExtras(text, lists)
  // Remove a limit that the scaffold cannot build from the text: it would be read as a field.
  const limit = readLimit(text)
  if (limit !== null) return readIntent(limit.rest, lists)
  const request = readExtra(text)
  if (request === null) return readExtraToStop(text, lists) ?? readWithoutExtras(text, lists)
  const intent = readIntent(request.rest, lists)
  if (intent.kind === 'lists') {
    const extra = extraOf(request, extendableCollections(intent.wanted))
    return extra === null ? intent : { ...intent, extras: [...(intent.extras ?? []), extra] }
  }
  if (intent.kind !== 'extras' && !isVague(request.rest) && intent.kind !== 'there') return intent
  const extra = extraOf(request, Object.keys(lists))
  if (extra !== null)
    return { kind: 'extras', extras: [...(intent.kind === 'extras' ? intent.extras : []), extra] }
  return Object.keys(lists).length > 1 && isUnnamed(request.is, request.words)
    ? { kind: 'which-extended', is: request.is }
    : readWithoutExtras(text, lists)
}

function withLimit(
  text: string,
  { count, window, words, rest }: NonNullable<ReturnType<typeof readAllowance>>,
  lists: ScaffoldLists,
): Intent {
  const intent = readIntent(rest, lists)
  const limitExtra = (collection: string): Extra => ({ is: 'limit', collection, count, window })
  if (intent.kind === 'lists') {
    const names = intent.wanted.map(({ collection }) => collection)
    const target = names.find((name) => isNamed(words, name)) ?? names[0] ?? ''
    // Visitors are anonymous, so a limit per person requires signing in.
    return {
      ...intent,
      wanted: restrictToSignedIn(intent.wanted, target),
      extras: [...(intent.extras ?? []), limitExtra(target)],
    }
  }
  if (intent.kind !== 'extras' && !isVague(rest) && intent.kind !== 'there') return intent
  if (Object.keys(lists).length === 0) return { kind: 'beyond' }
  const collection = namedOrOnlyList(words, Object.keys(lists)) ?? namedOrOnlyList(text, Object.keys(lists))
  const others = intent.kind === 'extras' ? intent.extras : []
  return collection === null
    ? { kind: 'which-extended', is: 'limit' }
    : { kind: 'extras', extras: [...others, limitExtra(collection)] }
}

/**
 * Restricts the list `target`, and all lists with references to it, to people who are signed in. Visitors
 * cannot read `target`, so they could not choose the record that a reference needs.
 */
function restrictToSignedIn(wanted: WantedList[], target: string): WantedList[] {
  const meant = new Set([target])
  const leadsToMeant = ({ fields }: WantedList) =>
    Object.values(fields).some(({ ref }) => ref !== undefined && meant.has(ref))
  // Repeat: each pass may find one more step of a chain of references.
  for (const _step of wanted) for (const item of wanted) if (leadsToMeant(item)) meant.add(item.collection)
  return wanted.map((item) =>
    meant.has(item.collection) ? { ...item, access: item.access ?? 'members' } : item,
  )
}

/**
 * Returns the intent to remove the extra that a text requests to stop. Null when there is none, or when the text
 * also requests another change that can be built.
 */
function readExtraToStop(text: string, lists: ScaffoldLists): Intent | null {
  const is = readStop(text)
  const isKept =
    is === null ||
    Object.keys(lists).length === 0 ||
    !UNUSABLE_INTENTS.has(readWithoutExtras(text, lists).kind)
  return isKept ? null : { kind: 'stop', is, collections: namedLists(text, lists) }
}

const UNUSABLE_INTENTS = new Set<Intent['kind']>(['beyond', 'missing', 'question', 'vague'])

const RECORD_WORDS =
  /\b(?:it|them|records?|entr(?:y|ies)|(?:each|every)\s+one|everything|some(?:one|body)|any(?:one|body))\b/i

const FORM_WORDS = /\b(?:forms?|app|page|list)\b/i

const isUnnamed = (is: Extra['is'], words: string) =>
  RECORD_WORDS.test(words) || (is === 'guard' && FORM_WORDS.test(words))

/**
 * Returns the lists that can have extras. A list with records per team cannot have extras, because an extra's page cannot select a team.
 */
const extendableCollections = (wanted: WantedList[]): string[] =>
  wanted.filter(({ access }) => access !== 'team').map(({ collection }) => collection)

/**
 * Returns the requested extra for the list that the text names, or for the only list when the text says `it`
 * or `each record`; else null.
 */
function extraOf({ is, heading, to, words }: ExtraRequest, lists: string[]): Extra | null {
  if (is === 'visits') return { is }
  // A list name within an address (orders@example.com) does not count.
  const said = to === null ? words : words.replace(to, ' ')
  const named = lists.find((collection) => isNamed(said, collection) || isListNamed(said, collection))
  const only = lists.length === 1 && isUnnamed(is, said) ? lists[0] : undefined
  const collection = named ?? only
  if (collection === undefined) return null
  if (is === 'pdf') return { is, collection, heading }
  return is === 'mail' ? { is, collection, to } : { is, collection }
}

/** The last word of a list's name suffices: `order` names `office orders`. */
const isListNamed = (text: string, collection: string) => {
  const [one, many] = [namesOf(collection).one, collection].map((name) => name.split(/ |(?=[A-Z])/).at(-1))
  return new RegExp(`\\b(?:${one}|${many})\\b`, 'i').test(text)
}

/** Reads reminders, uploads, access and lists in a text from which the requests for extras have been removed. */
function readWithoutExtras(text: string, lists: ScaffoldLists): Intent {
  const request = readReminder(text)
  if (request === null) return readWithoutReminders(text, lists)
  if (request.is === 'unwanted') return { kind: 'no-reminders' }
  const intent = readWithoutReminders(request.rest, lists)
  if (intent.kind === 'lists') {
    const collection = namedOrOnlyList(
      request.words,
      intent.wanted.map((item) => item.collection),
    )
    return collection === null ? intent : { ...intent, reminder: { ...request, collection } }
  }
  // When the rest of the text requests another change, build that change and not the reminder.
  if (!isVague(request.rest) && intent.kind !== 'there') return intent
  const collection = namedOrOnlyList(request.words, Object.keys(lists))
  if (collection !== null) return { kind: 'remind', reminder: { ...request, collection } }
  return Object.keys(lists).length === 0 ? { kind: 'beyond' } : { kind: 'which-reminded' }
}

/** Returns a list that the text names, or the only list of the app; else null. */
function namedOrOnlyList(words: string, lists: string[]): string | null {
  const named = lists.filter((collection) => isNamed(words, collection))
  const [first = null, ...others] = named.length > 0 ? named : lists
  return others.length > 0 && named.length === 0 ? null : first
}

const isNamed = (text: string, collection: string) => {
  const { one, many } = namesOf(collection)
  return new RegExp(`\\b(?:${one}|${many})\\b`, 'i').test(text)
}

/** Reads uploads, access and lists in a text from which the requests for extras and reminders have been removed. */
function readWithoutReminders(text: string, lists: ScaffoldLists): Intent {
  const upload = readUploadField(text)
  if (upload === null) return restrictUploads(readWithoutUploads(text, lists))
  const intent = readWithoutUploads(upload.rest, lists)
  const fields = { [upload.field]: FILE_FIELD }
  if (intent.kind === 'lists') {
    const names = intent.wanted.map(({ collection }) => collection)
    const target = names.find((name) => isNamed(upload.words, name)) ?? names[0] ?? ''
    const wanted = intent.wanted.map((item) =>
      item.collection === target
        ? { ...item, fields: requireIdentifyingField({ ...item.fields, ...fields }) }
        : item,
    )
    return restrictUploads({ ...intent, wanted })
  }
  // When the rest of the text requests another change, build that change and not the upload.
  if ((!isVague(upload.rest) && intent.kind !== 'there') || Object.keys(lists).length === 0) return intent
  const collection =
    namedOrOnlyList(upload.words, Object.keys(lists)) ?? namedOrOnlyList(text, Object.keys(lists))
  return collection === null
    ? { kind: 'which-list', fields }
    : withoutExistingParts({ kind: 'more-fields', collection, fields }, lists)
}

/**
 * Restricts new lists with file fields to people who are signed in: a file needs an owner, and visitors are
 * anonymous.
 */
function restrictUploads(intent: Intent): Intent {
  if (intent.kind !== 'lists') return intent
  const targets = intent.wanted.filter(({ fields }) => hasFile(fields))
  const wanted = targets.reduce(
    (items, { collection }) => restrictToSignedIn(items, collection),
    intent.wanted,
  )
  return { ...intent, wanted }
}

/** Reads access and lists in a text from which the requests for extras, reminders and uploads have been removed. */
function readWithoutUploads(text: string, lists: ScaffoldLists): Intent {
  const people = readAccess(text)
  if (people === null) return readWish(text, lists)
  const { access } = people
  const isNew = Object.keys(lists).length === 0
  const intent = readWish(isNew ? restWithListNoun(people) : people.rest, lists)
  if (intent.kind === 'lists')
    return { ...intent, wanted: intent.wanted.map((item) => ({ ...item, access })) }
  // The text is only about access when the rest of it requests nothing, or requests a list that the app already has.
  const isOnlyPeople = isVague(people.rest) || intent.kind === 'there'
  return isOnlyPeople && !isNew ? { kind: 'access', access, collections: namedLists(text, lists) } : intent
}

/** `Only members can add recipes` names the list of a new app within the phrase about access, so keep the noun. */
function restWithListNoun({ words, rest }: NonNullable<ReturnType<typeof readAccess>>): string {
  const noun = words.split(/\s+/).at(-1)?.toLowerCase() ?? ''
  const isList = isPlural(noun) && isKnownNoun(noun) && !PEOPLE_WORDS.has(singular(noun))
  return isList && /^(?:with\b|[:(]|$)/i.test(rest) ? `Track ${noun} ${rest}` : rest
}

/** Returns the lists that the text names; all lists when it names none. */
function namedLists(text: string, lists: ScaffoldLists): string[] {
  const all = Object.keys(lists)
  const named = all.filter((collection) => isNamed(text, collection))
  return named.length > 0 ? named : all
}

function readWish(text: string, lists: ScaffoldLists): Intent {
  const sentences = sentencesOf(text)
  const orders = sentences.filter((sentence) => !isQuestion(sentence))
  const wanted = readLists(orders)
  const fresh = wanted.filter((item) => !Object.hasOwn(lists, item.collection))
  const isNew = Object.keys(lists).length === 0
  const edit = isNew
    ? null
    : (orders.map((sentence) => readEdit(sentence, lists)).find((found) => found !== null) ?? null)
  if (edit !== null) return withoutExistingParts(edit, lists)
  if (fresh.length > 0) return { kind: 'lists', wanted: fresh }
  const [grown] = wanted
  if (grown !== undefined) {
    const fields = grown.hasOwnFields ? grown.fields : {}
    return withoutExistingParts(
      { kind: 'more-fields', collection: grown.collection, fields: optional(fields) },
      lists,
    )
  }
  if (sentences.some(isQuestion)) return { kind: 'question' }
  return isNew && isVague(text) ? { kind: 'vague' } : { kind: 'beyond' }
}

const isQuestion = (sentence: string) => sentence.endsWith('?') || INTERROGATIVE_START.test(sentence)

/**
 * Returns the requests in a text that the build does not fulfil, quoted from the text: `make the header
 * pink`. Counts only imperatives and short noun phrases, because people also write about themselves.
 */
export function unfulfilledRequests(text: string, intent: Intent): string[] {
  const allowance = readAllowance(text)
  if (allowance !== null && intent.kind === 'lists') return unfulfilledRequests(allowance.rest, intent)
  const limit = allowance ?? readLimit(text)
  if (limit !== null && ['lists', 'more-fields', 'access'].includes(intent.kind))
    return [limit.words, ...unfulfilledRequests(limit.rest, intent)].slice(0, 3)
  if (intent.kind !== 'lists' && intent.kind !== 'more-fields') return []
  const wanted = intent.kind === 'lists' ? intent.wanted : []
  const nouns = wanted.map(({ collection }) => namesOf(collection))
  const kept = intent.kind === 'lists' ? withoutExtras(text, extendableCollections(intent.wanted)) : text
  const request = intent.kind === 'lists' && intent.reminder !== undefined ? readReminder(kept) : null
  const lasting = request?.is === 'wanted' ? request.rest : kept
  const said = readUploadField(lasting)?.rest ?? lasting
  return sentencesOf(readAccess(said)?.rest ?? said)
    .flatMap((sentence) => sentence.split(/[,;:]\s*|\s+(?:and|but|then|with)\s+/i))
    .map((clause) => clause.trim().replace(/^(?:and|but|then|also)\s+/i, ''))
    .filter((clause) => unsupportedWordIn(clause) !== null && !isKnownField(clause))
    .filter((clause) => !/^(?:an?\s+)?calendar$/i.test(clause) || !wanted.some(hasCalendar))
    .filter((clause) => IMPERATIVE_START.test(clause) || /^\S+(?:\s\S+){0,2}$/.test(clause))
    .filter(
      (clause) =>
        !nouns.some(({ one, many }) => [one, many].some((noun) => clause.toLowerCase().includes(noun))),
    )
    .slice(0, 3)
}

/** Removes from a text the clauses that request extras of these lists. Keeps a clause when none of these lists gets its extra. */
function withoutExtras(text: string, lists: string[]): string {
  const request = readExtra(text)
  if (request === null) return text
  const rest = withoutExtras(request.rest, lists)
  return extraOf(request, lists) === null ? `${rest}.\n${request.words}` : rest
}

const IMPERATIVE_START =
  /^(?:an?|make|put|send|summari[sz]e|add|show|let|print|export|import|remind|e-?mail|share|connect|sync|build|create|generate|translate|sort|filter|design)\b/i

/** Removes from the edit what the app already has. When nothing remains, returns the intent `there`: the app needs no change. */
export function withoutExistingParts(edit: Edit, lists: ScaffoldLists): Intent {
  if (edit.kind === 'more-fields') {
    const known = lists[edit.collection]?.fields ?? {}
    const fields = Object.fromEntries(
      Object.entries(edit.fields).filter(([name]) => !Object.hasOwn(known, name)),
    )
    const [again, ...others] = Object.entries(edit.fields)
    const [field = '', { values } = {}] = again ?? []
    const before = Object.hasOwn(known, field) ? known[field] : undefined
    if (values !== undefined && others.length === 0 && before?.values !== undefined)
      return withoutExistingParts({ kind: 'more-choices', collection: edit.collection, field, values }, lists)
    return Object.keys(fields).length === 0 ? { kind: 'there', what: edit.collection } : { ...edit, fields }
  }
  if (edit.kind === 'more-choices') {
    const known = lists[edit.collection]?.fields[edit.field]?.values ?? []
    const values = edit.values.filter((value) => !known.includes(value))
    return values.length === 0 ? { kind: 'there', what: edit.collection } : { ...edit, values }
  }
  return edit
}
