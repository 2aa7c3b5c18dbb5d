import {
  type Field,
  type ScaffoldFields,
  fieldItems,
  hasPlainField,
  isKnownField,
  isReservedField,
  readFields,
} from './fields.ts'
import { isKnownNoun } from './lexicon.ts'
import { collectionOf } from './lists.ts'
import { GENERIC_WORDS, unsupportedWordIn, isFieldWord } from './vocabulary.ts'
import { camelCase, isPlural } from './words.ts'

/** The lists of an app, by their identifier. */
export type ScaffoldLists = Record<string, { title?: string; fields: ScaffoldFields }>

export type Edit =
  | { kind: 'more-fields'; collection: string; fields: ScaffoldFields }
  /** Several lists could get the new fields, so the user is asked. */
  | { kind: 'which-list'; fields: ScaffoldFields }
  | { kind: 'more-choices'; collection: string; field: string; values: string[] }
  | { kind: 'rename-field'; collection: string; field: string; to: string }
  | { kind: 'drop-fields'; collection: string; fields: string[] }
  /** Refused, because a list needs at least one field. */
  | { kind: 'last-field'; collection: string }
  | { kind: 'remove'; collection: string }
  | { kind: 'missing'; what: string }

const LIST_WORD =
  /^(?:it|them|that|this|(?:the\s+|my\s+|our\s+)?(?:list|form|table|app|page|records?|entries|each one|every one|everyone|each|all))$/i
const DETERMINER_PATTERN = /^(?:the|an?|my|our|every|each|all|some|another|one|this|that)\s+/i

/** Returns the change of existing lists that a sentence requests; null when the sentence requests no change. */
export function readEdit(sentence: string, lists: ScaffoldLists): Edit | null {
  return (
    parseRemoval(sentence, lists) ??
    parseRenaming(sentence, lists) ??
    parseChoices(sentence, lists) ??
    parseAddition(sentence, lists)
  )
}

function parseRemoval(sentence: string, lists: ScaffoldLists): Edit | null {
  const request =
    /^(?:remove|delete|drop|take out|take away|get rid of|leave out|hide)\s+(.+)$/i.exec(sentence)?.[1] ??
    /^(?:(?:i|we)\s+)?(?:don't|do not|no longer)\s+(?:need|want)\s+(.+?)(?:\s+(?:any ?more|any longer))?$/i.exec(
      sentence,
    )?.[1]
  const said = request?.replace(/^(?:the\s+)?(?:list|page|table)\s+(?:of|for|with)\s+/i, '')
  // `Remove all records` does not remove the list.
  if (said === undefined || /^all\b/i.test(said)) return null
  const [, what = said, where] = /^(.+?)\s+(?:from|in|of|on)\s+(.+)$/i.exec(said) ?? []
  const list = where === undefined ? listNamed(what.replace(/\s+(?:list|page|table)$/i, ''), lists) : null
  if (list !== null && !/\b(?:fields?|columns?)$/i.test(what)) return { kind: 'remove', collection: list }
  const items = fieldItems(what.replaceAll(/\b(?:fields?|columns?)\b/gi, ''))
  const names = [...new Set(items.map(fieldNameIn))]
  const target = where === undefined ? null : namedTarget(where, lists)
  const collection =
    target ?? Object.keys(lists).find((key) => names.every((name) => hasField(lists, key, name)))
  const isThere =
    collection !== undefined && names.length > 0 && names.every((name) => hasField(lists, collection, name))
  const missing = what.trim().toLowerCase().replace(DETERMINER_PATTERN, '')
  if (!isThere) return isPartOfPage(missing) ? null : { kind: 'missing', what: missing }
  const left = Object.entries(lists[collection]?.fields ?? {}).filter(([name]) => !names.includes(name))
  return hasPlainField(Object.fromEntries(left))
    ? { kind: 'drop-fields', collection, fields: names }
    : { kind: 'last-field', collection }
}

/**
 * Returns whether a phrase is a part of every page, such as the search in `Remove the search`, and not a
 * list.
 */
const isPartOfPage = (what: string) =>
  unsupportedWordIn(what) !== null ||
  GENERIC_WORDS.has(what) ||
  /\b(?:edit|delete|add|title|search|form|page)\b/.test(what)

function parseRenaming(sentence: string, lists: ScaffoldLists): Edit | null {
  const [, before, after] =
    /^(?:rename|call|change the (?:name|label|title) of)\s+(.+?)\s+(?:to|into|as)\s+(.+)$/i.exec(sentence) ??
    []
  if (before === undefined || after === undefined) return null
  const [, what = before, where] = /^(.+?)\s+(?:of|in|on)\s+(.+)$/i.exec(before) ?? []
  const field = fieldNameIn(what.replace(/\s+(?:field|column)$/i, ''))
  const collection =
    where === undefined
      ? Object.keys(lists).find((key) => hasField(lists, key, field))
      : namedTarget(where, lists)
  const to = fieldNameIn(after.replaceAll(/["']/g, ''))
  if (collection === undefined || collection === null || !hasField(lists, collection, field)) return null
  return to === '' || isReservedField(to) || hasField(lists, collection, to) || /[(,]/.test(after)
    ? null
    : { kind: 'rename-field', collection, field, to }
}

/** Adds choices to a field: `Add cancelled to the status`. */
function parseChoices(sentence: string, lists: ScaffoldLists): Edit | null {
  const [, said, where] =
    /^(?:add|include|put)\s+(.+?)\s+(?:to|as an? option (?:to|for|of)|in|for)\s+(?:the\s+)?(.+?)(?:\s+(?:field|choices|options|list))?$/i.exec(
      sentence,
    ) ?? []
  // `Add a notes field to moods` adds a field to the list, even when the list has a field `mood` with choices.
  const isField = said !== undefined && (SAYS_FIELD.test(said) || fieldItems(said).every(isKnownField))
  if (said === undefined || where === undefined || (isField && Object.hasOwn(lists, camelCase(where))))
    return null
  const field = fieldNameIn(where)
  const collection = Object.keys(lists).find((key) => isChoiceField(lists, key, field))
  if (collection === undefined) return null
  const values = said
    .split(/,|\s(?:and|or|&)\s/)
    .map((value) =>
      value
        .replaceAll(/["']/g, '')
        .replace(/^\s*(?:the |an? )?(?:option |choice |value )?/i, '')
        .trim()
        .toLowerCase(),
    )
    .filter((value) => value !== '' && value.length <= 40)
  return values.length === 0
    ? null
    : { kind: 'more-choices', collection, field, values: [...new Set(values)] }
}

function parseAddition(sentence: string, lists: ScaffoldLists): Edit | null {
  const plain = sentence
    .replace(/\b(?:an?\s+)?(?:check|tick)\s?box(?:\s+(?:for|called|named|with))?\s+(.+)$/i, '$1 yes/no')
    .replaceAll(FIELD_WORD, ' ')
  const about = newFieldsPhrase(sentence, plain.replaceAll(/\s+/g, ' ').trim(), lists)
  if (about === null) return null
  const { said: list, collection, isSure } = about
  const items = fieldItems(list)
  const isField = (item: string) => isKnownField(item) || isSure || item.includes('(')
  if (items.length === 0 || !items.every(isField)) return null
  const fields = readFields(list)
  if (Object.keys(fields).length === 0) return null
  return collection === null
    ? { kind: 'which-list', fields: optional(fields) }
    : { kind: 'more-fields', collection, fields: optional(fields) }
}

/**
 * Returns the part of the sentence that names new fields (`said`) and the list that gets them; null when the
 * sentence adds no field.
 */
function newFieldsPhrase(
  original: string,
  sentence: string,
  lists: ScaffoldLists,
): { said: string; collection: string | null; isSure: boolean } | null {
  const only = Object.keys(lists).length === 1 ? (Object.keys(lists)[0] ?? null) : null
  // `Add John Smith to customers` adds a record and no field.
  const isRecord = /\b(?:[Aa]dd|[Pp]ut)\s+[A-Z][a-z]+\s[A-Z]/.test(sentence)
  if (isRecord) return null
  const saysField = SAYS_FIELD.test(original)
  const [, subject, must, request] = HAS_FIELD.exec(sentence) ?? []
  const owner = subject === undefined ? null : namedTarget(subject, lists)
  if (
    request !== undefined &&
    owner !== null &&
    unsupportedWordIn(request) === null &&
    !NO_FIELD.test(request)
  )
    return {
      said: request,
      collection: owner,
      isSure: must !== undefined && /^an?\s(?!lot\b)/i.test(request),
    }
  const [, each, ofEach] =
    /^(?:for\s+)?(?:each|every)\s+([a-z]+),?\s+(?:i|we)?\s*(?:also\s+)?(?:want|need)?\s*(?:to\s+)?(?:note|know|see|record|track|store|add|keep|write down)?\s*(.+)$/i.exec(
      sentence,
    ) ?? []
  const eachOf = each === undefined ? null : namedTarget(each, lists)
  if (ofEach !== undefined && eachOf !== null && unsupportedWordIn(ofEach) === null && !NO_FIELD.test(ofEach))
    return { said: ofEach, collection: eachOf, isSure: false }
  const added = ADD_VERBS.exec(sentence)?.[1] ?? (IS_FIELD.test(original) ? sentence : undefined)
  if (added === undefined) return null
  if (/^(?:show|see)\b.*\b(?:total|sum|average|count|number of)\b/i.test(sentence)) return null
  const [, what = added, where] =
    /^(.+?)\s+(?:to|for|on|in|of)\s+((?:the |my |our |every |each |all )?[a-z' ]+)$/i.exec(added) ?? []
  const target = where === undefined ? null : namedTarget(where, lists)
  if (target !== null) {
    // `Add a welcome text to the page` changes the page and adds no field.
    if (/\b(?:page|app)\b/i.test(where ?? '') && !saysField) return null
    const isFeature = unsupportedWordIn(what) !== null && !saysField
    return isFeature ? null : { said: what, collection: target, isSure: true }
  }
  // `Add a price to lamps` without a list of lamps adds no field.
  if (where !== undefined && (saysField || /\sto\s/.test(added))) return null
  const isFeature = unsupportedWordIn(added) !== null && !saysField
  const isList = fieldItems(added).some((item) => isKnownList(item)) || /\b(?:list|page|table)\b/i.test(added)
  if (/^(?:more|some|any|all|new|better|other)\b/i.test(added) && !saysField) return null
  const isOther = /\bwith\b/.test(added) || (added.includes(':') && !/^(?:an?\s+)?status\s*:/i.test(added))
  return isFeature || isList || isOther ? null : { said: added, collection: only, isSure: saysField }
}

const ADD_VERBS =
  /^(?:add|include|put in|note|know|see|store|record|save|write down|show|have|give (?:it|them|me)|an?\b(?=.*\bfield\b)|the\b(?=.*\btoo$)|(?=(?:an?|the|status)\b))(?:\s+(?:also|down|me)\b)?\s*(.+)$/i

/** Matches `Orders need a status` or `each order should also have a price`. */
const HAS_FIELD =
  /^(.+?)\s+(?:also\s+)?(?:((?:should|must|could)\s+(?:also\s+)?(?:have|get|include|show|contain)|needs?(?:\s+to\s+have)?)|ha(?:s|ve))\s+(?:also\s+)?(.+)$/i
/** `has many orders` describes another list, and `must be unique` is not a field. */
const NO_FIELD =
  /^(?:(?:ha(?:s|ve)\s+)?(?:many|several|multiple)|to|be|been|not|no|never|only|always|look|work)\b|\bwith\b/i
const FIELD_WORD =
  /(?:\b(?:an?|the|another|extra|new|more|one)\s+)*\b(?:fields?|columns?)\b(?:\s+(?:for|called|named|with)\b)?\s*:?\s*/gi
const SAYS_FIELD = /\b(?:fields?|columns?|check\s?box|tick\s?box)\b/i
/** Matches a field without a verb: `A field for the discount`. */
const IS_FIELD = /^(?:(?:an?|another|new|one|more|extra)\s+)+(?:fields?|columns?)\b/i

const isKnownList = (item: string) => {
  const last = item.toLowerCase().split(/\s+/).at(-1) ?? ''
  return isKnownNoun(last) && isPlural(last) && !isFieldWord(last)
}

/** Makes fields optional: existing records have no value for a new field, so it cannot be required. */
export const optional = (fields: ScaffoldFields): ScaffoldFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { required: _required, ...field }]) => [name, field satisfies Field]),
  )

const fieldNameIn = (phrase: string) =>
  Object.keys(readFields(phrase))[0] ?? camelCase(phrase.trim().replace(DETERMINER_PATTERN, ''))
const hasField = (lists: ScaffoldLists, collection: string, field: string) =>
  Object.hasOwn(lists[collection]?.fields ?? {}, field)

const isChoiceField = (lists: ScaffoldLists, collection: string, field: string) =>
  hasField(lists, collection, field) && lists[collection]?.fields[field]?.values !== undefined

/** Returns the list that a phrase names, or the only list for `it` or `the list`; else null. */
function namedTarget(phrase: string, lists: ScaffoldLists): string | null {
  const keys = Object.keys(lists)
  const words = phrase.trim().replace(DETERMINER_PATTERN, '')
  if (keys.length === 1 && (LIST_WORD.test(phrase.trim()) || LIST_WORD.test(words))) return keys[0] ?? null
  return listNamed(words.replace(/\s+(?:list|form|table|page|app|records?)$/i, ''), lists)
}

function listNamed(phrase: string, lists: ScaffoldLists): string | null {
  const name = collectionOf(phrase.trim().replace(DETERMINER_PATTERN, ''))
  if (Object.hasOwn(lists, name)) return name
  const ending = name.charAt(0).toUpperCase() + name.slice(1)
  return Object.keys(lists).find((key) => name !== '' && key.endsWith(ending)) ?? null
}
