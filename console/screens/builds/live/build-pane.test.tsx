import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { BuildFrame } from '@slipway/sdk/frames.ts'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { followBuild, buildViewOf, startBuild } from '../../../state/builds/build-follower.ts'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { BuildPane } from './build-pane.tsx'

const PROJECT = { id: 'prj_1', name: 'Plants', lifecycle: 'offline' } as Project
const QUEUE = 'GET /projects/prj_1/build/queue'
const ADD_TO_QUEUE = 'POST /projects/prj_1/build/queue'
const USAGE = 'GET /projects/prj_1/usage'
const otherBuild = { ticketId: 'tkt_other', title: 'Another ticket', runId: 'run_other' }

const runFrame = (run: string, attempt = 1): BuildFrame => ({
  type: 'run',
  run,
  ticketId: 'tkt_1',
  attempt,
  trigger: 'stream',
  model: 'claude',
  generatedBy: 'test/claude',
})
const stepFrame = (n: number): BuildFrame => ({ type: 'step', n, limit: 40 })
const changedFile = { path: 'web/app.tsx', added: 3, removed: 1 }
const builtFrame = (run: string, changed = [changedFile]): BuildFrame => ({
  type: 'done',
  status: 'built',
  run,
  sha: 'abcdef1234567',
  summary: 'The plants are sorted.',
  changed,
})

/** A connection to a build stream. The fake service keeps the connection open until the test ends it. */
interface Connection {
  send: (...frames: BuildFrame[]) => Promise<void>
  drop: () => Promise<void>
}

function openConnection(after: number, onOpen: (connection: Connection) => void): Response {
  let seq = after
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const frameText = (frame: BuildFrame) => `data: ${JSON.stringify({ ...frame, seq: ++seq })}\n\n`
      onOpen({
        send: (...frames) =>
          act(async () => {
            for (const frame of frames) controller.enqueue(new TextEncoder().encode(frameText(frame)))
            await setImmediate()
            // The page renders the received stream events once per animation frame.
            await new Promise(requestAnimationFrame)
          }),
        drop: () => act(async () => controller.close()),
      })
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

let lastTicket = 0

/**
 * Serves a ticket with a stream of its build. Each test has its own ticket, because the followed builds are kept outside of
 * the components. `refusals` are the responses to the first requests that open the stream.
 */
function serveBuild({
  ticket: part = {},
  refusals = [],
  answers = {},
}: { ticket?: Partial<Ticket>; refusals?: Refusal[]; answers?: Record<string, () => unknown> } = {}) {
  lastTicket += 1
  const id = `tkt_pane_${lastTicket}`
  const run = `run_pane_${lastTicket}`
  const build = { state: 'idle', runId: null, outcome: null, refused: null } as const
  const ticket = testTicket(id, { title: 'Sort the plants', build, ...part })
  const stream = `POST /projects/prj_1/tickets/${id}/build/stream`
  const opened: Connection[] = []
  const calls = serve({
    [`GET /projects/prj_1/tickets/${id}`]: () => ticket,
    [QUEUE]: () => ({ running: null, queued: [] }),
    [USAGE]: () => ({ medianBuild: null }),
    'GET /projects/prj_1/deploy': () => ({ state: 'none' }),
    [stream]: ({ body }) => {
      const refusal = refusals.shift()
      if (refusal) return refusal
      const { after = 0 } = body as { after?: number }
      return openConnection(after, (connection) => opened.push(connection))
    },
    ...answers,
  })
  const connection = async (n = 1) => {
    await waitFor(() => assert.ok(opened.length >= n), { timeout: 3000 })
    return opened[n - 1] as Connection
  }
  return { ticket, run, calls, connection, streams: () => sent(calls, stream) }
}

const showPane = (ticket: Ticket) => show(<BuildPane project={PROJECT} ticket={ticket} />)

/** Shows the pane of a ticket with a running build that has one step. */
async function showRunning(options: Parameters<typeof serveBuild>[0] = {}) {
  const served = serveBuild(options)
  startBuild('prj_1', served.ticket.id)
  showPane(served.ticket)
  const { send, drop } = await served.connection()
  await send(runFrame(served.run), stepFrame(1))
  await screen.findByText('Step 1 of at most 40')
  return { ...served, send, drop }
}

/** The text that a screen reader announces about the progress of the build. */
const spoken = () =>
  screen
    .getAllByRole('status')
    .filter((region) => region.className === 'sr-only')
    .map(({ textContent }) => textContent)
    .join('')
const logIsFolded = () => screen.getByText('Build log, step by step').closest('details')?.open === false

describe('the build tab of a ticket that was never built', () => {
  test('the build tab explains builds, and its button starts a build and shows the progress', async () => {
    const { ticket, run, connection, streams } = serveBuild()
    showPane(ticket)
    assert.ok(isThere('heading', 'Not built yet'))
    assert.ok(isShown(/commits it only when everything is green/))
    press('Build this ticket')
    assert.ok(isShown('Starting'))
    const { send } = await connection()
    assert.deepEqual(streams(), [{}])
    await send(runFrame(run), stepFrame(1))
    assert.ok(await screen.findByText('Step 1 of at most 40'))
    assert.ok(!isThere('heading', 'Not built yet'))
  })

  test('the build tab shows the estimated tokens of the first build, and a price only when the price is known', async () => {
    for (const [costUsd, words] of [
      [0.25, /used at most 12\.0k tokens, about \$0\.25 at list prices\.$/],
      [null, /used at most 12\.0k tokens\.$/],
    ] as const) {
      const medianBuild = { builds: 3, tokens: 12_000, costUsd }
      const { ticket } = serveBuild({ answers: { [USAGE]: () => ({ medianBuild }) } })
      showPane(ticket)
      await screen.findByText(words)
      cleanup()
      queryClient.clear()
    }
  })

  test('a ticket can be built even if the usage for the estimate cannot be read', async () => {
    const { ticket, calls } = serveBuild({
      answers: { [USAGE]: () => new Refusal(403, 'forbidden', 'You may not.') },
    })
    showPane(ticket)
    await waitFor(() => assert.equal(calls[USAGE]?.length, 1))
    await untilSent()
    assert.ok(isThere('button', 'Build this ticket'))
    assert.ok(!isThere('alert'))
    assert.ok(!isShown(/tokens/))
  })

  test('an epic has no build button, and the build tab says why', () => {
    const { ticket } = serveBuild({ ticket: { type: 'epic' } })
    showPane(ticket)
    assert.ok(isShown('An epic groups tickets and is never built itself'))
    assert.ok(!isThere('button'))
  })

  test('a queued ticket shows its place in the queue instead of a build button', async () => {
    const { ticket } = serveBuild({
      answers: {
        [QUEUE]: () => ({
          running: otherBuild,
          queued: [{ ticketId: `tkt_pane_${lastTicket}`, title: 'Sort', position: 1, waiting: null }],
        }),
      },
    })
    showPane(ticket)
    await screen.findByText('Number 1 of 1 in the queue.')
    assert.ok(isThere('button', 'Leave the queue'))
    await waitFor(() => assert.ok(!isThere('button', 'Build this ticket')))
  })

  test('while another ticket is being built, the button of the build tab adds the ticket to the queue', async () => {
    const { ticket, calls, streams } = serveBuild({
      answers: {
        [QUEUE]: () => ({ running: otherBuild, queued: [] }),
        [ADD_TO_QUEUE]: () => ({ queued: [{}], skipped: [], openQuestions: [] }),
      },
    })
    showPane(ticket)
    await screen.findByRole('button', { name: 'Add to queue' })
    press('Add to queue')
    await waitFor(() => assert.deepEqual(sent(calls, ADD_TO_QUEUE), [{ ticketIds: [ticket.id] }]))
    assert.deepEqual(streams(), [])
  })
})

describe('the build tab while a build runs', () => {
  test('a running build shows its log and a field for corrections, and a finished one shows its result and a folded log', async () => {
    const { send, run } = await showRunning()
    assert.ok(isThere('region', 'Build log'))
    assert.ok(isThere('textbox', 'Correct this build'))
    assert.ok(!isThere('heading', 'Ready'))
    await send({ type: 'delta', text: 'Sorting by name.' }, builtFrame(run))
    assert.ok(await screen.findByRole('heading', { name: 'Ready' }))
    assert.ok(isShown('The plants are sorted.'))
    assert.ok(!isThere('textbox', 'Correct this build'))
    assert.ok(!isThere('button', 'Stop'))
    assert.ok(logIsFolded())
    assert.equal(screen.getAllByRole('log').length, 1, 'the log is shown once')
    assert.ok(screen.getAllByText('web/app.tsx').length > 0)
  })

  test('a build that stopped before its first step has no log to unfold', async () => {
    const served = serveBuild()
    startBuild('prj_1', served.ticket.id)
    showPane(served.ticket)
    const { send } = await served.connection()
    await send(runFrame(served.run), { type: 'done', status: 'cancelled', run: served.run })
    assert.ok(
      await screen.findByRole('heading', { name: 'Stopped. Your app is as it was before this build.' }),
    )
    assert.ok(!isShown('Build log, step by step'))
  })

  test('model output of a build that looks like markup is shown as text', async () => {
    const { send } = await showRunning()
    await send({ type: 'delta', text: '<img src=x onerror="alert(1)">' })
    assert.ok(await screen.findByText(/<img src=x/))
    assert.ok(document.querySelector('img') === null)
  })

  test('an unsent correction of a build is still in its field while the next build of the ticket runs', async () => {
    const { ticket, send, run, connection } = await showRunning()
    write('Correct this build', 'Use blue')
    await send(builtFrame(run))
    await screen.findByRole('heading', { name: 'Ready' })
    act(() => startBuild('prj_1', ticket.id))
    const next = await connection(2)
    await next.send(runFrame(`${run}_next`))
    assert.equal((await screen.findByLabelText<HTMLTextAreaElement>('Correct this build')).value, 'Use blue')
  })

  test('a build that is being stopped when the service restarts can be stopped again in its next attempt', async () => {
    const cancel = `POST /projects/prj_1/tickets/tkt_pane_${lastTicket + 1}/build/cancel`
    const { send, calls } = await showRunning({ answers: { [cancel]: () => null } })
    press('Stop')
    await screen.findByRole('button', { name: /Stopping/ })
    await send({ type: 'resuming' }, runFrame('run_second', 2))
    await screen.findByText('Attempt 2: continued after a restart')
    press('Stop')
    await waitFor(() => assert.equal(calls[cancel]?.length, 2))
  })
})

describe('what the build tab tells a screen reader', () => {
  test('screen readers announce the phase or step of a build, and then the file that the build writes', async (t) => {
    const served = serveBuild()
    startBuild('prj_1', served.ticket.id)
    const { send } = await served.connection()
    await send(runFrame(served.run))
    await waitFor(() => assert.equal(buildViewOf(served.ticket.id)?.state.phase, 'running'))
    // The announcements are five seconds apart.
    t.mock.timers.enable({ apis: ['setInterval'] })
    showPane(served.ticket)
    const heardAfter = async (...frames: BuildFrame[]) => {
      const { seq } = buildViewOf(served.ticket.id)?.state ?? { seq: 0 }
      await send(...frames)
      while ((buildViewOf(served.ticket.id)?.state.seq ?? 0) < seq + frames.length) await untilSent()
      act(() => t.mock.timers.tick(5000))
      return spoken()
    }
    assert.equal(await heardAfter(), 'Building')
    assert.equal(await heardAfter(stepFrame(1)), 'Step 1')
    const writing = { type: 'delta', tool: 'write_file', path: 'web/form.tsx', toolChars: 10 } as const
    assert.equal(await heardAfter(writing), 'Step 1: writing web/form.tsx')
    const read = { id: 'call_1', name: 'read_file', args: { path: 'app.json' }, ok: true, result: '', ms: 1 }
    assert.equal(await heardAfter({ type: 'tool', ...read }), 'Step 1: writing app.json')
  })

  test('the end of a build is announced at once, with the number of changed files', async () => {
    const { send, run } = await showRunning()
    assert.equal(spoken(), '')
    await send(builtFrame(run))
    await waitFor(() => assert.equal(spoken(), 'Build finished, 1 file changed'))
  })

  test('screen readers announce that a build failed or asks a question', async () => {
    const failed = await showRunning()
    await failed.send({ type: 'error', kind: 'stuck', message: 'In circles.', retryable: true })
    await waitFor(() => assert.equal(spoken(), 'The build did not finish. Your app is as it was before.'))
    document.body.replaceChildren()
    const asking = await showRunning()
    const questions = [{ id: 'q', question: 'By name or by age?', options: ['Name', 'Age'], default: 'Name' }]
    await asking.send({ type: 'question', questions }, { type: 'done', status: 'awaiting', run: asking.run })
    await waitFor(() => assert.equal(spoken(), 'It asks a question first'))
    assert.ok(isThere('group', 'By name or by age?'))
  })
})

describe('the build tab of a stored build', () => {
  test('a stored build is shown only after all of its events are loaded, so that no old step appears to be running', async () => {
    const served = serveBuild({
      ticket: { build: { state: 'idle', runId: `run_pane_${lastTicket + 1}`, outcome: null, refused: null } },
    })
    showPane(served.ticket)
    assert.ok(isThere('status', 'Loading'))
    followBuild('prj_1', served.ticket.id, served.run, false)
    const { send } = await served.connection()
    assert.deepEqual(served.streams(), [{ run: served.run, after: 0 }])
    await send(runFrame(served.run), stepFrame(1))
    await untilSent()
    assert.ok(isThere('status', 'Loading'))
    assert.ok(!isShown(/Step 1/))
    await send(builtFrame(served.run))
    assert.ok(await screen.findByRole('heading', { name: 'Ready' }))
    assert.ok(!isThere('status', 'Loading'))
    assert.ok(logIsFolded())
  })
})

describe('the build tab when the connection to a running build breaks', () => {
  test('the build page reports a broken connection while it reconnects, and continues after the last received event', async () => {
    const { drop, connection, run, streams } = await showRunning()
    await drop()
    assert.ok(await screen.findByText('Connection lost. The build continues; reconnecting.'))
    const second = await connection(2)
    assert.deepEqual(streams()?.at(-1), { run, after: 2 })
    await second.send(stepFrame(2))
    assert.ok(await screen.findByText('Step 2 of at most 40'))
    assert.ok(!isShown(/Connection lost/))
  })

  test('a button reopens a refused connection to a build, and the earlier steps stay on screen', async () => {
    const refusals: Refusal[] = []
    const { drop, connection, run, streams } = await showRunning({ refusals })
    refusals.push(new Refusal(403, 'forbidden', 'You may not.'))
    await drop()
    assert.ok(await screen.findByText('Still no connection. The build continues without this page.'))
    assert.ok(isShown('Step 1 of at most 40'))
    press('Reconnect')
    const again = await connection(2)
    assert.deepEqual(streams()?.at(-1), { run, after: 2 })
    await again.send(builtFrame(run))
    assert.ok(await screen.findByRole('heading', { name: 'Ready' }))
    assert.ok(!isThere('button', 'Reconnect'))
  })

  test('a build that is interrupted by a restart of the service says so until its next attempt begins', async () => {
    const { send } = await showRunning()
    await send({ type: 'resuming' })
    assert.ok(await screen.findByText('The service restarted. Your build continues in a moment.'))
    assert.ok(!isThere('textbox', 'Correct this build'))
    await send(runFrame('run_resumed', 2))
    await waitFor(() => assert.ok(!isShown(/The service restarted/)))
    assert.ok(field('Correct this build'))
  })
})

describe('the build tab when the service refuses to start a build', () => {
  const showRefused = async (options: NonNullable<Parameters<typeof serveBuild>[0]>) => {
    const served = serveBuild(options)
    startBuild('prj_1', served.ticket.id)
    showPane(served.ticket)
    await screen.findByRole('alert')
    return served
  }
  const lastRun = { state: 'idle', runId: 'run_before', outcome: 'built', refused: null } as const

  test('a refused build shows the reason with the request id, and can be started again', async () => {
    const { connection, run } = await showRefused({
      refusals: [new Refusal(429, 'rate_limited', 'Too many builds in this hour.')],
    })
    await assertAlert(/The build did not start.*Too many builds in this hour.*req_test/)
    assert.ok(!isThere('button', 'Back to the last build'), 'there is no earlier build')
    press('Try again')
    const { send } = await connection()
    await send(runFrame(run), stepFrame(1))
    assert.ok(await screen.findByText('Step 1 of at most 40'))
  })

  test("a button in the message of a refused build shows the ticket's last build again", async () => {
    const { connection, streams } = await showRefused({
      ticket: { build: lastRun },
      refusals: [new Refusal(403, 'forbidden', 'You may not.')],
    })
    press('Back to the last build')
    const { send } = await connection()
    assert.deepEqual(streams()?.at(-1), { run: 'run_before', after: 0 })
    await send(runFrame('run_before'), builtFrame('run_before'))
    assert.ok(await screen.findByRole('heading', { name: 'Ready' }))
    assert.ok(!isThere('alert'))
  })

  test('a build that is refused because another build runs can be queued with one press', async () => {
    const { ticket, calls } = await showRefused({
      refusals: [new Refusal(409, 'conflict', 'Another build is running.')],
      answers: {
        [QUEUE]: () => ({ running: otherBuild, queued: [] }),
        [ADD_TO_QUEUE]: () => ({ queued: [{}], skipped: [], openQuestions: [] }),
      },
    })
    await screen.findByText('Another ticket is being built')
    const watch = screen.getByRole('link', { name: 'Watch the build of “Another ticket”' })
    assert.match(watch.getAttribute('href') ?? '', /ticket=tkt_other/)
    press('Add to queue')
    await waitFor(() => assert.deepEqual(sent(calls, ADD_TO_QUEUE), [{ ticketIds: [ticket.id] }]))
    await waitFor(() => assert.ok(isThere('heading', 'Not built yet')))
  })

  test('a build that is refused because no model is connected offers to connect one', async () => {
    await showRefused({ refusals: [new Refusal(409, 'model_required', 'No model.')] })
    await assertAlert(/Connect a model first.*your request continues/)
    assert.ok(!isThere('button', 'Try again'))
  })
})
