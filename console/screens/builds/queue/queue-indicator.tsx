import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { describeLine } from './queue-line.ts'

const QueuePopover = lazy(() =>
  import('./queue-popover.tsx').then((module) => ({ default: module.QueuePopover })),
)

export function QueueIndicator({ projectId }: { projectId: string }) {
  const queue = useQuery(queueQuery(projectId)).data
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  // Undefined until the queue is loaded. The first value is not a change, because the page reads the tickets at the same time.
  const runId = queue && (queue.running?.runId ?? null)
  const knownRunId = useRef(runId)
  useEffect(() => {
    const before = knownRunId.current
    knownRunId.current = runId
    if (before === undefined || runId === undefined || before === runId) return
    // A queued build started or ended, so refetch the tickets too.
    void client.invalidateQueries({ queryKey: queryKeys.tickets.all })
  }, [client, runId])
  const words = describeLine(queue)
  // Keep an open popover mounted even when the last ticket has left the queue.
  if (!queue || (words === null && !isOpen)) return null
  return (
    <Suspense>
      <QueuePopover projectId={projectId} queue={queue} words={words} isOpen={isOpen} onOpen={setOpen} />
    </Suspense>
  )
}
