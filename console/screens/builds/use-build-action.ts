import { useQuery } from '@tanstack/react-query'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queueQuery } from '../../api/queue.ts'
import { notify, notifyFailure } from '../../shell/toasts.ts'
import { askForAnswer } from './answer-request.ts'
import { buildActionFor } from './build-action.ts'
import { isBuilding, startBuild } from './build-follower.ts'
import { describeQueued } from './queue-line.ts'
import { useBuildPart } from './use-build.ts'
import { useAddToQueue } from './use-queue.ts'

/** What can be done about building a ticket now, and the doing of it. */
export function useBuildAction(project: Project, ticket: Ticket | null) {
  const ticketId = ticket?.id ?? null
  const building = useBuildPart(ticketId, isBuilding)
  const isAsking = useBuildPart(ticketId, (view) => view?.state.phase === 'awaiting')
  const queue = useQuery(queueQuery(project.id)).data
  const add = useAddToQueue(project.id)
  const action = buildActionFor(ticket, { isBuilding: building, isAsking, queue })
  const act = () => {
    if (!ticket || add.isPending) return
    if (action.kind === 'answer') askForAnswer()
    if (action.kind === 'build') startBuild(project.id, ticket.id)
    if (action.kind === 'queue')
      add.mutate([ticket.id], {
        onSuccess: (answer) => {
          const { sentence, skipped } = describeQueued(answer, () => ticket.title)
          notify([sentence, ...skipped.map(({ why }) => why)].join('. '))
        },
        onError: notifyFailure,
      })
  }
  return { action, act, isBusy: add.isPending }
}
