import type { Actor } from './frames.ts'
import { getRecord, listRecords, mutateRecords } from './live.ts'
import type { CollectionName, DataApi, InputOf, ListPage, Query, RecordOf, UpdateOptions } from './types.ts'

/** The server's doors to the data: as the caller of a request, or as the app itself. */
export interface ServerData {
  /** Follows the access rules for whoever sent this request (`c.req.raw`). */
  as(request: Request): DataApi
  /** No rules: for routes that decide themselves who may do what. */
  system: DataApi
}

function dataFor(actor: Actor): DataApi {
  const mutate = async (op: Parameters<typeof mutateRecords>[2][number]) => {
    const { records } = await mutateRecords(actor, crypto.randomUUID(), [op])
    return records[0] ?? null
  }
  return {
    get: async <C extends CollectionName>(collection: C, id: string) =>
      (await getRecord(actor, collection, id)) as RecordOf<C>,
    list: async <C extends CollectionName>(collection: C, query: Query<C> = {}) => {
      const { items, nextCursor } = await listRecords(actor, collection, query)
      return { items, nextCursor } as ListPage<RecordOf<C>>
    },
    create: async <C extends CollectionName>(collection: C, fields: InputOf<C>) =>
      (await mutate({ op: 'create', collection, fields: fields as Record<string, unknown> })) as RecordOf<C>,
    update: async <C extends CollectionName>(
      collection: C,
      id: string,
      patch: Partial<InputOf<C>>,
      options: UpdateOptions = {},
    ) =>
      (await mutate({
        op: 'update',
        collection,
        id,
        fields: patch as Record<string, unknown>,
        rev: options.rev,
      })) as RecordOf<C>,
    remove: async (collection, id) => {
      await mutate({ op: 'remove', collection, id })
      return { id }
    },
  }
}

export const data: ServerData = {
  // Callers are told apart by the sign-in of the auth capability; without it everyone is anonymous.
  as: () => dataFor('anonymous'),
  system: dataFor('system'),
}
