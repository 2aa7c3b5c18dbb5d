import { camelCase, singular } from './words.ts'

/** A field of `app.json`, as far as this program writes them (docs/guides/capabilities/data.md). */
export interface Field {
  type: 'text' | 'number' | 'boolean' | 'date' | 'enum' | 'ref'
  required?: boolean
  index?: boolean
  default?: boolean
  max?: number
  values?: string[]
  ref?: string
  as?: 'long' | 'email' | 'url'
}
export type Fields = Record<string, Field>

const RESERVED = new Set(['id', 'ownerId', 'rev', 'createdAt', 'updatedAt'])

/** What a field's last or only word says about its type; the first rule that matches wins. */
const RULES: [pattern: RegExp, field: Field][] = [
  [
    /\b(date|day|due|deadline|birthday|when|starts?|ends?|expires?|expiry|at|on)$/,
    { type: 'date', index: true },
  ],
  [
    /\b(price|amount|cost|count|number|quantity|qty|total|rating|score|age|size|weight|height|year|stock)$/,
    { type: 'number' },
  ],
  [
    /\b(hours?|minutes?|duration|distance|servings|calories|budget|salary|points|reps|sets|pages|capacity|seats)$/,
    { type: 'number' },
  ],
  [
    /\b(done|paid|active|finished|completed?|archived|urgent|favou?rite|available|sold|read|sent|approved)$/,
    { type: 'boolean', default: false, index: true },
  ],
  [/\be-?mail( address)?$/, { type: 'text', as: 'email', max: 200 }],
  [/\b(url|link|website|homepage)$/, { type: 'text', as: 'url', max: 500 }],
  [
    /\b(notes?|description|body|details|comments?|ingredients|instructions|steps|summary|message|content)$/,
    { type: 'text', as: 'long', max: 5000 },
  ],
]

/** The type of a field by its name: `last watered date` is a date, `price` a number. */
export function fieldByName(phrase: string): Field {
  const rule = RULES.find(([pattern]) => pattern.test(phrase.toLowerCase()))
  return { ...(rule?.[1] ?? { type: 'text', max: 200 }) }
}

/**
 * Fields from a list in words: `name, room and last watered date`, `status (open, closed)`. The first text
 * is required, so that no empty record can be stored.
 */
export function readFields(list: string): Fields {
  const fields: Fields = {}
  for (const item of splitList(list)) {
    const [, phrase = '', values] = /^([^(]*)(?:\(([^)]*)\))?/.exec(item) ?? []
    const name = camelCase(cleanPhrase(phrase))
    if (name === '' || RESERVED.has(name) || Object.hasOwn(fields, name)) continue
    fields[name] = values === undefined ? fieldByName(cleanPhrase(phrase)) : enumOf(values)
  }
  return requireFirst(fields)
}

/** At most 20 fields: more is a form that nobody fills in. */
function splitList(list: string): string[] {
  return list
    .split(/[,;\n](?![^(]*\))|\s(?:and|&|plus|as well as)\s(?![^(]*\))/i)
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .slice(0, 20)
}

function cleanPhrase(phrase: string): string {
  return phrase
    .replaceAll(/[*_`"“”-]+/g, ' ')
    .replace(/^\s*(?:and|or|also)\s+/i, '')
    .replace(/^\s*(?:an?|the|its|their|his|her|my|our|each|optional|required|some)\s+/i, '')
    .replace(/[.!]+\s*$/, '')
    .trim()
}

function enumOf(list: string): Field {
  const values = list
    .split(/,|\/|\||\bor\b/)
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '')
  return values.length > 1
    ? { type: 'enum', values: [...new Set(values)], index: true }
    : { type: 'text', max: 200 }
}

/** Marks the first text field required; a list without one gets a `name`. */
export function requireFirst(fields: Fields): Fields {
  const first = Object.values(fields).find((field) => field.type === 'text' && field.as === undefined)
  if (first === undefined) return { name: { type: 'text', required: true, max: 200 }, ...fields }
  first.required = true
  return fields
}

/** A field that points to a record of another collection. */
export const refTo = (collection: string): [string, Field] => [
  singular(collection),
  { type: 'ref', ref: collection, index: true },
]
