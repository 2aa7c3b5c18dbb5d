import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BuildQueue, Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { notify, notifyFailure } from '../../../shell/toasts/toasts.ts'
import { askForAnswer } from '../questions/answer-request.ts'
import { buildActionFor } from './build-action.ts'
import { isBuilding, startBuild, viewOf } from '../follow/build-follower.ts'
import { describeQueued } from '../queue/queue-line.ts'
import { useBuildPart } from '../follow/use-build.ts'
import { useAddToQueue } from '../queue/use-queue.ts'

/** Builds a ticket, answers its questions or queues it, whichever is possible now; else it says why not. */
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
    const view = viewOf(ticket.id)
    const { kind, reason } = buildActionFor(ticket, {
      isBuilding: isBuilding(view),
      isAsking: view?.state.phase === 'awaiting',
      queue: client.getQueryData<BuildQueue>(queueQuery(projectId).queryKey),
    })
    if (reason !== null) return notify(reason)
    if (kind === 'answer') askForAnswer()
    // Another one may have begun a moment ago: then this one waits behind it.
    if (kind === 'build') startBuild(projectId, ticket.id, { onBusy: () => queue(ticket) })
    if (kind === 'queue') queue(ticket)
  }
  return { build, isBusy: add.isPending }
}

/** What can be done about building a ticket now, and the doing of it. */
export function useBuildAction(project: Project, ticket: Ticket | null) {
  const ticketId = ticket?.id ?? null
  const building = useBuildPart(ticketId, isBuilding)
  const isAsking = useBuildPart(ticketId, (view) => view?.state.phase === 'awaiting')
  const queue = useQuery(queueQuery(project.id)).data
  const { build, isBusy } = useBuildTicket(project.id)
  const action = buildActionFor(ticket, { isBuilding: building, isAsking, queue })
  return { action, act: () => ticket && build(ticket), isBusy }
}
