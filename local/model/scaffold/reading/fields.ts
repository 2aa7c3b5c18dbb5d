import { camelCase, singular } from './words.ts'
import { isFieldWord } from './vocabulary.ts'

export const FIELD_TYPES = [
  'text',
  'number',
  'integer',
  'boolean',
  'date',
  'enum',
  'ref',
  'file',
  'json',
  'list',
] as const
export const FIELD_FORMATS = ['long', 'email', 'url'] as const

/** A field of `app.json` as the scaffold writes it (docs/guides/capabilities/data.md). */
export interface Field {
  type: (typeof FIELD_TYPES)[number]
  required?: boolean
  index?: boolean
  unique?: boolean
  default?: unknown
  max?: number
  values?: string[]
  ref?: string
  as?: (typeof FIELD_FORMATS)[number]
}
export type ScaffoldFields = Record<string, Field>

/** The most fields of a list and the most choices of a field that the check of an app accepts. */
export const FIELDS_MAX = 64
export const CHOICES_MAX = 50

/** A field with such a name becomes the columns of a board: one column per choice. */
export const IS_STATUS = /^(?:status|state|stage|progress|phase)$/

const RESERVED_FIELDS = new Set(['id', 'ownerId', 'rev', 'createdAt', 'updatedAt', 'partition'])
/**
 * Returns whether a list has a field for which the scaffold can write a value into a test: for a file, a reference, JSON or a list, a short
 * value is not enough.
 */
export const hasPlainField = (fields: ScaffoldFields): boolean =>
  Object.values(fields).some(({ type }) => !['ref', 'file', 'json', 'list'].includes(type))

/** Returns whether every record has a value of this name, so that no field may have it. */
export const isReservedField = (name: string): boolean => RESERVED_FIELDS.has(name)
const YES_NO: Field = { type: 'boolean', default: false, index: true }

/** Types of fields by the words of their names. The first matching rule wins, so the order matters. */
const FIELD_RULES: [pattern: RegExp, field: Field][] = [
  [/^(who|whom)\b/, { type: 'text', max: 200 }],
  [/^(pages|hours|minutes|km|miles|points) [a-z]+$/, { type: 'number' }],
  [
    /\b(phone|mobile|telephone|serial|order|invoice|account|tracking|flight|house|room|passport|licen[cs]e|plate|member|customer|model|bank|reference) (number|no|nr)$/,
    { type: 'text', max: 200 },
  ],
  [
    /^date of\b|\b(date|day|due|deadline|birthday|when|starts?|ends?|expires?|expiry|at|on)$|^last (?!name$)(?:\w+ed|seen|visit|service|contact|check)$/,
    { type: 'date', index: true },
  ],
  [
    /\b(price|amount|cost|count|number|quantity|qty|total|rating|score|age|weight|height|year|stock|calories|km|miles|degrees|temperature|pulse)$|^(?:number|amount|count) of\b|^(?:cost|price|amount)s? per\b/,
    { type: 'number' },
  ],
  [
    /\b(hours?|minutes?|duration|distance|servings|budget|salary|points|reps|sets|pages|capacity|seats)$/,
    { type: 'number' },
  ],
  [
    /\b(done|paid|active|finished|completed?|archived|urgent|favou?rite|available|sold|read|sent|approved|coming|attending|returned|delivered|collected|confirmed|vegetarian|vegan|bought|solved|fixed|resolved|repaired|signed|taken|cancelled|learned)$/,
    YES_NO,
  ],
  [/\be-?mail( address)?$/, { type: 'text', as: 'email', max: 200 }],
  [/\b(url|link|website|homepage)$/, { type: 'text', as: 'url', max: 500 }],
  [
    /\b(notes?|description|body|details|comments?|ingredients|instructions|steps|summary|message|content)$/,
    { type: 'text', as: 'long', max: 5000 },
  ],
  [/\b(photo|picture|image)s?$/, { type: 'file' }],
  [/^(status|state|stage)$/, { type: 'enum', values: ['open', 'in progress', 'done'], index: true }],
]

/** Derives the type of a field from its name: `last watered date` is a date, `price` a number. */
function fieldByName(phrase: string): Field {
  const rule = FIELD_RULES.find(([pattern]) => pattern.test(phrase.toLowerCase()))
  return { ...(rule?.[1] ?? { type: 'text', max: 200 }) }
}

/** Returns whether a phrase is usual as the name of a field: `pickup date`, `shoe size`. */
export function isKnownField(phrase: string): boolean {
  const name = cleanPhrase(phrase.replace(/\(.*/s, '')).toLowerCase()
  const last = name.split(' ').at(-1) ?? ''
  return (
    isFieldWord(last) || isFieldWord(singular(last)) || FIELD_RULES.some(([pattern]) => pattern.test(name))
  )
}

/**
 * Returns the name of the field that a phrase names. A name that every JavaScript object has, such as `constructor`, is extended: records
 * inherit a function of this name, so TypeScript would refuse a record without the field.
 */
const fieldName = (phrase: string): string => {
  const name = camelCase(phrase)
  return name in Object.prototype ? `${name}Name` : name
}

/** Parses a list of fields: `name, room and last watered date`, `status (open, closed)`. */
export function readFields(list: string): ScaffoldFields {
  const fields: ScaffoldFields = {}
  for (const item of fieldItems(list)) {
    const [, before = '', values] = /^([^(]*)(?:\(([^)]*)\))?/.exec(item) ?? []
    const isYesNo = IS_QUESTION.test(before) || IS_TICK.test(before)
    const phrase = cleanPhrase(before)
    const name = fieldName(phrase)
    if (!/^[a-z]/.test(name) || isReservedField(name) || Object.hasOwn(fields, name)) continue
    if (values !== undefined) fields[name] = choiceField(values)
    else if (isYesNo) fields[name] = { ...YES_NO }
    else fields[name] = /^\s*how many\b/i.test(before) ? { type: 'number' } : fieldByName(phrase)
    fields[name] = withInitialStatus(name, fields[name])
  }
  return fields
}

/** A status gets its first choice as default: without a default, a new record would be in no column of the board. */
const withInitialStatus = (name: string, field: Field): Field =>
  field.type === 'enum' && IS_STATUS.test(name) && field.values?.[0] !== undefined
    ? { ...field, default: field.values[0] }
    : field

const CHOICE_WORDS = 'status|state|stage|priority|priorities|category|type|kind|size|level|severity|role'
const CHOICE_VALUES =
  'low|medium|middle|normal|high|urgent|new|open|closed|done|waiting|ready|started|finished|doing|small|large'
/** Phrases that are not the name of a field. */
const CHATTER_WORDS =
  /\S\s(?:when|if|after|before|until|unless) (?:they|it|he|she|someone|people)\b|\b(?:i|i'm|i'd|we|me|my|you|because|please|thanks?|thx|would|could|should|etc|so on|everything|something|anything|that's it)\b/i
/** Matches the reason for a request: `..., so we stop fighting`. */
const REASON_CLAUSE =
  /,?\s+(?:so|because|since|that way|then)\s+(?:that\s+)?(?:i|we|they|you|it|people|nobody|everyone)\b.*$/is
const WORDS_MAX = 5

/** Splits a text into names of fields, at most 20 because a longer form is not usable. */
export function fieldItems(list: string): string[] {
  return withChoices(list.replace(REASON_CLAUSE, ''))
    .split(/[,;\n](?![^(]*\))|\s(?:and|&|plus(?! one\b)|as well as)\s(?![^(]*\))/i)
    .map((item) => item.trim().replace(/^(?:and|or|also|then|plus(?! one\b))\s+/i, ''))
    .flatMap(separateWords)
    .filter((item) => item !== '' && !/^(?:etc|so on|more)\b/i.test(item))
    .filter((item) => {
      const phrase = item.replace(/\(.*/s, '')
      return !CHATTER_WORDS.test(phrase) && cleanPhrase(phrase).split(/\s+/).length <= WORDS_MAX
    })
    .slice(0, 20)
}

/** Splits `title ingredients steps` into three fields. Two words are usually one field: `phone number`. */
function separateWords(item: string): string[] {
  const words = item.split(/\s+/)
  return words.length > 2 && words.every((word) => isFieldWord(word.toLowerCase())) ? words : [item]
}

/** Moves choices into parentheses: `coming yes or no`, `status new/ready`, `status: new, ready`. */
function withChoices(list: string): string {
  return list
    .replaceAll(
      new RegExp(
        String.raw`\b(${CHOICE_WORDS})\s+((?:(?:${CHOICE_VALUES})\s+)+(?:${CHOICE_VALUES}))\b(?!\s*(?:,|or\b))`,
        'gi',
      ),
      (_said, name: string, values: string) => `${name} (${values.split(/\s+/).join('/')})`,
    )
    .replaceAll(
      /[:=]?\s*\(?\s*\b(?:yes\s*(?:\/|or|,)\s*no|y\/n|true\s*(?:\/|or)\s*false)\b\s*\)?/gi,
      ' (yes/no) ',
    )
    .replaceAll(
      new RegExp(String.raw`\b(${CHOICE_WORDS})\s+([a-z][\w -]*(?:\s*\/\s*[a-z][\w-]*)+)`, 'gi'),
      '$1 ($2)',
    )
    .replaceAll(
      new RegExp(
        String.raw`\b(${CHOICE_WORDS})\s*(?:[:=]|\b(?:is|are|can be|being|either|like|of)\b)?\s+((?:[\w-]+(?: [\w-]+)?,\s*){0,8}[\w-]+(?: [\w-]+)?,?\s+or\s+[\w-]+)`,
        'gi',
      ),
      '$1 ($2)',
    )
    .replaceAll(new RegExp(String.raw`\b(${CHOICE_WORDS})\s*[:=]\s*([^;()\n]+)$`, 'gi'), '$1 ($2)')
}

const IS_QUESTION = /^\s*(?:and\s+)?(?:whether|if|is|are|has|have|did|does)\b/i
const IS_TICK = /\b(?:or not|check ?box|tick ?box|yes no)\s*$/i

/** Removes words around the name of a field: `their phone numbers` becomes `phone number`. */
function cleanPhrase(phrase: string): string {
  const name = phrase
    .replaceAll(/[*_`"“”-]+/g, ' ')
    .replaceAll(/[.!]+\s*(?=$|\s)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:and|or|also|then)\s+/i, '')
    .replace(IS_QUESTION, '')
    .replace(IS_TICK, '')
    .replace(/^\s*(?:it|they|he|she)(?:'s| is| are| was| were| has been| have been| has| have)?\s+/i, '')
    .replace(/^\s*how much$/i, 'amount')
    .replace(/^\s*how many$/i, 'quantity')
    .replace(/^\s*(?:how much|what) (?:it )?costs?$/i, 'cost')
    .replace(/^\s*(?:how (?:much|many)|which|what kind of)\s+/i, '')
    .replace(/^\s*when (?:it|they|he|she) (?:is|are|was|were) (\w+)$/i, '$1 date')
    .replace(/^\s*where (?:it|they|he|she) (?:is|are)$/i, 'place')
    .replace(/^\s*(?:an?|the|its|their|his|her|our|each|optional|required|some|another|one)\s+/i, '')
    .replace(
      /\s+(?:fields?|columns?|too|as well|of each|of it|of (?:the|their|each|every) [a-z]+|for each|out of \d+)$/i,
      '',
    )
    .trim()
  const last = name.split(' ').at(-1) ?? ''
  const one = singular(last.toLowerCase())
  const isMany = one !== last.toLowerCase() && isFieldWord(one) && !isFieldWord(last.toLowerCase())
  return isMany && !/\bof\b/.test(name) ? name.slice(0, -last.length) + one : name
}

function choiceField(list: string): Field {
  const values = list
    .split(/,|\/|\||\bor\b/)
    .map((value) => value.trim().toLowerCase().slice(0, 60))
    .filter((value) => value !== '')
  if (values.join() === 'yes,no' || values.join() === 'y,n') return { ...YES_NO }
  return values.length > 1
    ? { type: 'enum', values: [...new Set(values)].slice(0, CHOICES_MAX), index: true }
    : { type: 'text', max: 200 }
}

/**
 * Marks the field that identifies a record as required, so that no empty record can be stored: the first plain text, else any
 * text, else any field with a value. A list with only yes-or-no fields gets a field `name`.
 */
export function requireIdentifyingField(fields: ScaffoldFields): ScaffoldFields {
  const all = Object.values(fields)
  const first =
    all.find((field) => field.type === 'text' && field.as === undefined) ??
    all.find((field) => field.type === 'text') ??
    all.find(({ type }) => type !== 'boolean' && type !== 'ref' && type !== 'file')
  if (first === undefined) return { name: { type: 'text', required: true, max: 200 }, ...fields }
  first.required = true
  return fields
}

export const hasFile = (fields: ScaffoldFields): boolean =>
  Object.values(fields).some(({ type }) => type === 'file')

/** Returns a field that references a record of another collection. */
export const referenceField = (collection: string): [string, Field] => [
  singular(collection),
  { type: 'ref', ref: collection, index: true },
]
