import {
  CellSignalHighIcon,
  CellSignalLowIcon,
  CellSignalMediumIcon,
  CellSignalNoneIcon,
  type Icon,
  WarningIcon,
} from '@phosphor-icons/react'
import type { TicketPriority } from '../../../api/types.ts'
import { workText } from '../../../text/workspace.en.ts'

const PRIORITY_ICONS: Record<TicketPriority, Icon> = {
  none: CellSignalNoneIcon,
  low: CellSignalLowIcon,
  medium: CellSignalMediumIcon,
  high: CellSignalHighIcon,
  urgent: WarningIcon,
}

export function PriorityMark({ priority }: { priority: TicketPriority }) {
  return (
    <span className="inline-flex items-center gap-1">
      <PriorityIcon priority={priority} />
      {workText.tickets.priority[priority]}
    </span>
  )
}

/** Only the bars of a priority: the caller shows its name beside them. */
export function PriorityIcon({ priority }: { priority: TicketPriority }) {
  const Shape = PRIORITY_ICONS[priority]
  return <Shape className={`size-4 ${priority === 'urgent' ? 'text-removed' : ''}`} aria-hidden="true" />
}
