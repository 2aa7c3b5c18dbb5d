import type { Actor, RawQuery, WriteOp } from './frames.ts'
import { getRecord, listRecords, searchRecords, writeRecords } from './live.ts'
import type { DataApi } from './types.ts'

/** The server's doors to the data: as the caller of a request, or as the app itself. */
export interface ServerData {
  /** Follows the access rules for whoever sent this request (`c.req.raw`). */
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
  // The generated types are put over it here; the object checks every value against the same manifest.
  return loose as unknown as DataApi
}

export const data: ServerData = {
  // Callers are told apart by the sign-in of the auth capability; without it everyone is anonymous.
  as: () => dataFor('anonymous'),
  system: dataFor('system'),
}
