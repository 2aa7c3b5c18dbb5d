import type { Collections } from '../types.gen.ts'

export type CollectionName = Extract<keyof Collections, string>

/** A stored record of a collection, with the five system fields. */
export type RecordOf<C extends CollectionName> = Collections[C]['record']

/** The input of `create`: required fields without a default must be present. */
export type InputOf<C extends CollectionName> = Collections[C]['input']

/** Fields that `where` and `sort` may name. */
export type IndexedOf<C extends CollectionName> = Extract<Collections[C]['indexed'], string>

export type Scalar = string | number | boolean | null

export interface Conditions<V> {
  eq?: V
  ne?: V
  gt?: V
  gte?: V
  lt?: V
  lte?: V
  in?: V[]
  prefix?: string
}

type FieldValue<C extends CollectionName, F extends string> = F extends keyof RecordOf<C>
  ? Extract<RecordOf<C>[F], Scalar>
  : Scalar

export interface Query<C extends CollectionName> {
  where?: { [F in IndexedOf<C> | 'id']?: FieldValue<C, F> | Conditions<FieldValue<C, F>> }
  sort?: SortKey<C>
  limit?: number
  cursor?: string | null
}

type Sortable<C extends CollectionName> = IndexedOf<C> | 'createdAt' | 'updatedAt'
export type SortKey<C extends CollectionName> = Sortable<C> | `-${Sortable<C>}`

export interface ListPage<Row> {
  items: Row[]
  nextCursor: string | null
}

export interface UpdateOptions {
  /** The revision this change is based on; a record that has changed since throws `conflict`. */
  rev?: number
}

/** The calls that server and browser share. */
export interface DataApi {
  get<C extends CollectionName>(collection: C, id: string): Promise<RecordOf<C>>
  list<C extends CollectionName>(collection: C, query?: Query<C>): Promise<ListPage<RecordOf<C>>>
  /** Best matches first: each word must be in a field with `search`; the last word matches as a prefix. */
  search<C extends CollectionName>(collection: C, q: string): Promise<RecordOf<C>[]>
  create<C extends CollectionName>(collection: C, fields: InputOf<C>): Promise<RecordOf<C>>
  update<C extends CollectionName>(
    collection: C,
    id: string,
    patch: Partial<InputOf<C>>,
    options?: UpdateOptions,
  ): Promise<RecordOf<C>>
  remove<C extends CollectionName>(collection: C, id: string): Promise<{ id: string }>
}
