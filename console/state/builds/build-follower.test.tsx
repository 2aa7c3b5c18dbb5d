import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, mock, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { Refusal, serve } from '../../testing/console.tsx'
import { followBuild, startBuild, buildViewOf, watchVisibility } from './build-follower.ts'

const RUN = { build: { state: 'running', runId: 'run_1' } }
const streamOf = (ticketId: string) => `POST /projects/prj_1/tickets/${ticketId}/build/stream`

/** Returns an event stream that sends the event with the run id, and then stays open. */
const openStream = (run: string, onOpen: (stream: ReadableStreamDefaultController) => void = () => {}) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(
          new TextEncoder().encode(`id: 1\ndata: ${JSON.stringify({ type: 'run', run, seq: 1 })}\n\n`),
        )
        onOpen(controller)
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )

describe('following builds', () => {
  test('opening a running build does not cancel the request that starts another build', async () => {
    const read = Promise.withResolvers<object>()
    const calls = serve({
      'GET /projects/prj_1/tickets/tkt_new': () => read.promise,
      [streamOf('tkt_new')]: () => openStream('run_new'),
      [streamOf('tkt_old')]: () => openStream('run_old'),
    })
    startBuild('prj_1', 'tkt_new')
    followBuild('prj_1', 'tkt_old', 'run_old', true)
    read.resolve({ build: { state: 'idle', runId: null } })
    await waitFor(() => assert.equal(calls[streamOf('tkt_new')]?.length, 1))
    // A tab keeps only the stream of the build on screen open. The stream of the new build is closed only after the stream has named the
    // run, because before that the build may not exist yet.
    await waitFor(() => assert.equal(buildViewOf('tkt_new')?.isFollowing, false))
    assert.deepEqual(
      [buildViewOf('tkt_new')?.state.run, buildViewOf('tkt_old')?.isFollowing],
      ['run_new', true],
    )
  })

  test('when a build cannot start because another one runs, `onBusy` is called even if the user has the running one open', async () => {
    const read = Promise.withResolvers<object>()
    serve({
      'GET /projects/prj_1/tickets/tkt_late': () => read.promise,
      [streamOf('tkt_late')]: () => new Refusal(409, 'conflict', 'Another build is running.'),
      [streamOf('tkt_first')]: () => openStream('run_first'),
    })
    let queued = 0
    startBuild('prj_1', 'tkt_late', { onBusy: () => queued++ })
    followBuild('prj_1', 'tkt_first', 'run_first', true)
    read.resolve(RUN)
    await waitFor(() => assert.equal(queued, 1))
  })

  test('a hidden tab that comes back online reconnects its build stream only when the tab is shown', async (t) => {
    t.after(() => Reflect.deleteProperty(document, 'hidden'))
    const hide = (hidden: boolean) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const open: ReadableStreamDefaultController[] = []
    const calls = serve({
      [streamOf('tkt_hidden')]: () => openStream('run_hidden', (stream) => open.push(stream)),
    })
    const unwatch = watchVisibility()
    followBuild('prj_1', 'tkt_hidden', 'run_hidden', true)
    await waitFor(() => assert.equal(buildViewOf('tkt_hidden')?.state.phase, 'running'))
    mock.timers.enable({ apis: ['setTimeout'] })
    hide(true)
    mock.timers.tick(30_000)
    mock.timers.reset()
    // A browser ends the response body of an aborted request with an `AbortError`.
    open[0]?.error(new DOMException('aborted', 'AbortError'))
    await waitFor(() => assert.equal(buildViewOf('tkt_hidden')?.isFollowing, false))
    dispatchEvent(new Event('online'))
    await sleep(50)
    assert.equal(calls[streamOf('tkt_hidden')]?.length, 1)
    hide(false)
    await waitFor(() => assert.equal(calls[streamOf('tkt_hidden')]?.length, 2))
    unwatch()
  })
})
