import { ClockCounterClockwiseIcon, DownloadSimpleIcon } from '@phosphor-icons/react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { activityQuery, exportActivity } from '../../api/organization/activity.ts'
import { type ActivitySearch, href } from '../../routes.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote, LoadFailure } from '../../ui/page/failure.tsx'
import { LoadMore } from '../../ui/lists/load-more.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { saveFile } from '../../ui/browser/save-file.ts'
import { ActivityRows, ActivitySkeleton } from './activity-rows.tsx'
import { activityFilter } from './filter.ts'
import { Filters } from './filters.tsx'

export function Activity() {
  usePageTitle(cloudText.activity.title)
  const search = useSearch({ from: '/app/activity' })
  const router = useRouter()
  const replaceSearch = (to: ActivitySearch) => router.history.replace(href.activity(to))
  const download = useMutation({
    mutationFn: () => exportActivity(activityFilter(search)),
    onSuccess: (csv) => saveFile(`activity-${new Date().toISOString().slice(0, 10)}.csv`, csv),
  })
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pt-8 pb-16 sm:px-8 sm:pt-12">
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80 space-y-1">
          <PageHeading>{cloudText.activity.title}</PageHeading>
          <p className="text-kumo-subtle">{cloudText.activity.lead}</p>
        </div>
        <Button
          icon={<DownloadSimpleIcon />}
          loading={download.isPending}
          onClick={() => !download.isPending && download.mutate()}
        >
          {download.isPending ? cloudText.activity.exporting : cloudText.activity.export}
        </Button>
      </div>
      {download.isError && (
        <div className="mb-4">
          <FailureNote
            key={download.failureCount + download.submittedAt}
            title={cloudText.activity.exportFailed}
            error={download.error}
            onRetry={() => download.mutate()}
          />
        </div>
      )}
      <Filters search={search} onChange={replaceSearch} />
      <ActivityLog search={search} go={replaceSearch} />
    </div>
  )
}

function ActivityLog({ search, go }: { search: ActivitySearch; go: (to: ActivitySearch) => void }) {
  const log = useInfiniteQuery(activityQuery(activityFilter(search)))
  if (log.isPending) return <ActivitySkeleton />
  if (!log.data) return <LoadFailure query={log} />
  const records = log.data.pages.flatMap((page) => page.items)
  if (records.length === 0) return <NoActivity isFiltered={Object.keys(search).length > 0} go={go} />
  return (
    <>
      <ActivityRows records={records} onProject={(project) => go({ ...search, project })} />
      {log.hasNextPage && (
        <LoadMore
          isLoading={log.isFetchingNextPage}
          error={log.isFetchNextPageError ? log.error : null}
          onMore={() => void log.fetchNextPage()}
        />
      )}
    </>
  )
}

function NoActivity({ isFiltered, go }: { isFiltered: boolean; go: (to: ActivitySearch) => void }) {
  if (isFiltered)
    return (
      <EmptyNote
        icon={<ClockCounterClockwiseIcon />}
        title={cloudText.activity.noMatch}
        hint={cloudText.activity.noMatchHint}
        action={<Button onClick={() => go({})}>{cloudText.activity.clear}</Button>}
      />
    )
  return (
    <EmptyNote
      icon={<ClockCounterClockwiseIcon />}
      title={cloudText.activity.empty}
      hint={cloudText.activity.emptyHint}
      action={
        <a href={href.projects()} className="font-medium text-kumo-link underline">
          {cloudText.activity.emptyAction}
        </a>
      }
    />
  )
}
