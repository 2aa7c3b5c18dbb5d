import { ClockCounterClockwiseIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import type { HistoryEvent } from '@slipway/sdk/client/types.gen.ts'
import { historyQuery } from '../../api/project/versions.ts'
import { href } from '../../routes.ts'
import { historyText } from '../../text/runs.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { StateDot, type StateTone } from '../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { WindowedList } from '../../ui/lists/windowed-list.tsx'
import { ListSkeleton } from './list-skeleton.tsx'

const ROW_PX = 64
const EVENT_TONES: Partial<Record<HistoryEvent['type'], StateTone>> = {
  built: 'good',
  shipped: 'good',
  build_failed: 'bad',
  archived: 'quiet',
}

export function HistoryPanel({ projectId }: { projectId: string }) {
  const history = useQuery(historyQuery(projectId))
  if (history.isPending) return <ListSkeleton />
  if (history.isError && !history.data)
    return (
      <FailureNote title={historyText.failed} error={history.error} onRetry={() => void history.refetch()} />
    )
  if (history.data.length === 0)
    return (
      <EmptyNote
        icon={<ClockCounterClockwiseIcon />}
        title={historyText.empty}
        hint={historyText.emptyHint}
      />
    )
  return (
    <div className="space-y-3">
      <p className="text-kumo-subtle">{historyText.lead}</p>
      <WindowedList
        isOrdered
        items={history.data}
        rowPx={ROW_PX}
        keyOf={({ id }) => id}
        rowClassName="px-4 py-3"
      >
        {(event) => <EventLine projectId={projectId} event={event} />}
      </WindowedList>
    </div>
  )
}

function EventLine({ projectId, event }: { projectId: string; event: HistoryEvent }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 text-[13px] text-kumo-subtle">
        <span className="font-medium text-kumo-strong">
          <StateDot tone={EVENT_TONES[event.type] ?? 'busy'}>{historyText.types[event.type]}</StateDot>
        </span>
        <RelativeTime at={event.at} />
        {event.sha && <code className="font-mono text-xs">{event.sha.slice(0, 7)}</code>}
        {event.runId && (
          <a
            href={href.run(projectId, event.runId)}
            className="rounded-sm text-kumo-link underline underline-offset-3"
          >
            {historyText.openRun}
          </a>
        )}
      </p>
      {event.detail && <p className="mt-0.5 line-clamp-3 break-words">{event.detail}</p>}
    </>
  )
}
