import type { QuerySnapshot } from '../data/client/live-query.ts'
import type { RawQuery, StoredRecord } from '../data/frames.ts'
import { type FieldSpec, isRefList } from '../kernel/manifest.ts'

/** The value of each parameter in a page's path, and the id of each collection's first sample record. */
export const SAMPLE_ID = 'sample-id'

const SAMPLE_TIME = '2026-11-20T09:30:00.000Z'
const LONG_TEXT =
  'A much longer text than was thought of when this was built, with a word like Donaudampfschifffahrt in it'

export const emptySnapshot = (): QuerySnapshot => ({ rows: [], status: 'live', error: null, more: null })

/** Returns three records: a complete one, one with only the required fields, and one with long strings. `ownerId` owns all three. */
export function sampleRecords(
  fields: Readonly<Record<string, FieldSpec>>,
  { where }: RawQuery = {},
  ownerId: string | null = null,
): StoredRecord[] {
  const sampleRecord = (id: string, valueOf: (field: FieldSpec) => unknown): StoredRecord => ({
    id,
    ownerId,
    rev: 1,
    createdAt: SAMPLE_TIME,
    updatedAt: SAMPLE_TIME,
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueOf(field)])),
  })
  const rows = [
    sampleRecord(SAMPLE_ID, (field) => valueOf(field, 'Sample')),
    sampleRecord('sample-2', (field) => (field.required === true ? valueOf(field, 'Second') : null)),
    sampleRecord('sample-3', (field) => valueOf(field, LONG_TEXT)),
  ]
  // Respect only a condition on the id, which a page that shows one record uses. Other conditions would leave the lists empty.
  const wanted = where?.['id']
  return wanted === undefined ? rows : rows.filter((row) => row.id === wanted)
}

function valueOf(field: FieldSpec, text: string): unknown {
  switch (field.type) {
    case 'number':
    case 'integer':
      return Math.min(field.max ?? 1200, 1200)
    case 'boolean':
      return text !== LONG_TEXT
    case 'date':
      return '2026-11-20'
    case 'enum':
      return (text === LONG_TEXT ? field.values?.at(-1) : field.values?.[0]) ?? null
    case 'ref':
      return SAMPLE_ID
    case 'list':
      return [isRefList(field) ? SAMPLE_ID : text.slice(0, 40)]
    case 'json':
      return null
    case 'file':
      return null
    default:
      if (field.as === 'email') return 'ada@example.test'
      return field.as === 'url' ? 'https://example.test/' : text.slice(0, field.max ?? text.length)
  }
}
