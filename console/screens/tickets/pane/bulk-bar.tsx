import { XIcon } from '@phosphor-icons/react'
import { useRef } from 'react'
import { useShortcut } from '../../../shell/keys/shortcuts.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { useMarked } from '../../../state/tickets/mark-store.ts'

export function BulkBar({ onQueue }: { onQueue: (ids: string[]) => void }) {
  const { marks, open } = usePane()
  const ids = [...useMarked(marks)]
  const bar = useRef<HTMLElement>(null)
  const clear = () => {
    const at = marks.cursor()
    // The bar disappears, so the focus that it had returns to the ticket at the cursor.
    if (at !== null && bar.current?.contains(document.activeElement)) marks.focus(at)
    marks.clear()
  }
  useShortcut('up', clear, ids.length > 0)
  if (ids.length === 0) return null
  const menu = (kind: 'status' | 'priority') => (event: React.MouseEvent<HTMLButtonElement>) =>
    open({ kind, ids, anchor: event.currentTarget })
  return (
    <section
      ref={bar}
      aria-label={ticketsText.bulk.label}
      className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-tide-line bg-tide-tint px-2 py-1.5"
    >
      <span className="px-1 text-[13px] font-medium text-kumo-strong tabular-nums" role="status">
        {ticketsText.bulk.count(ids.length)}
      </span>
      <Button size="sm" aria-haspopup="menu" data-bulk="status" onClick={menu('status')}>
        {ticketsText.bulk.status}
      </Button>
      <Button size="sm" aria-haspopup="menu" data-bulk="priority" onClick={menu('priority')}>
        {ticketsText.bulk.priority}
      </Button>
      <Button size="sm" aria-haspopup="dialog" onClick={() => open({ kind: 'labels', ids })}>
        {ticketsText.bulk.labels}
      </Button>
      <Button size="sm" onClick={() => onQueue(ids)}>
        {ticketsText.bulk.queue}
      </Button>
      <IconButton className="ml-auto" label={ticketsText.bulk.clear} icon={<XIcon />} onClick={clear} />
    </section>
  )
}
