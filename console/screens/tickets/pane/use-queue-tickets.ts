import { notify, notifyFailure } from '../../../shell/toasts/toasts.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { describeQueued } from '../../builds/queue/queue-line.ts'
import { useAddToQueue } from '../../builds/queue/use-queue.ts'

/** The most tickets that the service accepts in one request. */
const MOST = 100

export function useQueueTickets(projectId: string): (ids: string[]) => void {
  const adding = useAddToQueue(projectId)
  return (ids) =>
    adding.mutate(ids.slice(0, MOST), {
      onSuccess: (answer) => {
        const { sentence, skipped } = describeQueued(answer, () => undefined)
        const reason = [...new Set(skipped.map(({ why }) => why))].join(' ')
        notify(reason ? ticketsText.build.queuedPartly(sentence, reason) : sentence)
      },
      onError: notifyFailure,
    })
}
