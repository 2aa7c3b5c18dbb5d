import { HammerIcon } from '@phosphor-icons/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { runsQuery } from '../../api/runs.ts'
import { href } from '../../routes.ts'
import { runsText } from '../../text/runs.en.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { useWindowedRows } from '../../ui/use-windowed-rows.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { RunRow } from './run-row.tsx'

const ROW_PX = 68

/** Every build of a project, newest first; only the rows in sight are drawn. */
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
      <Rows runs={runs} total={total} />
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

function Rows({ runs, total }: { runs: BuildRun[]; total: number }) {
  const { box, rows, totalPx, measure } = useWindowedRows(runs.length, ROW_PX)
  return (
    <ol
      ref={box}
      aria-label={runsText.total(String(total))}
      className="relative overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line"
      style={{ height: totalPx }}
    >
      {rows.map(({ index, startPx }) => {
        const run = runs[index]
        return (
          run && (
            <li
              key={run.id}
              ref={measure}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={total}
              className={`absolute inset-x-0 border-kumo-line ${index > 0 ? 'border-t' : ''}`}
              style={{ top: startPx }}
            >
              <RunRow run={run} />
            </li>
          )
        )
      })}
    </ol>
  )
}
