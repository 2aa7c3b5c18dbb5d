import type { ReactNode } from 'react'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'

export function SettingsHeader({ title, lead, action }: { title: string; lead: string; action?: ReactNode }) {
  usePageTitle(title)
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80 space-y-1">
        <PageHeading>{title}</PageHeading>
        <p className="text-kumo-subtle">{lead}</p>
      </div>
      {action}
    </div>
  )
}
