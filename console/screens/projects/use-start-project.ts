import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { createProject } from '../../api/project/projects.ts'
import { isNotFound } from '../../api/request/query-client.ts'
import { captureTicket, ticketQuery } from '../../api/project/tickets.ts'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../routes.ts'

/** Creates a project with its first ticket from a sentence, starts the build and opens the workspace. */
export function useStartProject(onDone: (sentence: string) => void) {
  const router = useRouter()
  const client = useQueryClient()
  // A retry sends the same idempotency keys, so it creates no second project or ticket. When the person changes a refused sentence, only
  // the ticket's key is new: the sentence becomes a ticket of the same project.
  const attempt = useRef<{ sentence: string; projectKey: string; ticketKey: string } | null>(null)

  return useMutation({
    onMutate: () => router.latestLocation.pathname,
    mutationFn: async (sentence: string): Promise<{ project: Project; ticket: Ticket }> => {
      if (attempt.current?.sentence !== sentence) {
        const projectKey = attempt.current?.projectKey ?? `project-${crypto.randomUUID()}`
        attempt.current = { sentence, projectKey, ticketKey: `ticket-${crypto.randomUUID()}` }
      }
      const { projectKey, ticketKey } = attempt.current
      const project = await createProject({}, projectKey)
      const ticket = await captureTicket(project.id, sentence, ticketKey)
      return { project, ticket }
    },
    onError: (error) => {
      // The project of the earlier attempt was deleted, so the next attempt creates a new project.
      if (isNotFound(error)) attempt.current = null
    },
    onSuccess: async ({ project, ticket }, sentence, from) => {
      attempt.current = null
      client.setQueryData(ticketQuery(project.id, ticket.id).queryKey, ticket)
      void client.invalidateQueries({ queryKey: queryKeys.projects.all })
      // Import the stream reader only now: it belongs to the workspace, which is opened next.
      const { startBuild } = await import('../../state/builds/build-follower.ts')
      startBuild(project.id, ticket.id)
      onDone(sentence)
      // Stay when the user has opened another page meanwhile: the build continues, and the list of projects shows the new project.
      if (router.latestLocation.pathname !== from) return
      router.history.push(href.project(project.id, { ticket: ticket.id, tab: 'build' }))
    },
  })
}
