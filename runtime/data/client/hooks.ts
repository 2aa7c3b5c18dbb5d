import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { QueryResult } from './data.ts'
import { LOADING_SNAPSHOT, type QuerySnapshot } from './live-query.ts'
import { isAnyStale, onStatus, pageStore } from './page-store.ts'
import type { RawQuery } from '../frames.ts'
import type { ApiError } from '../../kernel/errors.ts'
import type { CollectionName, Query, RecordOf } from '../types.ts'

// False while the build check renders pages without a browser. Then no data is loaded.
const isBrowser = typeof document !== 'undefined'
const ignoreChanges = () => () => {}

/** Returns the rows that a page shows while it is rendered without a browser. */
export type RowSource = (collection: string, query: RawQuery) => QuerySnapshot

let renderedRows: RowSource | null = null

/** Sets the rows that pages show while they are rendered without a browser; null shows them as loading. */
export function renderRows(source: RowSource | null): void {
  renderedRows = source
}

/** Like `useQuery`, for any collection. The types of `useQuery` are generated from the app's own collections. */
export function useRows(
  collection: string,
  query: RawQuery = {},
  { partition }: { partition?: string | undefined } = {},
): QuerySnapshot {
  const key = JSON.stringify(query)
  const live = useMemo(
    () => (isBrowser ? pageStore(collection, partition).query(collection, JSON.parse(key)) : null),
    [collection, key, partition],
  )
  const subscribe = useCallback((listener: () => void) => live?.listen(listener) ?? ignoreChanges(), [live])
  const snapshot = useCallback(() => live?.snapshot() ?? LOADING_SNAPSHOT, [live])
  return useSyncExternalStore(
    subscribe,
    snapshot,
    () => renderedRows?.(collection, query) ?? LOADING_SNAPSHOT,
  )
}

/** Like `useRecord`, for any collection. */
export function useRow(collection: string, id: string, options: { partition?: string | undefined } = {}) {
  const { rows, status, error } = useRows(collection, { where: { id }, limit: 1 }, options)
  return { record: rows[0] ?? null, status, error }
}

/** Returns live rows: the component renders again when a record changes. `partition` is the id of a team whose rows to read. */
export function useQuery<C extends CollectionName>(
  collection: C,
  query?: Query<C>,
  options?: { partition?: string | undefined },
): QueryResult<RecordOf<C>>
export function useQuery(
  collection: string,
  query?: RawQuery,
  options?: { partition?: string | undefined },
): QuerySnapshot {
  return useRows(collection, query, options)
}

/** Returns one live record; null once the record is known not to exist. */
export function useRecord<C extends CollectionName>(
  collection: C,
  id: string,
  options?: { partition?: string | undefined },
): { record: RecordOf<C> | null; status: 'loading' | 'live' | 'stale'; error: ApiError | null }
export function useRecord(collection: string, id: string, options?: { partition?: string | undefined }) {
  return useRow(collection, id, options)
}

/** Returns true while the page is disconnected from its data. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(onStatus, isAnyStale, () => false)
}
