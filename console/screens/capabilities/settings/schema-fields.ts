export type FieldKind =
  | 'boolean'
  | 'number'
  | 'integer'
  /** A number of bytes, shown and typed with a unit. */
  | 'bytes'
  | 'choice'
  | 'text'
  | 'list'
  /** An object whose fields the schema names. */
  | 'group'
  /** A list of objects whose fields the schema names. */
  | 'items'
  /** An object whose keys the operator chooses. */
  | 'map'
  /** One of several kinds of object. The field `kind` says which. */
  | 'variant'
  | 'json'

/** One kind of a variant, with its fields other than `kind`. */
export interface Variant {
  kind: string
  title: string
  fields: SettingField[]
}

/** One setting of a form. `choices` is for an enum, `min` and `max` are for a number. */
export interface SettingField {
  name: string
  title: string
  description: string
  kind: FieldKind
  isNullable: boolean
  /** True when the items of a list, or the choices of an enum, are numbers. */
  isNumeric: boolean
  choices: string[]
  min: number | null
  max: number | null
  /**
   * The fields of one object of a `group` or of `items`. A `map` has two fields: the key and the value of an entry.
   */
  fields: SettingField[]
  variants: Variant[]
  isRequired: boolean
  fallback: unknown
}

export type SettingProblem =
  | { is: 'number' | 'integer' | 'bytes' | 'json' }
  | { is: 'small' | 'large'; bound: string }
  | { is: 'double'; name: string }
export type ParsedSetting = { value: unknown } | { problem: SettingProblem }

interface JsonSchema {
  type?: string
  title?: string
  description?: string
  enum?: string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  const?: unknown
  $ref?: string
  propertyNames?: JsonSchema
  additionalProperties?: JsonSchema
  items?: JsonSchema
  properties?: Readonly<Record<string, unknown>>
  required?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
  unit?: string
}

type SchemaDefinitions = Readonly<Record<string, unknown>>

/** Converts a JSON Schema to form fields. A setting that no other kind fits is edited as JSON. */
export function settingFields(
  schema: { properties?: Readonly<Record<string, unknown>>; required?: string[]; $defs?: SchemaDefinitions },
  definitions: SchemaDefinitions = schema.$defs ?? {},
): SettingField[] {
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const { $ref, ...own } = given as JsonSchema
    const whole: JsonSchema = { ...(definitions[$ref?.replace('#/$defs/', '') ?? ''] as JsonSchema), ...own }
    const options = (whole.anyOf ?? []).filter(({ type }) => type !== 'null')
    const isNullable = whole.anyOf !== undefined && options.length < whole.anyOf.length
    const one = isNullable && options.length === 1 ? (options[0] ?? whole) : whole
    return {
      name,
      title: whole.title ?? name,
      description: whole.description ?? '',
      kind: fieldKind(one),
      isNullable,
      isNumeric:
        isNumber(one.items) || (constantsOf(one)?.every((choice) => typeof choice === 'number') ?? false),
      choices: one.enum ?? constantsOf(one)?.map(String) ?? [],
      min: one.minimum ?? null,
      // The largest safe integer means “no limit”, so it is not shown as a bound.
      max: one.maximum !== undefined && one.maximum < Number.MAX_SAFE_INTEGER ? one.maximum : null,
      fields:
        fieldKind(one) === 'map'
          ? entryFields(one, definitions)
          : settingFields(one.items ?? one, definitions),
      variants: fieldKind(one) === 'variant' ? variantsOf(one, definitions) : [],
      isRequired: schema.required?.includes(name) === true,
      fallback: whole.default,
    }
  })
}

/** Returns the two fields of an entry of a map: the key (shown as “Name”) and the value. */
function entryFields({ propertyNames, additionalProperties }: JsonSchema, definitions: SchemaDefinitions) {
  const { pattern: _checkedByTheService, ...name }: JsonSchema & { pattern?: string } = propertyNames ?? {}
  const properties = {
    name: { title: 'Name', ...name, type: 'string' },
    value: { title: 'Value', ...additionalProperties },
  }
  return settingFields({ properties, required: ['name', 'value'] }, definitions)
}

const kindConstant = ({ properties }: JsonSchema): string =>
  String((properties?.['kind'] as JsonSchema | undefined)?.const)

const variantsOf = ({ oneOf = [] }: JsonSchema, definitions: SchemaDefinitions): Variant[] =>
  oneOf.map((one) => {
    const { kind: _shownAsChoice, ...properties } = one.properties ?? {}
    const fields = settingFields({ properties, ...(one.required && { required: one.required }) }, definitions)
    return { kind: kindConstant(one), title: one.title ?? kindConstant(one), fields }
  })

/** Returns the allowed values of a field, or null when the schema does not list them. */
function constantsOf({ anyOf = [] }: JsonSchema): unknown[] | null {
  const constants = anyOf.map((one) => one.const)
  return constants.length > 0 && !constants.includes(undefined) ? constants : null
}

const isNumber = (schema: JsonSchema | undefined) => schema?.type === 'integer' || schema?.type === 'number'

function fieldKind(schema: JsonSchema): FieldKind {
  if (schema.enum || constantsOf(schema) !== null) return 'choice'
  if (schema.unit === 'bytes') return 'bytes'
  if (schema.type === 'boolean' || schema.type === 'number' || schema.type === 'integer') return schema.type
  if (schema.type === 'string') return 'text'
  if (schema.type === 'object' && schema.properties) return 'group'
  if (schema.type === 'object' && schema.additionalProperties) return 'map'
  if (schema.oneOf?.every((one) => kindConstant(one) !== 'undefined')) return 'variant'
  if (schema.type === 'array' && schema.items?.properties) return 'items'
  const isPlainList = schema.type === 'array' && (isNumber(schema.items) || schema.items?.type === 'string')
  return isPlainList ? 'list' : 'json'
}

/**
 * Returns the titles of the parts to which a path leads from a field, such as `['2', 'Client id']` for the second object of a list. A list
 * entry is named by its number, a map entry by its key.
 */
export function titlesAt(field: SettingField, path: readonly string[]): string[] {
  const [step, ...rest] = path
  if (step === undefined) return []
  if (field.kind === 'items' || field.kind === 'list')
    return [String(Number(step) + 1), ...titlesIn(field.fields, rest)]
  if (field.kind === 'map') return [step, ...titlesIn(field.fields, ['value', ...rest]).slice(1)]
  return titlesIn(
    field.kind === 'variant' ? field.variants.flatMap(({ fields }) => fields) : field.fields,
    path,
  )
}

function titlesIn(fields: readonly SettingField[], [step, ...rest]: readonly string[]): string[] {
  const field = fields.find(({ name }) => name === step)
  return field === undefined ? [] : [field.title, ...titlesAt(field, rest)]
}

/** True when the form stores the value as JSON text. */
export const isStructure = ({ kind }: Pick<SettingField, 'kind'>): boolean =>
  ['json', 'group', 'items', 'map', 'variant'].includes(kind)

export function settingText(field: Pick<SettingField, 'kind'>, value: unknown): string {
  if (isStructure(field)) return JSON.stringify(value ?? null, null, 2)
  if (value === null || value === undefined) return ''
  if (field.kind === 'list' && Array.isArray(value)) return value.map(entryText).join(', ')
  if (field.kind === 'bytes' && typeof value === 'number') return bytesText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function readField(field: SettingField, text: string): ParsedSetting {
  const { kind } = field
  const trimmed = text.trim()
  if (trimmed === '' && field.isNullable) return { value: null }
  if (kind === 'boolean') return { value: text === 'true' }
  if (kind === 'choice' && field.isNumeric) return { value: Number(trimmed) }
  if (kind === 'number' || kind === 'integer') return readNumber(trimmed, field)
  if (kind === 'bytes') return readBytes(trimmed, field)
  if (kind === 'list') return readList(trimmed, field.isNumeric)
  if (kind === 'map') return readMap(trimmed)
  if (isStructure(field)) return readJson(trimmed)
  return { value: trimmed }
}

function readNumber(text: string, field: SettingField): ParsedSetting {
  // The hint shows the bounds with thousands separators, so accept them.
  const value = Number(/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text)
  if (text === '' || !Number.isFinite(value)) return { problem: { is: 'number' } }
  if (field.kind === 'integer' && !Number.isSafeInteger(value)) return { problem: { is: 'integer' } }
  return checkBounds(value, field)
}

function checkBounds(value: number, field: SettingField): ParsedSetting {
  const { min, max } = field
  if (min !== null && value < min) return { problem: { is: 'small', bound: boundText(field, min) } }
  if (max !== null && value > max) return { problem: { is: 'large', bound: boundText(field, max) } }
  return { value }
}

const countFormat = new Intl.NumberFormat('en')

export const boundText = ({ kind }: Pick<SettingField, 'kind'>, bound: number): string =>
  kind === 'bytes' ? bytesText(bound) : countFormat.format(bound)

/** Units of a size. `bytesText` uses the first one that fits, so the largest unit comes first. */
const SIZE_UNITS: [unit: string, bytes: number][] = [
  ['GiB', 1024 ** 3],
  ['GB', 1000 ** 3],
  ['MiB', 1024 ** 2],
  ['MB', 1000 ** 2],
  ['KiB', 1024],
  ['kB', 1000],
  ['bytes', 1],
]

/** Formats a number of bytes in the largest unit that needs no fraction. */
function bytesText(bytes: number): string {
  const [unit, size] = SIZE_UNITS.find(([, one]) => bytes >= one && bytes % one === 0) ?? ['bytes', 1]
  return `${countFormat.format(bytes / size)} ${unit}`
}

/** Parses a size like `25 MB` or `1.5gib`. A number without a unit is in bytes. */
function readBytes(text: string, field: SettingField): ParsedSetting {
  // A comma separates thousands, so `1,5 GB` is invalid.
  const [, whole = '', fraction = '', said = 'bytes'] =
    /^(\d{1,3}(?:,\d{3})+|\d*)(\.\d+)?\s*([a-z]+)?$/i.exec(text) ?? []
  const digits = whole.replaceAll(',', '') + fraction
  const size = SIZE_UNITS.find(([unit]) => unit.toLowerCase() === said.toLowerCase())?.[1]
  if (digits === '' || size === undefined) return { problem: { is: 'bytes' } }
  return checkBounds(Math.round(Number(digits) * size), field)
}

/** A list entry as it is typed: in quotes when a comma or a line break would otherwise split it. */
const entryText = (entry: unknown): string => {
  const text = String(entry)
  return /[,\n]|^[\s"]|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** An entry of a list: in quotes, where two quotes mean one, or without commas. */
const ENTRY = /\s*"((?:[^"]|"")*)"\s*(?=[,\n]|$)|[^,\n]+/g

function readList(text: string, isNumeric: boolean): ParsedSetting {
  const parts = [...text.matchAll(ENTRY)].flatMap(
    ([plain, quoted]) => quoted?.replaceAll('""', '"') ?? (plain.trim() || []),
  )
  if (!isNumeric) return { value: parts }
  const numbers = parts.map(Number)
  return numbers.every((item) => Number.isFinite(item)) ? { value: numbers } : { problem: { is: 'number' } }
}

/** Reads an object, or the list of its entries. The form writes the list while two entries have the same name. */
function readMap(text: string): ParsedSetting {
  const read = readJson(text)
  if ('problem' in read || !Array.isArray(read.value)) return read
  const names = read.value.map((entry: { name?: unknown }) => String(entry.name))
  return { problem: { is: 'double', name: names.find((name, at) => names.indexOf(name) < at) ?? '' } }
}

function readJson(text: string): ParsedSetting {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: { is: 'json' } }
  }
}
