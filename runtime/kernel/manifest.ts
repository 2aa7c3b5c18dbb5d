/**
 * The compiled `app.json`. The Durable Objects validate records by it, and pages build their forms from it.
 */
export interface Manifest {
  name: string
  collections: Record<string, CollectionSpec>
  migrations: MigrationSpec[]
}

/**
 * Who may read or write: `owner` is the person who created the record, `team` the members of its team, `members` everyone who is signed in.
 * Staff may always read and change.
 */
export type AccessRule = 'nobody' | 'public' | 'members' | 'owner' | 'team' | 'staff'

/**
 * A collection of `app.json`, compiled into the app. The Durable Object that stores the records applies the
 * collection's access rules to every request.
 */
export interface CollectionSpec {
  title: string
  partition: 'app' | 'user' | 'team'
  read: AccessRule
  write: AccessRule
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

/** What happens to a reference when the record it points to is removed. */
export type ReferentialAction = 'refuse' | 'clear' | 'cascade'

export interface FieldSpec {
  type: FieldType
  /** The label of the field. Without it, `fieldTitle` derives one from the name. */
  title?: string | undefined
  /** A sentence shown below the form control. */
  help?: string | undefined
  required?: boolean | undefined
  index?: boolean | undefined
  unique?: boolean | undefined
  search?: boolean | undefined
  /** Whether `ai.similar` compares this field's text. */
  similar?: boolean | undefined
  default?: unknown
  max?: number | undefined
  values?: string[] | undefined
  /** The collection that this field, or each entry of this list, refers to. */
  ref?: string | undefined
  onRemove?: ReferentialAction | undefined
  as?: 'long' | 'email' | 'url' | undefined
  /** The currency (such as `EUR`) of a field that holds an amount of money in its smallest unit. */
  currency?: string | undefined
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

/** Returns whether queries may use this field. */
export const isIndexed = (field: FieldSpec): boolean =>
  field.index === true || field.unique === true || field.type === 'ref'

/** Returns the label of a field. Without a title, `lastWatered` becomes "Last watered". */
export function fieldTitle(name: string, field?: Pick<FieldSpec, 'title'>): string {
  if (field?.title !== undefined) return field.title
  const words = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns whether the field is a list of record ids. */
export const isRefList = (field: FieldSpec): boolean => field.type === 'list' && field.ref !== undefined

/**
 * Returns what removing a record does to a field that refers to it. A field without `onRemove`, as in older
 * releases, is cleared. A required field cannot be cleared, so it prevents the removal.
 */
export const onRemoveOf = (field: FieldSpec): ReferentialAction =>
  field.onRemove ?? (field.required === true ? 'refuse' : 'clear')

/** Returns the field whose value names a record in menus, links and pickers; null in a collection without fields. */
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
