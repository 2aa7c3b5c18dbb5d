import { HammerIcon } from '@phosphor-icons/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { runsQuery } from '../../api/project/runs.ts'
import { href } from '../../routes.ts'
import { runsText } from '../../text/runs.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { LoadMore } from '../../ui/lists/load-more.tsx'
import { WindowedList } from '../../ui/lists/windowed-list.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { RunRow } from './run-row.tsx'

const ROW_PX = 68

/** Every build of a project, newest first; only visible rows are rendered. */
export function RunList({ projectId }: { projectId: string }) {
  const query = useInfiniteQuery(runsQuery(projectId))
  if (query.isPending) return <ListSkeleton />
  if (query.isError && !query.data)
    return <FailureNote title={runsText.failed} error={query.error} onRetry={() => void query.refetch()} />
  const runs = query.data.pages.flatMap((page) => page.items)
  const total = query.data.pages[0]?.total ?? runs.length
  if (runs.length === 0)
    return (
      <EmptyNote
        icon={<HammerIcon />}
        title={runsText.empty}
        hint={runsText.emptyHint}
        action={
          <a href={href.project(projectId)} className="text-kumo-link underline underline-offset-3">
            {runsText.toWorkspace}
          </a>
        }
      />
    )
  return (
    <>
      <WindowedList
        isOrdered
        label={runsText.total(String(total))}
        items={runs}
        total={total}
        rowPx={ROW_PX}
        keyOf={({ id }) => id}
      >
        {(run) => <RunRow run={run} />}
      </WindowedList>
      {query.hasNextPage && (
        <LoadMore
          isLoading={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? query.error : null}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </>
  )
}
