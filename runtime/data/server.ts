import type { Caller } from '../kernel/actor.ts'
import { callerOf } from '../kernel/session.ts'
import { callsOf } from './calls.ts'
import { newId } from './id.ts'
import { countRecords, getRecord, listRecords, searchRecords, writeRecords } from './rpc-client.ts'
import type { CollectionName, DataApi, InputOf, RecordOf } from './types.ts'

/** The data as one caller may use it: the records of the app, and of collections that people have for themselves. */
export interface CallerData extends DataApi {
  /** The records of this person (a user id); without it those of the caller. */
  of(userId: string): DataApi
}

/** Without access rules: for routes that decide themselves who may do what. */
export interface SystemData extends CallerData {
  /** `owner` (a user id): whom a record of a shared collection belongs to; without it the record has no owner. */
  create<C extends CollectionName>(
    collection: C,
    fields: InputOf<C>,
    options?: { owner?: string },
  ): Promise<RecordOf<C>>
}

/** The server's access to the data: as the caller of a request, or as the app itself. */
export interface ServerData {
  /** Applies the access rules for the sender of this request (`c.req.raw`). */
  as(request: Request): CallerData
  /** No rules: for routes that decide themselves who may do what. */
  system: SystemData
  /** A new id for a `create` in `tx`. */
  newId(): string
}

function dataFor(caller: Caller, partition?: string): DataApi {
  const calls = callsOf({
    get: (collection, id) => getRecord(caller, collection, id, partition),
    list: (collection, query) => listRecords(caller, collection, query, partition),
    count: (collection, where) => countRecords(caller, collection, where, partition),
    search: (collection, q) => searchRecords(caller, collection, q, partition),
    write: async (ops) => (await writeRecords(caller, ops, partition)).records,
  })
  // The generated types are applied here; the object validates every value against the same manifest.
  return calls as unknown as DataApi
}

const callerData = (caller: Caller): CallerData => ({
  ...dataFor(caller),
  of: (userId) => dataFor(caller, userId),
})

export const data: ServerData = {
  as: (request) => callerData(callerOf(request)),
  system: callerData('system'),
  newId,
}
