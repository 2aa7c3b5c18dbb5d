/** Returns whether a table has its own entry for a key. `key` may be any text, for example a name that only a newer service knows. */
export const hasEntry = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table =>
  Object.hasOwn(table, key)

/** Returns the entry of a table; undefined when it has none, as for `constructor`, which every object inherits. */
export const entryOf = <Table extends object>(
  table: Table,
  key: PropertyKey,
): Table[keyof Table] | undefined => (hasEntry(table, key) ? table[key] : undefined)

/** Returns the keys of a table that this code declares. The type holds only for a table that has no other keys. */
export const declaredKeys = <Table extends object>(table: Table) =>
  Object.keys(table) as (keyof Table & string)[]

/** Returns whether a value is an object or a list, whose fields can be read without a cast. */
export const isObjectOrList = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
