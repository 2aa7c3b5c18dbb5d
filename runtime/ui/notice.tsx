import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

interface NoticeProps {
  /** `bad` is announced to screen readers at once. */
  kind?: 'bad' | 'warn' | 'good' | undefined
  children: ReactNode
}

/** What a person has to know at the place where they acted: a refusal, a warning, a success that stays. */
export function Notice({ kind = 'bad', children }: NoticeProps) {
  return (
    <p className={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={kind === 'good' ? 'check' : 'alert'} />
      {children}
    </p>
  )
}
