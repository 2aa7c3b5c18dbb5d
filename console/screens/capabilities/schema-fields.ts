export type FieldKind = 'boolean' | 'number' | 'integer' | 'choice' | 'text' | 'list' | 'json'

/** One setting as a form shows it; `choices` for a choice, bounds for numbers. */
export interface SettingField {
  name: string
  title: string
  description: string
  kind: FieldKind
  isNullable: boolean
  /** Of a list: its items are numbers. */
  isNumeric: boolean
  choices: string[]
  min: number | null
  max: number | null
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
  minimum?: number
  maximum?: number
}

/** The settings of a capability's JSON Schema as form fields; what has no simple field is edited as JSON. */
export function fieldsOf(schema: { properties?: Readonly<Record<string, unknown>> }): SettingField[] {
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
      // Bounds that say only that a number must be exact help nobody.
      max: one.maximum !== undefined && one.maximum < Number.MAX_SAFE_INTEGER ? one.maximum : null,
    }
  })
}

const isNumber = (schema: Schema | undefined) => schema?.type === 'integer' || schema?.type === 'number'

function kindOf(schema: Schema): FieldKind {
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean' || schema.type === 'number' || schema.type === 'integer') return schema.type
  if (schema.type === 'string') return 'text'
  const isPlainList = schema.type === 'array' && (isNumber(schema.items) || schema.items?.type === 'string')
  return isPlainList ? 'list' : 'json'
}

/** A stored value as its field shows it. */
export function textOf(field: Pick<SettingField, 'kind'>, value: unknown): string {
  if (field.kind === 'json') return JSON.stringify(value ?? null, null, 2)
  if (value === null || value === undefined) return ''
  if (field.kind === 'list' && Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a field's text means, or what is wrong with it. */
export function readField(field: SettingField, text: string): Read {
  const { kind } = field
  const trimmed = text.trim()
  if (trimmed === '' && field.isNullable) return { value: null }
  if (kind === 'boolean') return { value: text === 'true' }
  if (kind === 'number' || kind === 'integer') return readNumber(trimmed, field)
  if (kind === 'list') return readList(trimmed, field.isNumeric)
  if (kind === 'json') return readJson(trimmed)
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
