import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { describeLine } from './queue-line.ts'

const QueuePopover = lazy(() =>
  import('./queue-popover.tsx').then((module) => ({ default: module.QueuePopover })),
)

/** What is being built and how many wait; pressed, it shows the line. */
export function QueueIndicator({ projectId }: { projectId: string }) {
  const queue = useQuery(queueQuery(projectId)).data
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const runId = queue?.running?.runId ?? null
  useEffect(() => {
    // A queued build began or ended by itself: the tickets say so too.
    void client.invalidateQueries({ queryKey: queryKeys.tickets.all })
  }, [client, runId])
  const words = describeLine(queue)
  // Stays while it is open: the last ticket may have just left the line.
  if (!queue || (words === null && !isOpen)) return null
  return (
    <Suspense>
      <QueuePopover projectId={projectId} queue={queue} words={words} isOpen={isOpen} onOpen={setOpen} />
    </Suspense>
  )
}
