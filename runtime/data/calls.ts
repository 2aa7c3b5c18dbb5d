import { invalid } from '../kernel/errors.ts'
import type { RawPage, RawQuery, StoredRecord, WriteOp } from './frames.ts'
import { newId } from './id.ts'

export type RecordFields = Record<string, unknown>

const PAGE_RECORDS = 200
const ALL_RECORDS_MAX = 10_000

/**
 * Access to records. Server code implements it with RPC calls to the live worker, and a page with its page
 * store.
 */
export interface RecordStore {
  get(collection: string, id: string): Promise<StoredRecord>
  list(collection: string, query: RawQuery): Promise<RawPage>
  count(collection: string, where: RecordFields): Promise<number>
  search(collection: string, q: string): Promise<StoredRecord[]>
  write(ops: WriteOp[]): Promise<(StoredRecord | null)[]>
}

export function callsOf({ get, list, count, search, write }: RecordStore) {
  const writeOne = async (op: WriteOp) => (await write([op]))[0] as StoredRecord
  return {
    get,
    search,
    newId,
    list: async (collection: string, query: RawQuery = {}) => {
      const { items, nextCursor } = await list(collection, query)
      return { items, nextCursor }
    },
    all: (collection: string, query: Pick<RawQuery, 'where' | 'sort'> = {}) =>
      readAllPages(list, collection, query),
    count: (collection: string, where: RecordFields = {}) => count(collection, where),
    create: (collection: string, fields: RecordFields, options: { owner?: string } = {}) =>
      writeOne({ ...options, op: 'create', collection, fields }),
    update: (collection: string, id: string, fields: RecordFields, { rev }: { rev?: number } = {}) =>
      writeOne({ op: 'update', collection, id, fields, rev }),
    createMany: async (collection: string, inputs: RecordFields[]) => {
      if (!Array.isArray(inputs)) throw invalid('inputs', 'must be a list of records')
      return inputs.length === 0
        ? []
        : await write(inputs.map((fields) => ({ op: 'create', collection, fields })))
    },
    upsert: (collection: string, by: string, fields: RecordFields) =>
      writeOne({ op: 'upsert', collection, by, fields }),
    increment: (collection: string, id: string, field: string, amount = 1) =>
      writeOne({ op: 'update', collection, id, fields: { [field]: { increment: amount } } }),
    remove: async (collection: string, id: string) => {
      await write([{ op: 'remove', collection, id }])
      return { id }
    },
    tx: write,
  }
}

async function* readAllPages(
  list: RecordStore['list'],
  collection: string,
  { where, sort }: Pick<RawQuery, 'where' | 'sort'>,
): AsyncGenerator<StoredRecord, void> {
  let cursor: string | null = null
  let count = 0
  do {
    const page: RawPage = await list(collection, { where, sort, limit: PAGE_RECORDS, cursor })
    yield* page.items
    count += page.items.length
    cursor = page.nextCursor
    // Throw instead of returning part of the result, which would look complete.
    if (cursor !== null && count >= ALL_RECORDS_MAX)
      throw invalid('where', `matches more than ${ALL_RECORDS_MAX} records; narrow it or use list`)
  } while (cursor !== null)
}
