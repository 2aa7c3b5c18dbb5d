import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BuildQueue, Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { notify, notifyFailure } from '../../../shell/toasts/toasts.ts'
import { askForAnswer } from '../questions/answer-request.ts'
import { decideBuild } from './decide-build.ts'
import { progressOf, startBuild, viewOf } from '../follow/build-follower.ts'
import { describeQueued } from '../queue/queue-line.ts'
import { useBuildPart } from '../follow/use-build.ts'
import { useAddToQueue } from '../queue/use-queue.ts'

/** Returns the function that builds a ticket, leads to its questions, queues it, or says why it can do none of them. */
export function useBuildTicket(projectId: string) {
  const client = useQueryClient()
  const add = useAddToQueue(projectId)
  const queue = (ticket: Ticket) =>
    add.mutate([ticket.id], {
      onSuccess: (answer) => {
        const { sentence, skipped } = describeQueued(answer, () => ticket.title)
        notify([sentence, ...skipped.map(({ why }) => why)].join('. '))
      },
      onError: notifyFailure,
    })
  const build = (ticket: Ticket) => {
    if (add.isPending) return
    const known = client.getQueryData<BuildQueue>(queueQuery(projectId).queryKey)
    const { kind, reason } = decideBuild(ticket, progressOf(viewOf(ticket.id)), known)
    if (reason !== null) return notify(reason)
    if (kind === 'answer') askForAnswer()
    // Another one may have begun a moment ago: then this one waits behind it.
    if (kind === 'build') startBuild(projectId, ticket.id, { onBusy: () => queue(ticket) })
    if (kind === 'queue') queue(ticket)
  }
  return { build, isBusy: add.isPending }
}

/** What Build does for this ticket now, and the function that does it. */
export function useBuildAction(project: Project, ticket: Ticket | null) {
  const followed = useBuildPart(ticket?.id ?? null, progressOf)
  const queue = useQuery(queueQuery(project.id)).data
  const { build, isBusy } = useBuildTicket(project.id)
  const action = decideBuild(ticket, followed, queue)
  return { action, act: () => ticket && build(ticket), isBusy }
}
