import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { ticketLabelsQuery, ticketStatsQuery } from '../../../api/project/tickets.ts'
import { PRIORITIES, TICKET_STATUSES, TICKET_TYPES } from '../../../api/types.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import type { NavigateWorkspace } from '../../../state/use-workspace-location.ts'
import { hasFilter, NO_FILTER } from '../../../state/tickets/ticket-filter.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'

export function FilterPanel({ go }: { go: NavigateWorkspace }) {
  const { projectId, filter } = usePane()
  const panel = useRef<HTMLDivElement>(null)
  const stats = useQuery(ticketStatsQuery(projectId)).data
  const labels = useQuery(ticketLabelsQuery(projectId)).data ?? []
  const choices = <T extends string>(
    values: readonly T[],
    words: Record<T, string>,
    counts?: Record<T, number>,
  ) => [
    { value: '', label: ticketsText.any },
    ...values.map((value) => ({ value, label: withCount(words[value], counts?.[value]) })),
  ]
  const known = labels.some(({ label }) => label === filter.label)
  return (
    <div
      ref={panel}
      id="ticket-filters"
      className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] items-end gap-2"
    >
      <NativeSelect
        label={ticketsText.fields.status}
        value={filter.status ?? ''}
        options={choices(TICKET_STATUSES, workText.tickets.status, stats?.byStatus)}
        onChange={(status) => go({ status: status || undefined })}
      />
      <NativeSelect
        label={ticketsText.fields.type}
        value={filter.type ?? ''}
        options={choices(TICKET_TYPES, workText.tickets.type, stats?.byType)}
        onChange={(type) => go({ type: type || undefined })}
      />
      <NativeSelect
        label={ticketsText.fields.priority}
        value={filter.priority ?? ''}
        options={choices(PRIORITIES, workText.tickets.priority, stats?.byPriority)}
        onChange={(priority) => go({ priority: priority || undefined })}
      />
      <NativeSelect
        label={ticketsText.fields.label}
        value={filter.label ?? ''}
        options={[
          { value: '', label: ticketsText.anyLabel },
          ...(filter.label && !known ? [{ value: filter.label, label: filter.label }] : []),
          ...labels.map(({ label, count }) => ({ value: label, label: withCount(label, count) })),
        ]}
        onChange={(label) => go({ label: label || undefined })}
      />
      {hasFilter(filter) && (
        <Button
          size="sm"
          variant="ghost"
          className="justify-self-start"
          onClick={() => {
            // Move the focus first: the pressed button disappears with the filters.
            panel.current?.querySelector('select')?.focus()
            go(NO_FILTER)
          }}
        >
          {ticketsText.clear}
        </Button>
      )}
    </div>
  )
}

const withCount = (words: string, count: number | undefined) =>
  count === undefined ? words : `${words} (${count})`
