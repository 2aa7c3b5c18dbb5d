import { LinkButton } from '@cloudflare/kumo/components/button'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectQuery } from '../../../api/project/projects.ts'
import { href } from '../../../routes.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'

const emptyActionsText = capabilitiesText.emptyActions

export function LiveEmpty(props: {
  projectId: string
  icon: ReactNode
  title: string
  hint: string
  next: 'ticket' | 'app'
  level?: 'h2' | 'h3'
}) {
  const { projectId, next, ...note } = props
  const url = useQuery(projectQuery(projectId)).data?.url ?? null
  return (
    <EmptyNote
      {...note}
      action={
        next === 'ticket' ? (
          <LinkButton variant="secondary" href={href.project(projectId, { pane: 'tickets' })}>
            {emptyActionsText.ticket}
          </LinkButton>
        ) : (
          url !== null && (
            <LinkButton variant="secondary" href={url} target="_blank" rel="noopener noreferrer">
              {emptyActionsText.app}
            </LinkButton>
          )
        )
      }
    />
  )
}
