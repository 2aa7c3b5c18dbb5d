import { isRecord } from '../../sdk/is-record.ts'

/** Texts for people, which no client depends on. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  'description',
  'summary',
  'tags',
  'title',
  'example',
  'examples',
])

/** Returns an OpenAPI document without its texts as JSON, with one line for each operation and each named schema. */
export function reducedContract(document: unknown): string {
  const { openapi, info, paths, components } = document as Partial<Record<string, Record<string, unknown>>>
  const { title, version } = info ?? {}
  const reduced = { openapi, info: { title, version }, ...withoutTexts({ paths, components }) }
  return `${jsonLines(reduced, 3)}\n`
}

function withoutTexts(value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value).filter(([key]) => !TEXT_KEYS.has(key))
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      // The keys of properties and schemas are names of the API, so a property that is named `title` is kept.
      key === 'properties' || key === 'schemas'
        ? mapValues(part, withoutNestedTexts)
        : withoutNestedTexts(part),
    ]),
  )
}

function withoutNestedTexts(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNestedTexts)
  return isRecord(part) ? withoutTexts(part) : part
}

const mapValues = (part: unknown, change: (value: unknown) => unknown): unknown =>
  isRecord(part)
    ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value)]))
    : part

/** Returns JSON whose objects are spread over lines down to a depth. */
function jsonLines(value: unknown, depth: number): string {
  if (depth === 0 || !isRecord(value)) return JSON.stringify(value)
  const lines = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}:${jsonLines(part, depth - 1)}`,
  )
  return `{\n${lines.join(',\n')}\n}`
}
