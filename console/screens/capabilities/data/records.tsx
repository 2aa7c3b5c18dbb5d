import { DatabaseIcon, FunnelIcon, MagnifyingGlassIcon } from '@phosphor-icons/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { recordSearchQuery, type RecordOrder, recordPagesQuery } from '../../../api/project/capabilities.ts'
import type { CollectionSearch } from '../../../routes.ts'
import { dataText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { ActiveFilters } from './record-filters.tsx'
import { type CollectionSchema, type DataRecord, RecordGrid } from './record-grid.tsx'
import { type Filter, whereOf } from './record-order.ts'
import { useRefNames } from './use-ref-names.ts'

const RecordDialog = lazy(() =>
  import('./record-dialog.tsx').then((module) => ({ default: module.RecordDialog })),
)

interface ListProps {
  projectId: string
  info: CollectionSchema
  /** The open record as `<partition>/<id>`. */
  record: string | undefined
  onOpen: (place: string | undefined) => void
}

export function OrderedRecords(
  props: ListProps & {
    order: RecordOrder
    filters: Filter[]
    onOrder: (order: CollectionSearch) => void
  },
) {
  const { projectId, info, order, filters, onOrder } = props
  const records = useInfiniteQuery({
    ...recordPagesQuery(projectId, info.name, order),
    placeholderData: keepPreviousData,
  })
  const pages = records.data?.pages.map((page) => page.items) ?? []
  const names = useRefNames(projectId, info, pages)
  const all = pages.flat()
  const isRefused = records.error instanceof SlipwayError && records.error.code === 'invalid_request'
  return (
    <>
      <ActiveFilters
        fields={info.fields}
        filters={filters}
        names={names}
        onChange={(next) => onOrder({ where: whereOf(next), record: undefined })}
      />
      {records.data && <CountLine>{dataText.shown(all.length, records.hasNextPage)}</CountLine>}
      {records.isPending && <LiveSkeleton />}
      {isRefused && (
        <div className="space-y-3">
          <FailureNote title={dataText.wrongOrder} error={records.error} />
          <Button onClick={() => onOrder({ sort: undefined, where: undefined, record: undefined })}>
            {dataText.resetOrder}
          </Button>
        </div>
      )}
      {records.isError && !isRefused && !records.data && (
        <LiveFailure projectId={projectId} error={records.error} onRetry={() => void records.refetch()} />
      )}
      {records.data && all.length === 0 && !isRefused && (
        <EmptyNote
          icon={filters.length > 0 ? <FunnelIcon /> : <DatabaseIcon />}
          title={filters.length > 0 ? dataText.noneLikeThis : dataText.none}
          hint={filters.length > 0 ? dataText.noneLikeThisHint : dataText.noneHint}
        />
      )}
      {!isRefused && (
        <GridWithDialog {...props} records={all} names={names} isRead={records.data !== undefined} />
      )}
      {records.hasNextPage && !isRefused && (
        <LoadMore
          isLoading={records.isFetchingNextPage}
          error={records.isFetchNextPageError ? records.error : null}
          onMore={() => void records.fetchNextPage()}
        />
      )}
    </>
  )
}

/** Shows the results of a search, the best match first. */
export function RecordSearchResults(props: ListProps & { q: string }) {
  const { projectId, info, q } = props
  const found = useQuery({
    ...recordSearchQuery(projectId, info.name, q),
    placeholderData: keepPreviousData,
  })
  const records = found.data ?? []
  const names = useRefNames(projectId, info, pagesOf(records))
  return (
    <>
      {found.data && <CountLine>{dataText.found(records.length)}</CountLine>}
      {found.isPending && <LiveSkeleton />}
      {found.isError && !found.data && (
        <LiveFailure projectId={projectId} error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.data && records.length === 0 && (
        <EmptyNote icon={<MagnifyingGlassIcon />} title={dataText.noMatch(q)} hint="" />
      )}
      <GridWithDialog {...props} records={records} names={names} isRead={found.data !== undefined} />
    </>
  )
}

/** Splits records into pages of 50, because the service returns labels for at most 50 ids per request. */
const pagesOf = (records: DataRecord[]): DataRecord[][] =>
  Array.from({ length: Math.ceil(records.length / 50) }, (_, n) => records.slice(n * 50, n * 50 + 50))

const CountLine = ({ children }: { children: string }) => (
  <p role="status" className="mb-2 text-[13px] text-kumo-subtle">
    {children}
  </p>
)

const recordKey = ({ partition, id }: DataRecord) => `${partition}/${id}`

function GridWithDialog(
  props: ListProps & { records: DataRecord[]; names: ReadonlyMap<string, string>; isRead: boolean },
) {
  const { projectId, info, records, record, names, onOpen } = props
  const found = records.find((one) => recordKey(one) === record)
  const [last, setLast] = useState(found)
  if (found !== undefined && found !== last) setLast(found)
  // A refetched list may lack the record that is being edited, so keep its dialog open.
  const open = found ?? (last && recordKey(last) === record ? last : undefined)
  return (
    <>
      {props.isRead && record !== undefined && open === undefined && (
        <p className="mb-3 rounded-lg bg-kumo-fill px-3.5 py-3">{dataText.gone}</p>
      )}
      {records.length > 0 && (
        <RecordGrid projectId={projectId} info={info} records={records} names={names} onOpen={onOpen} />
      )}
      {open && (
        <Suspense fallback={null}>
          <RecordDialog
            key={record}
            projectId={projectId}
            info={info}
            record={open}
            onClose={() => onOpen(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
