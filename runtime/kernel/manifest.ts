/** The compiled `app.json`: the object validates by it and forms are built from it. */
export interface Manifest {
  name: string
  collections: Record<string, CollectionSpec>
  migrations: MigrationSpec[]
}

export type AccessWord = 'nobody' | 'public' | 'members' | 'owner' | 'team' | 'staff'

export interface CollectionSpec {
  title: string
  partition: 'app' | 'user' | 'team'
  read: AccessWord
  write: AccessWord
  fields: Record<string, FieldSpec>
}

export type FieldType =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'enum'
  | 'ref'
  | 'file'
  | 'json'
  | 'list'

export interface FieldSpec {
  type: FieldType
  required?: boolean | undefined
  index?: boolean | undefined
  unique?: boolean | undefined
  search?: boolean | undefined
  default?: unknown
  max?: number | undefined
  values?: string[] | undefined
  ref?: string | undefined
  as?: 'long' | 'email' | 'url' | undefined
}

export interface MigrationSpec {
  id: string
  collection: string
  steps: MigrationStep[]
}

export interface MigrationStep {
  op: 'rename' | 'convert' | 'default' | 'drop'
  field?: string | undefined
  to?: string | undefined
  value?: unknown
  as?: string | undefined
}

/** Whether a query may name this field: only indexed ones. */
export const isIndexed = (field: FieldSpec): boolean =>
  field.index === true || field.unique === true || field.type === 'ref'

/** The field that names a record in menus, links and pickers. */
export function labelField(collection: CollectionSpec): string | null {
  const names = Object.keys(collection.fields)
  const isText = (name: string) => collection.fields[name]?.type === 'text'
  return (
    names.find((name) => isText(name) && collection.fields[name]?.required === true) ??
    names.find(isText) ??
    names[0] ??
    null
  )
}
