import { ClockIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { type ScheduledJob, scheduledJobsQuery } from './query.ts'
import { scheduleText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { formatDuration } from '../../../lib/format.ts'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'

export function ScheduledJobs({ projectId }: { projectId: string }) {
  const jobs = useQuery(scheduledJobsQuery(projectId))
  if (jobs.isPending) return <LiveSkeleton />
  if (!jobs.data)
    return <LiveFailure projectId={projectId} error={jobs.error} onRetry={() => void jobs.refetch()} />
  if (jobs.data.length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="ticket"
        icon={<ClockIcon />}
        title={scheduleText.empty}
        hint={scheduleText.emptyHint}
      />
    )
  return (
    <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {jobs.data.map((one) => (
        <li key={one.name}>
          <JobRow job={one} />
        </li>
      ))}
    </ul>
  )
}

const OUTCOME_TONES = { ok: 'good', failed: 'bad', skipped: 'quiet' } as const

function JobRow({ job }: { job: ScheduledJob }) {
  const { name, repeat, nextRunAt, lastRunAt, lastStatus, lastDurationMs, lastError, paused } = job
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words text-kumo-strong">{name}</p>
        <p className="text-[13px] text-kumo-subtle">
          <span>{scheduleText.every(repeat)}</span>
          {paused && (
            <>
              {' · '}
              <span>{scheduleText.paused}</span>
            </>
          )}
          {!paused && nextRunAt !== null && (
            <>
              {' · '}
              <span>{scheduleText.next}</span> <RelativeTime at={nextRunAt} />
            </>
          )}
        </p>
        {lastError !== null && <p className="text-[13px] break-words text-removed">{lastError}</p>}
      </div>
      <p className="text-[13px] text-kumo-default">
        {lastRunAt === null || lastStatus === null ? (
          scheduleText.never
        ) : (
          <StateDot tone={OUTCOME_TONES[lastStatus]}>
            <span>{scheduleText.states[lastStatus]}</span> <RelativeTime at={lastRunAt} />
            {lastDurationMs !== null && (
              <>
                {' · '}
                <span>{scheduleText.took(formatDuration(lastDurationMs))}</span>
              </>
            )}
          </StateDot>
        )}
      </p>
    </div>
  )
}
