import { isRecord } from '../../is-record.ts'

const DEPTH_MAX = 10

/** Returns a short sample value that fits a JSON schema. Ignores unsupported keywords. */
export function sampleOf(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > DEPTH_MAX) return null
  // OpenAI's format wraps the schema in an object with a name.
  if (isRecord(schema['schema']) && schema['type'] === undefined) return sampleOf(schema['schema'], depth)
  if (schema['const'] !== undefined) return schema['const']
  if (isList(schema['enum'])) return schema['enum'][0]
  const choice = [schema['anyOf'], schema['oneOf']].find(isList)
  if (choice !== undefined) return sampleOf(choice[0], depth + 1)
  const type = isList(schema['type']) ? schema['type'][0] : schema['type']
  if (type === 'object' || isRecord(schema['properties'])) return sampleObject(schema, depth)
  if (type === 'array') {
    const count = typeof schema['minItems'] === 'number' ? Math.min(schema['minItems'], 20) : 1
    return Array.from({ length: count }, () => sampleOf(schema['items'], depth + 1))
  }
  if (type === 'number' || type === 'integer') {
    return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
  }
  if (type === 'boolean') return true
  if (type !== 'string') return null
  const length = typeof schema['minLength'] === 'number' ? Math.min(schema['minLength'], 1000) : 0
  return 'sample'.padEnd(length, '.')
}

function sampleObject(schema: Record<string, unknown>, depth: number): object {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = isList(schema['required']) ? schema['required'] : Object.keys(properties)
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(wanted.map(([name, inner]) => [name, sampleOf(inner, depth + 1)]))
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
