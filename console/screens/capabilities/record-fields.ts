export interface FieldInfo {
  name: string
  type: string
  required: boolean
}

/** Fields the system keeps; they are shown and never sent, except `rev`. */
const SYSTEM = new Set(['id', 'ownerId', 'rev', 'createdAt', 'updatedAt', 'partition'])

export type RecordProblem = 'number' | 'integer' | 'json' | 'required'
export type ReadField = { value: unknown } | { problem: RecordProblem }

/** The app's own part of a record. */
export const ownFields = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !SYSTEM.has(name)))

/** A field's name as people read it: `lastWatered` is "Last watered". */
export function fieldLabel(name: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What stands for a record: the first of its own values, or its id. */
export function recordName(record: Record<string, unknown> & { id: string }, fields: string[]): string {
  return fields.map((name) => cellText(record[name])).find((words) => words.trim() !== '') ?? record.id
}

/** A value in one line of a grid. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const isText = (type: string) => !['number', 'integer', 'boolean', 'list', 'json'].includes(type)

/** A value as its form field shows it. */
export function fieldText({ type }: Pick<FieldInfo, 'type'>, value: unknown): string {
  if (value === null || value === undefined) return ''
  return isText(type) && typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a field's text means; an empty one is null. */
export function readRecordField(field: FieldInfo, text: string): ReadField {
  const { type } = field
  if (type === 'boolean') return { value: text === 'true' }
  if (text.trim() === '') return field.required ? { problem: 'required' } : { value: null }
  if (isText(type)) return { value: text }
  if (type === 'number' || type === 'integer') {
    const value = Number(text)
    if (!Number.isFinite(value)) return { problem: 'number' }
    return type === 'integer' && !Number.isSafeInteger(value) ? { problem: 'integer' } : { value }
  }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { problem: 'json' }
  }
}

/** A whole record typed as JSON, or null when it is none. */
export function readRecord(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? ownFields(value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
