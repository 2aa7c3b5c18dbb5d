import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { Refusal, serve } from '../../../testing/console.tsx'
import { attachBuild, startBuild, viewOf } from './build-follower.ts'

const RUN = { build: { state: 'running', runId: 'run_1' } }
const streamOf = (ticketId: string) => `POST /projects/prj_1/tickets/${ticketId}/build/stream`

/** Returns an event stream that sends the `run` frame and then stays open. */
const openStream = (run: string) =>
  new Response(
    new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          new TextEncoder().encode(`id: 1\ndata: ${JSON.stringify({ type: 'run', run, seq: 1 })}\n\n`),
        ),
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )

describe('following builds', () => {
  test('opening a running build while another build starts does not cancel the start', async () => {
    const read = Promise.withResolvers<object>()
    const calls = serve({
      'GET /projects/prj_1/tickets/tkt_new': () => read.promise,
      [streamOf('tkt_new')]: () => openStream('run_new'),
      [streamOf('tkt_old')]: () => openStream('run_old'),
    })
    startBuild('prj_1', 'tkt_new')
    attachBuild('prj_1', 'tkt_old', 'run_old', true)
    read.resolve({ build: { state: 'idle', runId: null } })
    await waitFor(() => assert.equal(calls[streamOf('tkt_new')]?.length, 1))
    // A tab keeps one stream open. The new build has its run, so its stream closes in favour of the build on
    // screen.
    await waitFor(() => assert.equal(viewOf('tkt_new')?.isFollowing, false))
    assert.deepEqual([viewOf('tkt_new')?.state.run, viewOf('tkt_old')?.isFollowing], ['run_new', true])
  })

  test('a start refused because of another build queues the ticket, even when that build was opened meanwhile', async () => {
    const read = Promise.withResolvers<object>()
    serve({
      'GET /projects/prj_1/tickets/tkt_late': () => read.promise,
      [streamOf('tkt_late')]: () => new Refusal(409, 'conflict', 'Another build is running.'),
      [streamOf('tkt_first')]: () => openStream('run_first'),
    })
    let queued = 0
    startBuild('prj_1', 'tkt_late', { onBusy: () => queued++ })
    attachBuild('prj_1', 'tkt_first', 'run_first', true)
    read.resolve(RUN)
    await waitFor(() => assert.equal(queued, 1))
  })
})
