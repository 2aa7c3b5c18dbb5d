import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

/** What went wrong, at the place where a person acted; announced at once. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="notice notice-bad" role="alert">
      <Icon name="alert" />
      {children}
    </p>
  )
}
