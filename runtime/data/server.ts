import type { Caller } from '../kernel/access/actor.ts'
import { callerOf } from '../kernel/access/session.ts'
import { callsOf } from './calls.ts'
import { newId } from './id.ts'
import { countRecords, getRecord, listRecords, searchRecords, writeRecords } from './rpc-client.ts'
import type { CallerData, DataApi, SystemData } from './types.ts'

export type { CollectionName, DataApi, InputOf, ListPage, Query, RecordOf } from './types.ts'

/** Data access for server code: with the rights of a request's sender, or as the app itself. */
export interface ServerData {
  /** Acts with the access rights of a request's sender (`c.req.raw`). */
  as(request: Request): CallerData
  /** Acts without access rules, for routes that check access themselves. */
  system: SystemData
  /** Returns a new id, for a `create` inside `tx`. */
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
  // The types generated from `app.json` cannot be checked here. The Durable Object validates every value by
  // the same `app.json`.
  return calls as DataApi
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
