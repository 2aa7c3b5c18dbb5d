import {
  CheckCircleIcon,
  CircleDashedIcon,
  CircleHalfIcon,
  CircleIcon,
  CircleNotchIcon,
  XCircleIcon,
} from '@phosphor-icons/react'
import type { ComponentType } from 'react'
import type { TicketStatus } from '../../api/types.ts'

const STATUS_ICONS: Record<
  TicketStatus,
  {
    icon: ComponentType<{ className?: string; weight?: 'fill' | 'regular' }>
    colour: string
    filled?: boolean
  }
> = {
  backlog: { icon: CircleDashedIcon, colour: 'text-kumo-subtle' },
  todo: { icon: CircleIcon, colour: 'text-kumo-subtle' },
  in_progress: { icon: CircleNotchIcon, colour: 'text-kumo-warning' },
  in_review: { icon: CircleHalfIcon, colour: 'text-tide', filled: true },
  done: { icon: CheckCircleIcon, colour: 'text-added', filled: true },
  cancelled: { icon: XCircleIcon, colour: 'text-kumo-subtle' },
}

/** A ticket status as an icon with its own shape and colour. The caller shows the name beside it. */
export function StatusIcon({ status, className = '' }: { status: TicketStatus; className?: string }) {
  const { icon: Icon, colour, filled = false } = STATUS_ICONS[status]
  return (
    <span aria-hidden="true" className={`inline-grid ${className} ${colour}`}>
      <Icon className="size-full" weight={filled ? 'fill' : 'regular'} />
    </span>
  )
}
