import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { collectionsQuery } from '../../../api/project/capabilities.ts'
import { truncateText } from '../../../lib/truncate-text.ts'
import { type CollectionSearch, href } from '../../../routes.ts'
import { SectionPage } from '../../../shell/section-page.tsx'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { dataText } from './text.en.ts'
import { useSearchParam } from '../../../ui/browser/use-search-param.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'
import { metadataOf } from '../capability-metadata.ts'
import { CsvExport } from './csv/csv-export.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { FilterForm } from './record-filters.tsx'
import type { CollectionSchema } from './record-grid.tsx'
import { isIndexed, readFilters, sortsOf, whereOf } from './record-order.ts'
import { RecordSearchResults, OrderedRecords } from './records.tsx'

const NewRecord = lazy(() => import('./new-record.tsx').then((module) => ({ default: module.NewRecord })))
const CsvImport = lazy(() => import('./csv/csv-import.tsx').then((module) => ({ default: module.CsvImport })))

const COLLECTION_ROUTE = '/app/projects/$projectId/capabilities/data/$collection'

export function Collection() {
  const { projectId, collection } = useParams({ from: COLLECTION_ROUTE })
  const collections = useQuery(collectionsQuery(projectId))
  const info = collections.data?.find(({ name }) => name === collection)
  return (
    <SectionPage
      projectId={projectId}
      title={info?.title ?? collection}
      wide
      crumbs={[
        { to: href.capabilities(projectId), label: capabilitiesText.title },
        {
          to: href.capability(projectId, 'data', { tab: 'live' }),
          label: metadataOf('data')?.title ?? dataText.title,
        },
      ]}
    >
      {collections.isPending && <LiveSkeleton />}
      {collections.isError && !collections.data && (
        <LiveFailure
          projectId={projectId}
          error={collections.error}
          onRetry={() => void collections.refetch()}
        />
      )}
      {collections.data && (
        <CollectionRecords
          projectId={projectId}
          info={info ?? undeclaredCollection(collection)}
          key={collection}
        />
      )}
    </SectionPage>
  )
}

/** The schema of a collection that the live app does not declare. It has no fields. */
const undeclaredCollection = (name: string): CollectionSchema => ({
  name,
  title: name,
  partition: 'app',
  fields: [],
})

function CollectionRecords({ projectId, info }: { projectId: string; info: CollectionSchema }) {
  const search = useSearch({ from: COLLECTION_ROUTE })
  const { q = '', sort, where } = search
  const router = useRouter()
  const replaceSearch = (to: CollectionSearch) =>
    router.history.replace(href.collection(projectId, info.name, { ...search, ...to }))
  const [typed, setTyped] = useSearchParam(
    q,
    (next) => replaceSearch({ q: next === '' ? undefined : next, record: undefined }),
    (next) => truncateText(next.trim(), 200),
  )
  const [dialog, setDialog] = useState<'add' | 'csv' | null>(null)
  const [isFiltering, setFiltering] = useState(false)
  const filters = readFilters(where)
  const order = { sort, where: whereOf(filters) }
  const open = (record: string | undefined) => replaceSearch({ record })
  // The console cannot add records of a team, because only the app knows the members of each team.
  const canAdd = info.partition !== 'team' && info.fields.length > 0
  const canFilter = q === '' && info.fields.some(isIndexed)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-end gap-2">
        <input
          type="search"
          aria-label={dataText.search}
          placeholder={dataText.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className={`${FIELD_STYLE} h-9 ring-kumo-line max-sm:w-full sm:w-64`}
        />
        {q === '' && (
          <div className="w-56 max-sm:flex-1">
            <NativeSelect
              label={dataText.sort}
              hideLabel
              value={sort ?? ''}
              options={sortsOf(info.fields)}
              onChange={(next) => replaceSearch({ sort: next === '' ? undefined : next, record: undefined })}
            />
          </div>
        )}
        {canFilter && (
          <Button aria-expanded={isFiltering} onClick={() => setFiltering(!isFiltering)}>
            {dataText.filter}
          </Button>
        )}
        <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
          <CsvExport projectId={projectId} info={info} order={order} />
          {info.partition === 'app' && canAdd && (
            <Button onClick={() => setDialog('csv')}>{dataText.csv.in}</Button>
          )}
          {canAdd && (
            <Button variant="primary" onClick={() => setDialog('add')}>
              {dataText.add}
            </Button>
          )}
        </div>
      </div>
      {isFiltering && canFilter && (
        <FilterForm
          projectId={projectId}
          fields={info.fields}
          filters={filters}
          onChange={(next) => replaceSearch({ where: whereOf(next), record: undefined })}
        />
      )}
      {q === '' ? (
        <OrderedRecords
          projectId={projectId}
          info={info}
          order={order}
          filters={filters}
          record={search.record}
          onOpen={open}
          onOrder={replaceSearch}
        />
      ) : (
        <RecordSearchResults projectId={projectId} info={info} q={q} record={search.record} onOpen={open} />
      )}
      <Suspense fallback={null}>
        {dialog === 'add' && <NewRecord projectId={projectId} info={info} onClose={() => setDialog(null)} />}
        {dialog === 'csv' && <CsvImport projectId={projectId} info={info} onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  )
}
