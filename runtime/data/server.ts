import type { Caller } from '../kernel/actor.ts'
import { callerOf } from '../kernel/session.ts'
import type { RawQuery, WriteOp } from './frames.ts'
import { getRecord, listRecords, searchRecords, writeRecords } from './live.ts'
import type { DataApi } from './types.ts'

/** The server's access to the data: as the caller of a request, or as the app itself. */
export interface ServerData {
  /** Applies the access rules for the sender of this request (`c.req.raw`). */
  as(request: Request): DataApi
  /** No rules: for routes that decide themselves who may do what. */
  system: DataApi
}

type Fields = Record<string, unknown>
type Where = { partition?: string }

function dataFor(caller: Caller): DataApi {
  const mutate = async (op: WriteOp, where: Where) =>
    (await writeRecords(caller, [op], where)).records[0] ?? null
  const loose = {
    get: (collection: string, id: string, where: Where = {}) => getRecord(caller, collection, id, where),
    list: async (collection: string, query: RawQuery & Where = {}) => {
      const { items, nextCursor } = await listRecords(caller, collection, query)
      return { items, nextCursor }
    },
    search: (collection: string, q: string, where: Where = {}) =>
      searchRecords(caller, collection, q, where),
    create: (collection: string, fields: Fields, where: Where = {}) =>
      mutate({ op: 'create', collection, fields }, where),
    update: (collection: string, id: string, fields: Fields, options: Where & { rev?: number } = {}) =>
      mutate({ op: 'update', collection, id, fields, rev: options.rev }, options),
    remove: async (collection: string, id: string, where: Where = {}) => {
      await mutate({ op: 'remove', collection, id }, where)
      return { id }
    },
  }
  // The generated types are applied here; the object validates every value against the same manifest.
  return loose as unknown as DataApi
}

export const data: ServerData = {
  as: (request) => dataFor(callerOf(request)),
  system: dataFor('system'),
}
