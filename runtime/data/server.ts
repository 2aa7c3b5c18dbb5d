import type { Caller } from '../kernel/actor.ts'
import { callerOf } from '../kernel/session.ts'
import type { RawQuery, WriteOp } from './frames.ts'
import { getRecord, listRecords, searchRecords, writeRecords } from './live.ts'
import type { DataApi } from './types.ts'

/** The data as one caller may use it: the records of the app, and of collections that people have for themselves. */
export interface CallerData extends DataApi {
  /** The records of this person (a user id); without it those of the caller. */
  of(userId: string): DataApi
}

/** The server's access to the data: as the caller of a request, or as the app itself. */
export interface ServerData {
  /** Applies the access rules for the sender of this request (`c.req.raw`). */
  as(request: Request): CallerData
  /** No rules: for routes that decide themselves who may do what. */
  system: CallerData
}

type Fields = Record<string, unknown>

function dataFor(caller: Caller, partition?: string): DataApi {
  const mutate = async (op: WriteOp) => (await writeRecords(caller, [op], partition)).records[0] ?? null
  const loose = {
    get: (collection: string, id: string) => getRecord(caller, collection, id, partition),
    list: async (collection: string, query: RawQuery = {}) => {
      const { items, nextCursor } = await listRecords(caller, collection, query, partition)
      return { items, nextCursor }
    },
    search: (collection: string, q: string) => searchRecords(caller, collection, q, partition),
    create: (collection: string, fields: Fields) => mutate({ op: 'create', collection, fields }),
    update: (collection: string, id: string, fields: Fields, options: { rev?: number } = {}) =>
      mutate({ op: 'update', collection, id, fields, rev: options.rev }),
    remove: async (collection: string, id: string) => {
      await mutate({ op: 'remove', collection, id })
      return { id }
    },
  }
  // The generated types are applied here; the object validates every value against the same manifest.
  return loose as unknown as DataApi
}

const callerData = (caller: Caller): CallerData => ({
  ...dataFor(caller),
  of: (userId) => dataFor(caller, userId),
})

export const data: ServerData = {
  as: (request) => callerData(callerOf(request)),
  system: callerData('system'),
}
