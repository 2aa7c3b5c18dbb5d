import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BuildQueue, Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { notify, notifyFailure } from '../../../shell/toasts/toasts.ts'
import { askForAnswer } from '../questions/answer-request.ts'
import { decideBuild } from './decide-build.ts'
import { progressOf, startBuild, viewOf } from '../../../state/builds/build-follower.ts'
import { describeQueued } from '../queue/queue-line.ts'
import { useBuildPart } from '../../../state/builds/use-build.ts'
import { useAddToQueue } from '../queue/use-queue.ts'

/**
 * Returns a function that builds a ticket, focuses its questions, queues it, or shows why none of these is
 * possible.
 */
export function useBuildTicket(projectId: string) {
  const client = useQueryClient()
  const add = useAddToQueue(projectId)
  // Uses `mutateAsync`, because React Query drops the callbacks of `mutate` when another call follows.
  const queue = async (ticket: Ticket) => {
    try {
      const { sentence, skipped } = describeQueued(await add.mutateAsync([ticket.id]), () => ticket.title)
      notify([sentence, ...skipped.map(({ why }) => why)].join('. '))
    } catch (error) {
      notifyFailure(error)
    }
  }
  const build = (ticket: Ticket) => {
    if (add.isPending && add.variables.includes(ticket.id)) return
    const known = client.getQueryData<BuildQueue>(queueQuery(projectId).queryKey)
    const { kind, reason } = decideBuild(ticket, progressOf(viewOf(ticket.id)), known)
    if (reason !== null) return notify(reason)
    if (kind === 'answer') askForAnswer()
    // Queue the ticket when another build has started since the queue was read.
    if (kind === 'build') startBuild(projectId, ticket.id, { onBusy: () => void queue(ticket) })
    if (kind === 'queue') void queue(ticket)
  }
  return { build, isBusy: add.isPending }
}

export function useBuildAction(project: Project, ticket: Ticket | null) {
  const followed = useBuildPart(ticket?.id ?? null, progressOf)
  const queue = useQuery(queueQuery(project.id)).data
  const { build, isBusy } = useBuildTicket(project.id)
  const action = decideBuild(ticket, followed, queue)
  return { action, act: () => ticket && build(ticket), isBusy }
}
