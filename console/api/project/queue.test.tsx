import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../../testing/console.tsx'
import { addToQueue } from './queue.ts'

test('adding more tickets to the build queue than one request may contain sends several requests in the same order', async () => {
  const ids = Array.from({ length: 201 }, (_, n) => `tkt_${n}`)
  const sizes: number[] = []
  serve({
    'POST /projects/prj_1/build/queue': ({ body }) => {
      const { ticketIds } = body as { ticketIds: string[] }
      sizes.push(ticketIds.length)
      const [first, ...others] = ticketIds
      return {
        queued: others,
        skipped: [{ ticketId: first, reason: 'queued' }],
        openQuestions: [],
      }
    },
  })
  const { queued, skipped } = await addToQueue('prj_1', ids)
  assert.deepEqual(sizes, [100, 100, 1])
  assert.deepEqual(
    skipped.map(({ ticketId }) => ticketId),
    ['tkt_0', 'tkt_100', 'tkt_200'],
  )
  assert.deepEqual(
    queued,
    ids.filter((_, n) => n % 100 !== 0),
  )
})
