import { isFields } from '../kernel/fields.ts'

/** A JSON schema. Only these keywords are checked: types, enum, const, bounds, `properties`, `required` and `items`. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type FromSchema<S> = S extends { enum: readonly (infer Value)[] }
  ? Value
  : S extends { const: infer Value }
    ? Value
    : S extends { type: 'string' }
      ? string
      : S extends { type: 'number' | 'integer' }
        ? number
        : S extends { type: 'boolean' }
          ? boolean
          : S extends { type: 'null' }
            ? null
            : S extends { type: 'array'; items: infer Item }
              ? FromSchema<Item>[]
              : S extends { type: 'object'; properties: infer Fields }
                ? { [K in keyof Fields & RequiredOf<S>]: FromSchema<Fields[K]> } & {
                    [K in Exclude<keyof Fields, RequiredOf<S>>]?: FromSchema<Fields[K]>
                  }
                : unknown

type RequiredOf<S> = S extends { required: readonly (infer Name)[] } ? Name : never

const DEPTH_MAX = 20

/**
 * Returns why a value does not match a schema, with the path of the first mismatch. Returns null when it matches. Values nested deeper than
 * `DEPTH_MAX` are not checked.
 */
export function schemaProblem(schema: unknown, value: unknown, at = 'answer', depth = 0): string | null {
  if (!isFields(schema) || depth > DEPTH_MAX) return null
  const { type, enum: allowed, const: only, required, properties, items } = schema
  const types = [type].flat().filter((one) => typeof one === 'string')
  if (types.length > 0 && !types.some((one) => hasType(one, value)))
    return `${at} must be ${types.join(' or ')}`
  if (Array.isArray(allowed) && !allowed.includes(value))
    return `${at} must be one of ${JSON.stringify(allowed)}`
  if (only !== undefined && only !== value) return `${at} must be ${JSON.stringify(only)}`
  const size = typeof value === 'number' ? value : sizeOf(value)
  for (const [name, isLow] of SCHEMA_BOUNDS) {
    const bound = schema[name]
    if (
      typeof bound === 'number' &&
      size !== null &&
      name.endsWith(boundSuffix(value)) &&
      (isLow ? size < bound : size > bound)
    )
      return `${at} must keep ${name} ${bound}`
  }
  if (Array.isArray(value))
    return firstProblem(value, (entry, i) => schemaProblem(items, entry, `${at}[${i}]`, depth + 1))
  if (!isFields(value)) return null
  const missing = Array.isArray(required)
    ? required.find((name) => !Object.hasOwn(value, String(name)))
    : undefined
  if (missing !== undefined) return `${at}.${missing} is missing`
  const fields = isFields(properties) ? properties : {}
  return firstProblem(Object.entries(value), ([name, field]) => {
    if (Object.hasOwn(fields, name)) return schemaProblem(fields[name], field, `${at}.${name}`, depth + 1)
    return schema['additionalProperties'] === false ? `${at}.${name} is not allowed` : null
  })
}

const SCHEMA_BOUNDS: readonly [name: string, isLow: boolean][] = [
  ['minimum', true],
  ['maximum', false],
  ['minLength', true],
  ['maxLength', false],
  ['minItems', true],
  ['maxItems', false],
]

const boundSuffix = (value: unknown): string =>
  typeof value === 'number' ? 'imum' : typeof value === 'string' ? 'Length' : 'Items'

const sizeOf = (value: unknown): number | null =>
  typeof value === 'string' || Array.isArray(value) ? value.length : null

function hasType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === 'object' ? isFields(value) : typeof value === type
}

function firstProblem<T>(list: readonly T[], problemOf: (one: T, i: number) => string | null): string | null {
  for (const [i, one] of list.entries()) {
    const problem = problemOf(one, i)
    if (problem !== null) return problem
  }
  return null
}

/** Parses the JSON in a model's answer, with or without a code fence around it. Returns undefined when the answer is not JSON. */
export function readAnswer(text: string): unknown {
  const inner = /^\s*```(?:json)?\s*([\s\S]*?)```\s*$/.exec(text)?.[1] ?? text
  try {
    return JSON.parse(inner)
  } catch {
    return undefined
  }
}
