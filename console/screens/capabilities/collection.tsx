import { DatabaseIcon, MagnifyingGlassIcon } from '@phosphor-icons/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { collectionsQuery, recordsQuery } from '../../api/project/capabilities.ts'
import { type CollectionSearch, href } from '../../routes.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { FIELD } from '../../ui/controls/text-field.tsx'
import { useAddressWords } from '../../ui/browser/use-address-words.ts'
import { infoOf } from './capability-info.ts'
import { LiveFailure } from './live-failure.tsx'
import { LiveSkeleton } from './live-skeleton.tsx'
import { type CollectionInfo, RecordGrid } from './record-grid.tsx'

const RecordDialog = lazy(() =>
  import('./record-dialog.tsx').then((module) => ({ default: module.RecordDialog })),
)

const [FEW, MANY] = [100, 1000]
const ROUTE = '/app/projects/$projectId/capabilities/data/$collection'

/** The records of one collection of the live app: search, a grid, and an editor. */
export function Collection() {
  const { projectId, collection } = useParams({ from: ROUTE })
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
          label: infoOf('data')?.title ?? capabilitiesText.data.title,
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
        <Records projectId={projectId} info={info ?? { name: collection, fields: [] }} key={collection} />
      )}
    </SectionPage>
  )
}

function Records({ projectId, info }: { projectId: string; info: CollectionInfo }) {
  const search = useSearch({ from: ROUTE })
  const { q = '', record } = search
  const router = useRouter()
  const [typed, setTyped] = useAddressWords(
    q,
    (words) =>
      router.history.replace(href.collection(projectId, info.name, words === '' ? {} : { q: words })),
    (words) => words.trim().slice(0, 200),
  )
  const [limit, setLimit] = useState(FEW)
  const go = (to: CollectionSearch) =>
    router.history.replace(href.collection(projectId, info.name, { ...search, ...to }))
  const records = useQuery({
    ...recordsQuery(projectId, info.name, q, limit),
    placeholderData: keepPreviousData,
  })
  const open = records.data?.find(({ partition, id }) => `${partition}/${id}` === record)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role="status" className="text-[13px] text-kumo-subtle">
          {records.data &&
            (q === ''
              ? capabilitiesText.data.newest(records.data.length)
              : capabilitiesText.data.found(records.data.length))}
        </p>
        <input
          type="search"
          aria-label={capabilitiesText.data.search}
          placeholder={capabilitiesText.data.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className={`${FIELD} h-9 ring-kumo-line sm:w-72`}
        />
      </div>
      {records.isPending && <LiveSkeleton />}
      {records.isError && !records.data && (
        <LiveFailure projectId={projectId} error={records.error} onRetry={() => void records.refetch()} />
      )}
      {records.data && record !== undefined && open === undefined && (
        <p className="mb-3 rounded-lg bg-kumo-fill px-3.5 py-3">{capabilitiesText.data.gone}</p>
      )}
      {records.data?.length === 0 &&
        (q === '' ? (
          <EmptyNote
            icon={<DatabaseIcon />}
            title={capabilitiesText.data.none}
            hint={capabilitiesText.data.noneHint}
          />
        ) : (
          <EmptyNote icon={<MagnifyingGlassIcon />} title={capabilitiesText.data.noMatch(q)} hint="" />
        ))}
      {records.data && records.data.length > 0 && (
        <RecordGrid info={info} records={records.data} onOpen={(place) => go({ record: place })} />
      )}
      {q === '' && limit === FEW && records.data?.length === FEW && (
        <div className="mt-4 text-center">
          <Button onClick={() => setLimit(MANY)}>{capabilitiesText.data.more}</Button>
        </div>
      )}
      {open && (
        <Suspense fallback={null}>
          <RecordDialog
            key={record}
            projectId={projectId}
            info={info}
            record={open}
            onClose={() => go({ record: undefined })}
          />
        </Suspense>
      )}
    </>
  )
}
