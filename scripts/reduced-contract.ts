/** Texts for people, which no client depends on. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'summary', 'tags', 'title', 'example', 'examples'])

/** Returns an OpenAPI document without its texts as JSON, with one line for each operation and each named schema. */
export function reducedContract(document: unknown): string {
  const { openapi, info, paths, components } = document as Partial<Record<string, Record<string, unknown>>>
  const { title, version } = info ?? {}
  const reduced = { openapi, info: { title, version }, ...withoutTexts({ paths, components }) }
  return `${linesOf(reduced, 3)}\n`
}

function withoutTexts(value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value).filter(([key]) => !TEXTS.has(key))
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      // The keys of properties and schemas are names of the API, so a property that is named `title` is kept.
      key === 'properties' || key === 'schemas' ? mapValues(part, stripped) : stripped(part),
    ]),
  )
}

function stripped(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(stripped)
  return isRecord(part) ? withoutTexts(part) : part
}

const mapValues = (part: unknown, change: (value: unknown) => unknown): unknown =>
  isRecord(part)
    ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value)]))
    : part

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns JSON whose objects are spread over lines down to a depth. */
function linesOf(value: unknown, depth: number): string {
  if (depth === 0 || !isRecord(value)) return JSON.stringify(value)
  const lines = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}:${linesOf(part, depth - 1)}`,
  )
  return `{\n${lines.join(',\n')}\n}`
}
