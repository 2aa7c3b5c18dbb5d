import type { Collections } from '../types.gen.ts'

/** The collection names in this app's `app.json`, so that a misspelled name is a type error. */
export type CollectionName = Extract<keyof Collections, string>

/** A stored record of a collection, including the five system fields. */
export type RecordOf<C extends CollectionName> = Collections[C]['record']

/** The input of `create`. Required fields without a default must be present. */
export type InputOf<C extends CollectionName> = Collections[C]['input']

/** Fields that `where` and `sort` may use. */
export type IndexedOf<C extends CollectionName> = Extract<Collections[C]['indexed'], string>

/** Fields with unique values, which `upsert` may use. */
export type UniqueOf<C extends CollectionName> = Extract<Collections[C]['unique'], string>

/** Adds an amount to the number that is stored when the write runs. */
export interface Increment {
  increment: number
}

type NumericChange<V> = [Exclude<V, null | undefined>] extends [number] ? Increment : never

/** A change of a record. Fields that it leaves out keep their value. */
export type PatchOf<C extends CollectionName> = {
  [F in keyof InputOf<C>]?: InputOf<C>[F] | NumericChange<InputOf<C>[F]>
}

/** The input of `upsert`: a whole record. Its numbers may be increments. */
export type UpsertOf<C extends CollectionName> = {
  [F in keyof InputOf<C>]: InputOf<C>[F] | NumericChange<InputOf<C>[F]>
}

type NumberIn<Input> = {
  [F in keyof Input]-?: [Exclude<Input[F], null | undefined>] extends [number] ? F : never
}[keyof Input]

/** Fields that `increment` may use. */
export type NumberOf<C extends CollectionName> = Extract<NumberIn<InputOf<C>>, string>

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

type SortableField<C extends CollectionName> = IndexedOf<C> | 'createdAt' | 'updatedAt'
export type SortKey<C extends CollectionName> = SortableField<C> | `-${SortableField<C>}`

export interface ListPage<Row> {
  items: Row[]
  nextCursor: string | null
}

export interface UpdateOptions {
  /** The revision that this change is based on. The write throws `conflict` when the record has changed since. */
  rev?: number
}

/** One operation of a transaction. A `create` may set its id (`data.newId()`), so that other operations can refer to it. */
export type TxOp = {
  [C in CollectionName]:
    | { op: 'create'; collection: C; id?: string; fields: InputOf<C> }
    | { op: 'update'; collection: C; id: string; fields: PatchOf<C>; rev?: number }
    | { op: 'upsert'; collection: C; by: UniqueOf<C>; fields: UpsertOf<C> }
    | { op: 'remove'; collection: C; id: string; rev?: number }
}[CollectionName]

type TxResult<Op> = Op extends { op: 'remove' }
  ? null
  : Op extends { collection: infer C extends CollectionName }
    ? RecordOf<C> | null
    : never

/** Data methods that server and browser code share. */
export interface DataApi {
  get<C extends CollectionName>(collection: C, id: string): Promise<RecordOf<C>>
  list<C extends CollectionName>(collection: C, query?: Query<C>): Promise<ListPage<RecordOf<C>>>
  /** Returns the best matches first. Every word must occur in a field with `search`; the last word may be a prefix. */
  search<C extends CollectionName>(collection: C, q: string): Promise<RecordOf<C>[]>
  create<C extends CollectionName>(collection: C, fields: InputOf<C>): Promise<RecordOf<C>>
  update<C extends CollectionName>(
    collection: C,
    id: string,
    patch: PatchOf<C>,
    options?: UpdateOptions,
  ): Promise<RecordOf<C>>
  remove<C extends CollectionName>(collection: C, id: string): Promise<{ id: string }>
  /** Creates all records, at most 100, or none. */
  createMany<C extends CollectionName>(collection: C, inputs: InputOf<C>[]): Promise<RecordOf<C>[]>
  /** Updates the record whose unique field `by` has this value, or creates a record. */
  upsert<C extends CollectionName>(collection: C, by: UniqueOf<C>, fields: UpsertOf<C>): Promise<RecordOf<C>>
  /** Adds an amount to a number. Concurrent increments are all counted. */
  increment<C extends CollectionName>(
    collection: C,
    id: string,
    field: NumberOf<C>,
    amount?: number,
  ): Promise<RecordOf<C>>
  /** Returns every matching record, reading page by page. Throws `invalid_request` for more than 10,000. */
  all<C extends CollectionName>(
    collection: C,
    query?: Pick<Query<C>, 'where' | 'sort'>,
  ): AsyncIterable<RecordOf<C>>
  count<C extends CollectionName>(collection: C, where?: Query<C>['where']): Promise<number>
  /**
   * Applies all operations or none: at most 100, on records of one partition. Returns each record as it is after the transaction; null for
   * a removed record.
   */
  tx<const Ops extends readonly TxOp[]>(ops: Ops): Promise<{ [I in keyof Ops]: TxResult<Ops[I]> }>
  /** Returns a new id, for a `create` inside `tx`. */
  newId(): string
}

/** Data access for one caller: the records of the whole app, and the records that belong to each person. */
export interface CallerData extends DataApi {
  /** The personal records of `userId`. Calls without `of` use the caller's personal records. */
  of(userId: string): DataApi
}

/** Data access without rules, for routes that check access themselves. */
export interface SystemData extends CallerData {
  /**
   * `owner` is the user id of a record's owner. It may be set only in collections of the whole app. Without
   * `owner` the record has no owner.
   */
  create<C extends CollectionName>(
    collection: C,
    fields: InputOf<C>,
    options?: { owner?: string },
  ): Promise<RecordOf<C>>
}
