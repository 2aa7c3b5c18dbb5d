import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import type { PlanFrame } from '@slipway/sdk/plan-stream.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { threadQuery } from '../../../api/project/plan.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { clearDrafts } from '../../../shell/clear-drafts.ts'
import { Refusal, sent, serve, untilSent } from '../../../testing/console.tsx'
import { awaitReply, finishedTurnOf, sendTurn, turnViews, closeStreamsWhenHidden } from './turn-follower.ts'
import { replyText } from './turn-state.ts'

const messageOf = (id: string, role: PlanMessage['role'], text: string, more: Partial<PlanMessage> = {}) => ({
  id,
  role,
  text,
  status: 'complete' as const,
  error: null,
  attachments: [],
  tickets: [],
  questions: [],
  model: null,
  usage: null,
  createdAt: '2026-11-20T10:30:00.000Z',
  ...more,
})
const FAILED = messageOf('msg_failed', 'agent', '', {
  status: 'failed',
  error: { kind: 'model_error', message: 'The model failed.' },
})
const DELTA: PlanFrame = { type: 'delta', text: 'Two tickets.' }

/** The function that ends the body of each response when the request is aborted. */
const aborts = new WeakMap<Response, () => void>()

/** An event stream that the test writes. */
function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) })
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  const state = { isAborted: false }
  const abort = () => {
    state.isAborted = true
    controller?.error(new DOMException('aborted', 'AbortError'))
  }
  aborts.set(response, abort)
  return {
    response,
    state,
    send: (frame: PlanFrame) =>
      controller?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`)),
    end: () => controller?.close(),
    fail: () => controller?.error(new TypeError('The network was lost.')),
  }
}

let lastProject = 0

/** Opens a separate project, because `turn-follower.ts` keeps the replies of all projects. `thread` is what the service has stored. */
function openProject(stored: PlanMessage[] = []) {
  lastProject += 1
  const id = `prj_turn_${lastProject}`
  const project = {
    id,
    stream: `POST /projects/${id}/plan/stream`,
    messages: `GET /projects/${id}/plan/messages`,
    thread: [...stored],
    readThread: (): unknown => ({
      items: project.thread.toReversed(),
      nextCursor: null,
      total: project.thread.length,
    }),
    view: () => turnViews.get().get(id),
    phase: () => turnViews.get().get(id)?.phase ?? null,
    text: () => replyText(turnViews.get().get(id)?.state ?? { parts: [], writing: null, tickets: [] }),
    load: () => queryClient.fetchQuery(threadQuery(id)),
    cached: () => queryClient.getQueryData(threadQuery(id).queryKey)?.messages.map((message) => message.id),
  }
  return project
}
type Project = ReturnType<typeof openProject>

/** Serves these projects. `answers` are the responses to their messages, in the order of the projects. */
function serveProjects(projects: Project[], ...answers: unknown[]) {
  const calls = serve(
    Object.fromEntries(
      projects.flatMap((project, at) => [
        [project.stream, () => answers[at]],
        [project.messages, () => project.readThread()],
      ]),
    ),
  )
  const served = globalThis.fetch
  // An aborted request rejects, or ends the body of its response, as in a browser.
  globalThis.fetch = async (input, init) => {
    const { signal } = input as Request
    const aborted = Promise.withResolvers<Response>()
    signal.addEventListener('abort', () => aborted.reject(signal.reason as Error))
    const response = await Promise.race([served(input, init), aborted.promise])
    signal.addEventListener('abort', () => aborts.get(response)?.())
    return response
  }
  return calls
}

const TURNS_MAX = 100

/** Waits until `check` no longer throws, without advancing the clock. */
async function until(check: () => void): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    try {
      return check()
    } catch {
      await untilSent()
    }
  }
  check()
}

/** Advances the clock to the next poll of the planning chat. */
const poll = async () => {
  mock.timers.tick(2000)
  await untilSent()
}

describe('following a reply of the plan agent', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => {
    clearDrafts(undefined)
    mock.timers.reset()
    Reflect.deleteProperty(document, 'hidden')
  })

  test('a sent plan message is shown at once, then its streamed reply, and finally the stored reply', async () => {
    const project = openProject()
    const stream = openStream()
    const calls = serveProjects([project], stream.response)
    const accepted = sendTurn(project.id, { text: 'A shop', attachments: ['att_1'] })
    assert.deepEqual(
      [project.phase(), project.view()?.said],
      ['sending', { text: 'A shop', attachments: ['att_1'] }],
    )
    await accepted
    assert.equal(project.phase(), 'answering')
    stream.send(DELTA)
    await until(() => assert.equal(project.text(), 'Two tickets.'))
    const reply = messageOf('msg_2', 'agent', 'Two tickets.')
    project.thread = [messageOf('msg_1', 'user', 'A shop'), reply]
    stream.send({ type: 'done', message: reply })
    await until(() => assert.equal(project.phase(), null))
    assert.deepEqual(sent(calls, project.stream), [{ text: 'A shop', attachments: ['att_1'] }])
    assert.deepEqual(finishedTurnOf('msg_2')?.parts, [{ kind: 'text', text: 'Two tickets.' }])
    assert.equal(finishedTurnOf('msg_1'), null)
  })

  test('sending a refused plan message rejects with the reason, waits for no reply and marks the planning chat as stale', async () => {
    const project = openProject()
    serveProjects([project], new Refusal(409, 'conflict', 'Busy.'))
    await project.load()
    await assert.rejects(sendTurn(project.id, { text: 'A shop' }), { code: 'conflict', message: 'Busy.' })
    assert.equal(project.phase(), null)
    assert.equal(queryClient.getQueryState(threadQuery(project.id).queryKey)?.isInvalidated, true)
  })

  describe('lost responses', () => {
    const sendLost = async (project: Project, order: object, after: () => void = () => {}) => {
      serve({
        [project.stream]: () => {
          after()
          throw new TypeError('fetch failed')
        },
        [project.messages]: () => project.readThread(),
      })
      await project.load().catch(() => {})
      const outcome = await sendTurn(project.id, order).then(
        () => 'accepted',
        (error: Error) => error.message,
      )
      return outcome
    }
    const LOST = 'The service did not respond.'
    const earlier = [messageOf('msg_1', 'user', 'A shop'), messageOf('msg_2', 'agent', 'Done.')]

    test('a plan message whose response is lost counts as accepted when the planning chat contains it, and its reply is awaited', async () => {
      const project = openProject(earlier)
      const outcome = await sendLost(project, { text: 'A shop' }, () => {
        project.thread.push(messageOf('msg_3', 'user', 'A shop'))
      })
      assert.equal(outcome, 'accepted')
      await until(() => assert.equal(project.phase(), 'apart'))
      project.thread.push(messageOf('msg_4', 'agent', 'Again.'))
      await poll()
      await until(() => assert.equal(project.phase(), null))
    })

    test('a plan message whose response is lost counts as failed when the chat has only an earlier message of the same text', async () => {
      for (const stored of [earlier, earlier.slice(0, 1)]) {
        const project = openProject(stored)
        const outcome = await sendLost(project, { text: 'A shop' })
        assert.deepEqual([outcome, project.phase()], [LOST, null])
      }
    })

    test('a plan message whose response is lost counts as failed when another one was stored after it, or the chat cannot be loaded', async () => {
      const other = openProject(earlier)
      const stored = () =>
        other.thread.push(messageOf('msg_3', 'user', 'A blog'), messageOf('msg_4', 'agent', 'A shop'))
      assert.equal(await sendLost(other, { text: 'A shop' }, stored), LOST)
      const unreadable = openProject()
      unreadable.readThread = () => new Refusal(403, 'forbidden', 'You may not.')
      assert.equal(await sendLost(unreadable, { text: 'A shop' }), LOST)
      assert.deepEqual([other.phase(), unreadable.phase()], [null, null])
    })

    test('a retry of a plan reply whose response is lost counts as accepted unless the failed reply is still the last message', async () => {
      const failed = openProject([...earlier, FAILED])
      assert.equal(await sendLost(failed, { retry: true }), LOST)
      const retried = openProject([...earlier, FAILED])
      const outcome = await sendLost(retried, { retry: true }, () => retried.thread.pop())
      assert.equal(outcome, 'accepted')
    })
  })

  test('an accepted retry removes the failed reply from the planning chat and adds no message of the user', async () => {
    const project = openProject([messageOf('msg_1', 'user', 'A shop'), FAILED])
    serveProjects([project], openStream().response)
    await project.load()
    const accepted = sendTurn(project.id, { retry: true })
    assert.deepEqual([project.cached(), project.view()?.said], [['msg_1', 'msg_failed'], null])
    await accepted
    assert.deepEqual(project.cached(), ['msg_1'])
  })

  for (const [what, lose] of [
    ['ends before the reply', 'end'],
    ['is lost', 'fail'],
  ] as const)
    test(`when the stream of a reply ${what}, the received text stays, and the planning chat is polled every two seconds`, async () => {
      const project = openProject()
      const stream = openStream()
      const calls = serveProjects([project], stream.response)
      await sendTurn(project.id, { text: 'A shop' })
      project.thread = [messageOf('msg_1', 'user', 'A shop')]
      stream.send(DELTA)
      stream[lose]()
      await until(() => assert.equal(project.phase(), 'apart'))
      assert.deepEqual([project.text(), calls[project.messages]?.length], ['Two tickets.', 1])
      await poll()
      assert.deepEqual([project.phase(), calls[project.messages]?.length], ['apart', 2])
      project.thread.push(messageOf(`msg_${what}`, 'agent', 'Two tickets.'))
      await poll()
      await until(() => assert.equal(project.phase(), null))
      assert.deepEqual(finishedTurnOf(`msg_${what}`)?.parts, [{ kind: 'text', text: 'Two tickets.' }])
    })

  test('a plan reply that another tab started is polled by one loop, and no streamed steps are stored for it', async () => {
    const project = openProject([messageOf('msg_1', 'user', 'A shop')])
    const calls = serveProjects([project])
    awaitReply(project.id)
    const { state: _state, since: _since, ...view } = project.view() ?? assert.fail()
    assert.deepEqual(view, { said: null, phase: 'apart' })
    const followed = project.view()
    awaitReply(project.id)
    assert.equal(project.view(), followed)
    await until(() => assert.equal(calls[project.messages]?.length, 1))
    project.thread.push(messageOf('msg_apart', 'agent', 'Done.'))
    await poll()
    await until(() => assert.equal(project.phase(), null))
    assert.deepEqual([calls[project.messages]?.length, finishedTurnOf('msg_apart')], [2, null])
  })

  test('a hidden tab does not poll the planning chat, and polls it again once the tab is shown', async () => {
    const project = openProject([messageOf('msg_1', 'user', 'A shop')])
    const calls = serveProjects([project])
    awaitReply(project.id)
    await until(() => assert.equal(calls[project.messages]?.length, 1))
    Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    for (let times = 0; times < 3; times++) await poll()
    assert.equal(calls[project.messages]?.length, 1)
    Object.defineProperty(document, 'hidden', { configurable: true, value: false })
    await poll()
    assert.equal(calls[project.messages]?.length, 2)
  })

  test('polling of the planning chat continues after an error, unless the user has lost access or the chat is deleted', async () => {
    for (const [status, code, isFollowed] of [
      [401, 'unauthorized', false],
      [403, 'forbidden', false],
      [404, 'not_found', false],
      [429, 'rate_limited', true],
      [500, 'server_error', true],
    ] as const) {
      const project = openProject()
      const calls = serveProjects([project])
      // The request layer does not wait for a retry delay of more than four seconds.
      project.readThread = () => new Refusal(status, code, 'No.', 60)
      awaitReply(project.id)
      await until(() => assert.equal(calls[project.messages]?.length, 1))
      await untilSent()
      assert.equal(project.phase(), isFollowed ? 'apart' : null, code)
      await poll()
      assert.equal(calls[project.messages]?.length, isFollowed ? 2 : 1, code)
      clearDrafts(undefined)
    }
  })

  test('sending a message closes the reply stream of another project, whose planning chat is then polled for the reply', async () => {
    const [first, second] = [openProject(), openProject()]
    const streams = [openStream(), openStream()]
    serveProjects([first, second], ...streams.map(({ response }) => response))
    await sendTurn(first.id, { text: 'A shop' })
    first.thread = [messageOf('msg_1', 'user', 'A shop')]
    await sendTurn(second.id, { text: 'A blog' })
    await until(() => assert.deepEqual([first.phase(), second.phase()], ['apart', 'answering']))
    assert.deepEqual(
      streams.map(({ state }) => state.isAborted),
      [true, false],
    )
  })

  test("sending a plan message does not cancel another project's message that has no response yet", async () => {
    const [first, second] = [openProject(), openProject()]
    const late = Promise.withResolvers<Response>()
    const stream = openStream()
    serveProjects([first, second], late.promise, openStream().response)
    const accepted = sendTurn(first.id, { text: 'A shop' })
    await untilSent()
    await sendTurn(second.id, { text: 'A blog' })
    await untilSent()
    assert.deepEqual([first.phase(), second.phase()], ['sending', 'answering'])
    first.thread = [messageOf('msg_1', 'user', 'A shop')]
    late.resolve(stream.response)
    await accepted
    await until(() => assert.deepEqual([first.phase(), stream.state.isAborted], ['apart', true]))
  })

  test('a tab that was hidden for 30 seconds closes the stream of a plan reply, and polls the planning chat instead', async () => {
    const project = openProject()
    const stream = openStream()
    serveProjects([project], stream.response)
    const unwatch = closeStreamsWhenHidden()
    await sendTurn(project.id, { text: 'A shop' })
    project.thread = [messageOf('msg_1', 'user', 'A shop')]
    Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    document.dispatchEvent(new Event('visibilitychange'))
    mock.timers.tick(29_999)
    await untilSent()
    assert.deepEqual([project.phase(), stream.state.isAborted], ['answering', false])
    mock.timers.tick(1)
    await until(() => assert.deepEqual([project.phase(), stream.state.isAborted], ['apart', true]))
    unwatch()
  })

  test('a sign-out closes the stream of a plan reply and discards the reply, even when it arrives at that moment', async () => {
    const [open, ending] = [openProject(), openProject()]
    const streams = [openStream(), openStream()]
    serveProjects([open, ending], ...streams.map(({ response }) => response))
    await sendTurn(ending.id, { text: 'A blog' })
    streams[1]?.send(DELTA)
    const late = Promise.withResolvers<unknown>()
    ending.readThread = () => late.promise
    streams[1]?.send({ type: 'error', kind: 'model_error', message: 'The model failed.' })
    await untilSent()
    await sendTurn(open.id, { text: 'A shop' })
    clearDrafts(undefined)
    late.resolve({ items: [messageOf('msg_secret', 'agent', 'Two tickets.')], nextCursor: null, total: 1 })
    await until(() => assert.equal(streams[0]?.state.isAborted, true))
    await untilSent()
    assert.deepEqual([open.phase(), ending.phase(), finishedTurnOf('msg_secret')], [null, null, null])
  })

  test('tickets that a plan reply writes are refetched together after half a second, and a README that it writes at once', async () => {
    const project = openProject()
    const stream = openStream()
    serveProjects([project], stream.response)
    const invalidated: unknown[] = []
    mock.method(queryClient, 'invalidateQueries', async ({ queryKey }: { queryKey: unknown }) => {
      invalidated.push(queryKey)
    })
    await sendTurn(project.id, { text: 'A shop' })
    const tool = (name: string, ok = true): PlanFrame => ({
      type: 'tool',
      id: name,
      name,
      args: {},
      ok,
      result: '',
      ms: 1,
    })
    for (const frame of [tool('list_files'), tool('create_ticket', false), tool('write_readme', false)])
      stream.send(frame)
    for (const name of ['create_ticket', 'update_ticket', 'write_readme']) stream.send(tool(name))
    await until(() => assert.deepEqual(invalidated, [queryKeys.plan.readmes]))
    mock.timers.tick(500)
    assert.deepEqual(invalidated, [queryKeys.plan.readmes, queryKeys.tickets.all])
    mock.restoreAll()
  })
})
