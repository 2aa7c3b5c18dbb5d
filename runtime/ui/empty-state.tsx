import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  action?: ReactNode
  icon?: Exclude<IconName, 'grip' | 'next'> | undefined
}

/** Shown while there is no content: one sentence and one action. */
export function EmptyState({ title, children, action, icon = 'inbox' }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon" data-icon={icon} aria-hidden="true">
        <Icon name={icon} size={26} />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}
