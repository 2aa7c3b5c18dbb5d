export type FieldKind =
  | 'boolean'
  | 'number'
  | 'integer'
  | 'choice'
  | 'text'
  | 'list'
  /** An object with fields of its own. */
  | 'group'
  /** A list of such objects. */
  | 'items'
  | 'json'

/** One setting of a form; `choices` for an enum, bounds for a number. */
export interface SettingField {
  name: string
  title: string
  description: string
  kind: FieldKind
  isNullable: boolean
  /** For a list: its items are numbers. */
  isNumeric: boolean
  choices: string[]
  min: number | null
  max: number | null
  /** For a group or items: the fields of one object. */
  fields: SettingField[]
  isRequired: boolean
  fallback: unknown
}

export type Problem = { is: 'number' | 'integer' | 'json' } | { is: 'small' | 'large'; bound: number }
export type Read = { value: unknown } | { problem: Problem }

interface Schema {
  type?: string
  title?: string
  description?: string
  enum?: string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Readonly<Record<string, unknown>>
  required?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
}

/** The settings of a JSON Schema as form fields; whatever has no simple field is edited as JSON. */
export function fieldsOf(schema: {
  properties?: Readonly<Record<string, unknown>>
  required?: string[]
}): SettingField[] {
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const whole = given as Schema
    const options = (whole.anyOf ?? []).filter(({ type }) => type !== 'null')
    const isNullable = whole.anyOf !== undefined && options.length < whole.anyOf.length
    const one = isNullable && options.length === 1 ? (options[0] ?? whole) : whole
    return {
      name,
      title: whole.title ?? name,
      description: whole.description ?? '',
      kind: kindOf(one),
      isNullable,
      isNumeric: isNumber(one.items),
      choices: one.enum ?? [],
      min: one.minimum ?? null,
      // Leave out the bounds of safe integers, which tell a person nothing.
      max: one.maximum !== undefined && one.maximum < Number.MAX_SAFE_INTEGER ? one.maximum : null,
      fields: fieldsOf(one.items ?? one),
      isRequired: schema.required?.includes(name) === true,
      fallback: whole.default,
    }
  })
}

const isNumber = (schema: Schema | undefined) => schema?.type === 'integer' || schema?.type === 'number'

function kindOf(schema: Schema): FieldKind {
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean' || schema.type === 'number' || schema.type === 'integer') return schema.type
  if (schema.type === 'string') return 'text'
  if (schema.type === 'object' && schema.properties) return 'group'
  if (schema.type === 'array' && schema.items?.properties) return 'items'
  const isPlainList = schema.type === 'array' && (isNumber(schema.items) || schema.items?.type === 'string')
  return isPlainList ? 'list' : 'json'
}

/** Whether the field is edited as JSON. */
const isStructure = ({ kind }: Pick<SettingField, 'kind'>): boolean =>
  kind === 'json' || kind === 'group' || kind === 'items'

/** A stored value as the text of its field. */
export function textOf(field: Pick<SettingField, 'kind'>, value: unknown): string {
  if (isStructure(field)) return JSON.stringify(value ?? null, null, 2)
  if (value === null || value === undefined) return ''
  if (field.kind === 'list' && Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Parses the text of a field, or returns its problem. */
export function readField(field: SettingField, text: string): Read {
  const { kind } = field
  const trimmed = text.trim()
  if (trimmed === '' && field.isNullable) return { value: null }
  if (kind === 'boolean') return { value: text === 'true' }
  if (kind === 'number' || kind === 'integer') return readNumber(trimmed, field)
  if (kind === 'list') return readList(trimmed, field.isNumeric)
  if (isStructure(field)) return readJson(trimmed)
  return { value: trimmed }
}

function readNumber(text: string, { kind, min, max }: SettingField): Read {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value)) return { problem: { is: 'number' } }
  if (kind === 'integer' && !Number.isSafeInteger(value)) return { problem: { is: 'integer' } }
  if (min !== null && value < min) return { problem: { is: 'small', bound: min } }
  if (max !== null && value > max) return { problem: { is: 'large', bound: max } }
  return { value }
}

function readList(text: string, isNumeric: boolean): Read {
  const parts = text.split(/[,\n]/).flatMap((part) => part.trim() || [])
  if (!isNumeric) return { value: parts }
  const numbers = parts.map(Number)
  return numbers.every((item) => Number.isFinite(item)) ? { value: numbers } : { problem: { is: 'number' } }
}

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { problem: { is: 'json' } }
  }
}
