import { type Edit, type Lists, optional, readEdit } from './edits.ts'
import { isKnownField } from './fields.ts'
import { type Wanted, readLists } from './lists.ts'
import { namesOf } from './pages.ts'
import { sentencesOf } from './sentence.ts'
import { beyondIn, isVague } from './vocabulary.ts'

export type Intent =
  /** Lists that the app does not have yet. */
  | { kind: 'lists'; wanted: Wanted[] }
  | Edit
  /** The app already has everything requested. */
  | { kind: 'there'; what: string }
  | { kind: 'question' }
  /** It names nothing. */
  | { kind: 'vague' }
  /** It names something that is not a list. */
  | { kind: 'beyond' }

const INTERROGATIVE =
  /^\s*(?:what|why|how|when|where|who|which|is|are|can|could|does|do|did|should|would|will)\b/i

/** Returns the intent of a text, by fixed rules without guessing. `lists` are the app's existing lists. */
export function readIntent(text: string, lists: Lists = {}): Intent {
  const sentences = sentencesOf(text)
  const orders = sentences.filter((sentence) => !isQuestion(sentence))
  const wanted = readLists(orders)
  const fresh = wanted.filter((item) => !Object.hasOwn(lists, item.collection))
  const isNew = Object.keys(lists).length === 0
  const edit = isNew
    ? null
    : (orders.map((sentence) => readEdit(sentence, lists)).find((found) => found !== null) ?? null)
  if (edit !== null) return withoutKnown(edit, lists)
  if (fresh.length > 0) return { kind: 'lists', wanted: fresh }
  const [grown] = wanted
  if (grown !== undefined) {
    const fields = grown.hasOwnFields ? grown.fields : {}
    return withoutKnown(
      { kind: 'more-fields', collection: grown.collection, fields: optional(fields) },
      lists,
    )
  }
  if (sentences.some(isQuestion)) return { kind: 'question' }
  return isNew && isVague(text) ? { kind: 'vague' } : { kind: 'beyond' }
}

const isQuestion = (sentence: string) => sentence.endsWith('?') || INTERROGATIVE.test(sentence)

/**
 * Returns the requests of a text that are left out, in its own words: `make the header pink`. Only orders and bare
 * nouns count, because people also talk about themselves.
 */
export function leftOut(text: string, intent: Intent): string[] {
  if (intent.kind !== 'lists' && intent.kind !== 'more-fields') return []
  const nouns = intent.kind === 'lists' ? intent.wanted.map(({ collection }) => namesOf(collection)) : []
  return sentencesOf(text)
    .flatMap((sentence) => sentence.split(/[,;:]\s*|\s+(?:and|but|then|with)\s+/i))
    .map((clause) => clause.trim().replace(/^(?:and|but|then|also)\s+/i, ''))
    .filter((clause) => beyondIn(clause) !== null && !isKnownField(clause))
    .filter((clause) => IS_ORDER.test(clause) || /^\S+(?:\s\S+){0,2}$/.test(clause))
    .filter(
      (clause) =>
        !nouns.some(({ one, many }) => [one, many].some((noun) => clause.toLowerCase().includes(noun))),
    )
    .slice(0, 3)
}

const IS_ORDER =
  /^(?:an?|make|put|send|add|show|let|print|export|import|remind|e-?mail|share|connect|sync|build|create|generate|translate|sort|filter|design)\b/i

/** Returns the edit without what the app already has. */
export function withoutKnown(edit: Edit, lists: Lists): Intent {
  if (edit.kind === 'more-fields') {
    const known = lists[edit.collection]?.fields ?? {}
    const fields = Object.fromEntries(
      Object.entries(edit.fields).filter(([name]) => !Object.hasOwn(known, name)),
    )
    const [again, ...others] = Object.entries(edit.fields)
    if (again?.[1].values !== undefined && others.length === 0 && known[again[0]]?.values !== undefined) {
      const [field, { values }] = again
      return withoutKnown({ kind: 'more-choices', collection: edit.collection, field, values }, lists)
    }
    return Object.keys(fields).length === 0 ? { kind: 'there', what: edit.collection } : { ...edit, fields }
  }
  if (edit.kind === 'more-choices') {
    const known = lists[edit.collection]?.fields[edit.field]?.values ?? []
    const values = edit.values.filter((value) => !known.includes(value))
    return values.length === 0 ? { kind: 'there', what: edit.collection } : { ...edit, values }
  }
  return edit
}
