import type { Actor, RawQuery, WriteOp } from './frames.ts'
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

function dataFor(actor: Actor): DataApi {
  const mutate = async (op: WriteOp) => (await writeRecords(actor, [op])).records[0] ?? null
  const loose = {
    get: (collection: string, id: string) => getRecord(actor, collection, id),
    list: async (collection: string, query: RawQuery = {}) => {
      const { items, nextCursor } = await listRecords(actor, collection, query)
      return { items, nextCursor }
    },
    search: (collection: string, q: string) => searchRecords(actor, collection, q),
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

export const data: ServerData = {
  // The auth capability tells callers apart; without it every caller is anonymous.
  as: () => dataFor('anonymous'),
  system: dataFor('system'),
}
