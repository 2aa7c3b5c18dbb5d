import { LinkButton } from '@cloudflare/kumo/components/button'
import { ChartBarIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { eventsSummaryQuery } from './query.ts'
import { href } from '../../../routes.ts'
import { eventsText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { EventDays } from './event-days.tsx'
import { EventTable } from './event-table.tsx'

/** The name of the events that count page views. Their group is the path of the page. */
const PAGE_VIEW = 'pageview'

export function EventFigures({ projectId }: { projectId: string }) {
  const summary = useQuery(eventsSummaryQuery(projectId))
  const refetchSummary = () => void summary.refetch()
  if (summary.isPending) return <LiveSkeleton />
  if (!summary.data)
    return <LiveFailure projectId={projectId} error={summary.error} onRetry={refetchSummary} />
  if (summary.data.state === 'unavailable')
    return <FiguresUnavailable isLoading={summary.isRefetching} onRetry={refetchSummary} />
  const { items, days } = summary.data
  if (items.length === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="app"
        icon={<ChartBarIcon />}
        title={eventsText.empty}
        hint={eventsText.emptyHint}
      />
    )
  const views = items.filter(({ name }) => name === PAGE_VIEW)
  const events = items.filter(({ name }) => name !== PAGE_VIEW)
  return (
    <div className="space-y-4">
      <p className="text-[13px] text-kumo-subtle">
        {eventsText.title}. {eventsText.visitorsHint}
      </p>
      <Panel title={eventsText.daily}>
        <EventDays days={days} />
      </Panel>
      <Panel title={eventsText.pages}>
        {views.length === 0 ? (
          <p>{eventsText.noViews}</p>
        ) : (
          <EventTable
            items={views}
            title={eventsText.pages}
            first={eventsText.page}
            nameOf={({ group }) => [group ?? '', null]}
          />
        )}
      </Panel>
      <Panel title={eventsText.events}>
        {events.length === 0 ? (
          <p>{eventsText.noEvents}</p>
        ) : (
          <EventTable
            items={events}
            title={eventsText.events}
            first={eventsText.event}
            nameOf={({ name, group }) => [name, group]}
          />
        )}
      </Panel>
    </div>
  )
}

function FiguresUnavailable({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }) {
  return (
    <EmptyNote
      icon={<ChartBarIcon />}
      title={eventsText.unavailable}
      hint={eventsText.unavailableHint}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" loading={isLoading} onClick={onRetry}>
            {eventsText.retry}
          </Button>
          <LinkButton href={href.connections()}>{eventsText.goConnect}</LinkButton>
        </div>
      }
    />
  )
}
