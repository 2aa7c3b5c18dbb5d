import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

interface NoticeProps {
  /** Screen readers announce `bad` at once. */
  kind?: 'bad' | 'warn' | 'good' | undefined
  children: ReactNode
}

/** A message beside the place where the person acted: an error, a warning, or a success message that stays. */
export function Notice({ kind = 'bad', children }: NoticeProps) {
  return (
    <p className={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={kind === 'good' ? 'check' : 'alert'} />
      {children}
    </p>
  )
}
