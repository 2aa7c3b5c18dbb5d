import { LinkButton } from '@cloudflare/kumo/components/button'
import { ChartBarIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { type EventItem, eventsSummaryQuery } from '../../../api/project/capabilities.ts'
import { href } from '../../../routes.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LiveEmpty } from '../live-empty.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { LiveFailure } from '../live-failure.tsx'
import { LiveSkeleton } from '../live-skeleton.tsx'
import { EventDays } from './event-days.tsx'
import { EventTable } from './event-table.tsx'

const words = capabilitiesText.events
/** The name under which the runtime counts page views. The group of such an event is the page. */
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
        title={words.empty}
        hint={words.emptyHint}
      />
    )
  const [views, events] = [true, false].map((isView) =>
    items.filter(({ name }) => (name === PAGE_VIEW) === isView),
  ) as [EventItem[], EventItem[]]
  return (
    <div className="space-y-4">
      <p className="text-[13px] text-kumo-subtle">
        {words.title}. {words.visitorsHint}
      </p>
      <Panel title={words.daily}>
        <EventDays days={days} />
      </Panel>
      <Panel title={words.pages}>
        {views.length === 0 ? (
          <p>{words.noViews}</p>
        ) : (
          <EventTable
            items={views}
            title={words.pages}
            first={words.page}
            nameOf={({ group }) => [group ?? '', null]}
          />
        )}
      </Panel>
      <Panel title={words.events}>
        {events.length === 0 ? (
          <p>{words.noEvents}</p>
        ) : (
          <EventTable
            items={events}
            title={words.events}
            first={words.event}
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
      title={words.unavailable}
      hint={words.unavailableHint}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" loading={isLoading} onClick={onRetry}>
            {words.retry}
          </Button>
          <LinkButton href={href.connections()}>{words.goConnect}</LinkButton>
        </div>
      }
    />
  )
}
