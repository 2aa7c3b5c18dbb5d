/** Returns the keys of a table that this code declares. The type holds only for a table that has no other keys. */
export const declaredKeys = <Table extends object>(table: Table) =>
  Object.keys(table) as (keyof Table & string)[]

/** Returns a table with a value for each key. */
export const tableOf = <Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>
