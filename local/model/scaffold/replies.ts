import type { Fields } from './fields.ts'
import type { Lists } from './edits.ts'
import type { Intent } from './intent.ts'
import { article, namesOf } from './pages.ts'
import { sentenceCase } from './words.ts'

/** How this program introduces itself. */
export const INTRODUCTION = 'I am the built-in program, not an AI: I make lists and forms.'

const EXAMPLE = 'Make a list of books with title and author.'

/** The reply to everything that is not a list: what it needs, and what works instead. */
export function needsModel(lists: Lists, what: 'wish' | 'question' = 'wish'): string {
  const [first] = Object.entries(lists)
  const field = ['notes', 'price', 'date'].find((name) => !Object.hasOwn(first?.[1].fields ?? {}, name))
  const more =
    first === undefined || field === undefined
      ? ''
      : ` Or: Add a ${field} field to ${namesOf(first[0]).many}.`
  return `This ${what} needs an AI model. Connect one, or say: ${EXAMPLE}${more}\n\n${INTRODUCTION}`
}

/** Returns why a ticket changes nothing, or null when it does change something. */
export function whyNothing(intent: Intent, lists: Lists): string | null {
  switch (intent.kind) {
    case 'question':
      return needsModel(lists, 'question')
    case 'vague':
    case 'beyond':
      return needsModel(lists)
    case 'missing':
      return `The app has no "${intent.what}". ${hasLists(lists)}`
    case 'there':
      return `The ${namesOf(intent.what).one} list has that already.`
    case 'last-field':
      return `The ${namesOf(intent.collection).one} list would have nothing left to fill in. To take the whole list out, say: Remove the ${namesOf(intent.collection).many}.`
    case 'which-list':
      return `Say which list, for example: Add ${labelsOf(intent.fields)} to ${namesOf(Object.keys(lists)[0] ?? '').many}. ${hasLists(lists)}`
    default:
      return null
  }
}

function hasLists(lists: Lists): string {
  const names = Object.keys(lists).map((collection) => namesOf(collection).many)
  return names.length === 0 ? 'It has no list yet.' : `It has: ${names.join(', ')}.`
}

/** Returns what the user can do after this build, or what was removed. */
export function newsOf(intent: Intent): string {
  switch (intent.kind) {
    case 'lists': {
      const lists = intent.wanted.map(
        ({ collection }) => `${article(namesOf(collection).one)} ${namesOf(collection).one} list`,
      )
      const each = lists.length > 1 ? ', each' : ''
      return `Your app now has ${inWords(lists)}${each} with search, add, edit and delete. Anyone with the address can add, change and remove records.`
    }
    case 'more-fields': {
      const count = Object.keys(intent.fields).length
      const fields = count === 1 ? 'a new field' : `${count} new fields`
      return `The ${namesOf(intent.collection).one} list has ${fields}: ${labelsOf(intent.fields)}.`
    }
    case 'more-choices':
      return `The ${labelOf(intent.field)} of the ${namesOf(intent.collection).one} list can now also be ${inWords(intent.values)}.`
    case 'rename-field':
      return `In the ${namesOf(intent.collection).one} list, ${labelOf(intent.field)} is now called ${labelOf(intent.to)}.`
    case 'drop-fields':
      return `The ${namesOf(intent.collection).one} list no longer has ${inWords(intent.fields.map(labelOf))}; what was stored there goes too.`
    case 'remove':
      return `The ${namesOf(intent.collection).one} list is gone from the app, and its records with it.`
    default:
      return 'Nothing was changed.'
  }
}

const labelOf = (field: string) => sentenceCase(field).toLowerCase()

/** Returns the fields in words: `pickup date and price`. */
export const labelsOf = (fields: Fields) => inWords(Object.keys(fields).map(labelOf))

/** `name, price and date`. */
export function inWords(items: string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}
