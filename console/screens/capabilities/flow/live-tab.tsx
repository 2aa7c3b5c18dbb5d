import { CaretDownIcon, CaretRightIcon, PathIcon } from '@phosphor-icons/react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { flowRunQuery, flowRunsQuery, type ListedRun } from './query.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { text } from '../../../text/en.ts'
import { flowText as words } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { FlowRunDetails, runState } from './flow-run.tsx'

const RUN_TONES: Record<ListedRun['status'], StateTone> = {
  queued: 'quiet',
  running: 'busy',
  waiting: 'ask',
  paused: 'quiet',
  complete: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}

export function FlowRuns({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const runs = useInfiniteQuery(flowRunsQuery(projectId))
  if (runs.isPending) return <LiveSkeleton />
  if (!runs.data)
    return <LiveFailure projectId={projectId} error={runs.error} onRetry={() => void runs.refetch()} />
  const items = runs.data.pages.flatMap((page) => page.items)
  if (items.length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="ticket"
        icon={<PathIcon />}
        title={words.empty}
        hint={words.emptyHint}
      />
    )
  const refresh = () => void client.invalidateQueries({ queryKey: queryKeys.live(projectId, 'flow') })
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role="status" className="text-[13px] text-kumo-subtle">
          {words.shown(items.length, runs.hasNextPage)}
        </p>
        <Button size="sm" loading={runs.isRefetching} onClick={refresh}>
          {words.refresh}
        </Button>
      </div>
      {/* An error of the next page is shown at the end of the list. */}
      {runs.isRefetchError && !runs.isFetchNextPageError && (
        <div className="mb-3">
          <FailureNote title={text.failure.title} error={runs.error} onRetry={refresh} />
        </div>
      )}
      <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {items.map((run) => (
          <li key={run.id}>
            <RunRow projectId={projectId} run={run} />
          </li>
        ))}
      </ul>
      {runs.hasNextPage && (
        <LoadMore
          isLoading={runs.isFetchingNextPage}
          error={runs.isFetchNextPageError ? runs.error : null}
          onMore={() => void runs.fetchNextPage()}
        />
      )}
    </div>
  )
}

function RunRow({ projectId, run }: { projectId: string; run: ListedRun }) {
  const { id, createdAt } = run
  const details = useId()
  const [isOpen, setOpen] = useState(false)
  // The list does not contain what a run waits for, so load the steps when the row is expanded. The steps of a collapsed row are not
  // refetched, so ignore them.
  const loaded = useQuery({ ...flowRunQuery(projectId, id), enabled: isOpen }).data
  const read = isOpen && loaded ? loaded : { ...run, steps: [] }
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? details : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3 text-left hover:bg-kumo-fill"
      >
        <span aria-hidden="true" className="self-center text-kumo-subtle">
          {isOpen ? <CaretDownIcon /> : <CaretRightIcon />}
        </span>
        <span className="min-w-0 flex-1 basis-48 font-medium break-all text-kumo-strong">{id}</span>
        <span className="text-[13px] text-kumo-default">
          <StateDot tone={RUN_TONES[read.status]}>
            <span>
              {runState(read)} · {words.started} <RelativeTime at={createdAt} />
            </span>
          </StateDot>
        </span>
      </button>
      {isOpen && (
        <div id={details} className="border-t border-kumo-line px-4 py-3">
          <FlowRunDetails projectId={projectId} id={id} />
        </div>
      )}
    </div>
  )
}
