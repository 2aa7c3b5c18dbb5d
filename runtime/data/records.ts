import type { CollectionSpec, FieldSpec, Manifest } from '../kernel/manifest.ts'
import type { MutateResult, WriteOp } from './frames.ts'

export interface Records {
  /** Returns the manifest with `hash`; for null, the latest manifest. Returns null when the partition does not have the manifest. */
  manifest(hash: string | null): Manifest | null
  /** Writes as the app itself, without access rules. Throws when the write is invalid. */
  write(manifest: Manifest, ops: WriteOp[]): MutateResult
  /** Returns null when there is no such record. */
  read(collection: string, id: string): Record<string, unknown> | null
}

/** Returns the entries of `facts` that the collection declares as fields. Leaves out values that the field's type does not allow. */
export function fieldsFor({ fields }: CollectionSpec, facts: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(facts)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const fitting = field === undefined ? undefined : fitToField(field, value)
    if (fitting !== undefined) kept[name] = fitting
  }
  return kept
}

/** Returns undefined for a value that does not fit the field. */
function fitToField(field: FieldSpec, value: unknown): unknown {
  if (value === null) return field.required === true ? undefined : null
  switch (field.type) {
    case 'json':
      return value
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value)
    case 'enum':
      return field.values?.includes(value as string) === true ? value : undefined
    case 'number':
    case 'integer':
      return typeof value === 'number' ? value : undefined
    case 'date':
      return typeof value === 'string' ? value.slice(0, 10) : undefined
    case 'list':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined
    default:
      return undefined
  }
}
