import type { WebhookEndpoint } from '@slipway/sdk/client/types.gen.ts'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { projectsQuery } from '../../../api/project/projects.ts'
import { createTestTicket } from '../../../api/organization/webhooks.ts'
import { href } from '../../../routes.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { FailureNote, LoadFailure } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { ProjectPicker } from '../project-picker.tsx'
import { EventOutcome } from './event-outcome.tsx'
import { subscribesToNewTickets } from './events.ts'

const webhookEventText = webhooksText.event

export function RealEvent({ webhooks }: { webhooks: WebhookEndpoint[] }) {
  const projects = useInfiniteQuery(projectsQuery())
  const first = projects.data?.pages[0]?.items[0]
  const [chosen, setChosen] = useState<string | null>(null)
  const projectId = chosen ?? first?.id ?? null
  const create = useMutation({
    mutationFn: async (project: string) => {
      const ticket = await createTestTicket(project, webhookEventText.ticket)
      return { projectId: project, ticketId: ticket.id, createdAt: ticket.createdAt }
    },
  })
  if (!projects.data) return <LoadFailure query={projects} />
  if (first === undefined)
    return (
      <p>
        {webhookEventText.noProject}{' '}
        <a href={href.projects()} className="text-kumo-link underline">
          {webhookEventText.toProjects}
        </a>
      </p>
    )
  return (
    <>
      <div className="sm:max-w-80">
        <ProjectPicker label={webhookEventText.project} value={projectId} onChange={setChosen} />
      </div>
      <p className="text-[13px] text-kumo-subtle">{webhookEventText.consequence}</p>
      <ReasonButton
        reason={webhooks.some(subscribesToNewTickets) ? null : webhookEventText.nobodyListens}
        loading={create.isPending}
        onClick={() => projectId && create.mutate(projectId)}
      >
        {webhookEventText.submit}
      </ReasonButton>
      {create.isError && <FailureNote error={create.error} />}
      {create.data && <EventOutcome key={create.data.ticketId} {...create.data} />}
    </>
  )
}
