import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openListener } from '../../server/db/listener.ts'
import type { Context } from '../../server/endpoint.ts'
import { endLiveTurns } from '../../server/plan/live-turn.ts'
import { drainStaleTurns } from '../../server/plan/settle-stale.ts'
import { stopTurn } from '../../server/plan/stop-turn.ts'
import { silentLog } from '../../server/testing/database.ts'
import { type Frame, framesOf } from '../support/frames.ts'
import { type Message, type PlanWorld, create, planWorld } from './plan-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const LONG = 'The plan has several parts, and this sentence goes on for a while. '.repeat(8)
/** A response that sends half of its text and then hangs. */
const SILENT = { text: LONG, fault: 'silence' }
const SAID_MIN = 41
const textOf = (frame: Frame) => (frame.type === 'delta' ? String(frame['text'] ?? '') : '')

describe('messages to the planning agent and its replies', () => {
  let world: PlanWorld
  before(async () => {
    world = await planWorld()
  })
  after(() => world.close())

  type Thread = Awaited<ReturnType<PlanWorld['openThread']>>

  /** Sends a plan message, and reads the stream until the model's response hangs in the middle. Returns the open stream. */
  const openHangingTurn = async (thread: Thread) => {
    const frames = framesOf(await thread.openStream({ text: 'Plan it' }))
    for (let said = ''; said.length < SAID_MIN;) {
      const next = await frames.next()
      assert.equal(next.done, false, 'the stream ended before it said anything')
      said += textOf(next.value)
    }
    return frames
  }
  const remainingFrames = async (frames: AsyncGenerator<Frame>) => Array.fromAsync(frames)
  const waitForValue = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      await sleep(20)
    }
  }
  const lastReply = (thread: Thread) =>
    waitForValue(async () => (await thread.messages()).find(({ role }) => role === 'agent'))
  const rowOf = (thread: Thread) =>
    world.app.platform.db
      .selectFrom('plan_messages')
      .selectAll()
      .where('project_id', '=', thread.projectId)
      .where('role', '=', 'agent')
      .executeTakeFirstOrThrow()

  test('of twenty concurrent messages to the planning agent, one gets a reply and nineteen get a conflict', async () => {
    const thread = await world.openThread([{ text: 'Yes.', repeat: true }])
    const goOn = thread.hold(1)
    let left = 20
    const answers = await Promise.all(
      Array.from({ length: left }, async (_, i) => {
        const answer = await thread.say(`Number ${i}`)
        if (--left === 1) goOn()
        return answer
      }),
    )
    const countStatus = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([countStatus(200), countStatus(409)], [1, 19])
    assert.equal((await thread.messages()).length, 2)
  })

  test('stopping a planning reply keeps its text so far, ends its stream, and allows the next message immediately', async () => {
    const thread = await world.openThread([SILENT, { text: 'Again.' }])
    const frames = await openHangingTurn(thread)
    assert.equal((await thread.messages()).length, 1, 'a reply that is being written is not listed')
    const stopped = await thread.post<{ stopped: boolean }>('/plan/stop')
    assert.deepEqual(stopped.data, { stopped: true })
    const [reply] = await thread.messages()
    assert.equal(reply?.status, 'stopped')
    assert.ok((reply?.text.length ?? 0) >= SAID_MIN && LONG.startsWith(reply?.text ?? '-'), reply?.text)
    const done = (await remainingFrames(frames)).at(-1)
    assert.deepEqual([done?.type, done?.['message']], ['done', reply])
    assert.equal((await thread.say('Go on')).status, 200)
    assert.deepEqual((await thread.post('/plan/stop')).data, { stopped: false })
  })

  test('a request that waits for a planning reply gets the text so far when the reply is stopped', async () => {
    const thread = await world.openThread([SILENT])
    const waiting = thread.say('Plan it')
    await waitForValue(async () => ((await thread.calls()).length === 0 ? undefined : true))
    await thread.post('/plan/stop')
    const answer = await waiting
    assert.deepEqual([answer.status, answer.data.status], [200, 'stopped'])
  })

  test('a reply of the planning agent that is stopped through another process keeps its text so far', async () => {
    const thread = await world.openThread([SILENT])
    const frames = await openHangingTurn(thread)
    const { platform } = world.app
    const url = String(platform.pool.options.connectionString)
    const listener = await openListener({ url, log: silentLog })
    const caller = { organizationId: world.person.organizationId }
    try {
      const elsewhere = { ...platform, listener, caller } as unknown as Context<'listener'>
      assert.deepEqual(await stopTurn(elsewhere, thread.projectId), { stopped: true })
      assert.equal((await remainingFrames(frames)).at(-1)?.type, 'done')
      const reply = await lastReply(thread)
      assert.equal(reply.status, 'stopped')
      assert.ok(reply.text.length >= SAID_MIN)
    } finally {
      await listener.close()
    }
  })

  test('when a project is deleted during a planning reply, the request gets 404 and the stream says so', async () => {
    const thread = await world.openThread([{ text: LONG, repeat: true }])
    const other = await world.openThread([{ text: LONG, repeat: true }])
    const [goOn, goOnOther] = [thread.hold(1), other.hold(1)]
    const said = thread.say('Plan it')
    const frames = remainingFrames(framesOf(await other.openStream({ text: 'Plan it' })))
    const { db } = world.app.platform
    for (const { calls, projectId } of [thread, other]) {
      await waitForValue(async () => ((await calls()).length === 0 ? undefined : true))
      await db.deleteFrom('projects').where('id', '=', projectId).execute()
    }
    goOn()
    goOnOther()
    const { status, error } = await said
    assert.deepEqual([status, error?.code, error?.message], [404, 'not_found', 'No such project.'])
    const last = (await frames).at(-1)
    assert.deepEqual([last?.type, last?.['message']], ['error', 'No such project.'])
  })

  test('a stopped reply of the planning agent writes no tickets or README, even when its process was not told of the stop', async () => {
    const late = { toolCalls: [create('Too late'), { name: 'write_readme', args: { text: 'Too late' } }] }
    const thread = await world.openThread([late])
    const goOn = thread.hold(1)
    const frames = remainingFrames(framesOf(await thread.openStream({ text: 'Plan it' })))
    const stopped = await world.app.platform.db
      .updateTable('plan_messages')
      .set({ status: 'stopped' })
      .where('project_id', '=', thread.projectId)
      .where('status', '=', 'running')
      .executeTakeFirst()
    assert.equal(stopped.numUpdatedRows, 1n)
    goOn()
    const done = (await frames).at(-1)
    assert.deepEqual([done?.type, (done?.['message'] as Message | undefined)?.status], ['done', 'stopped'])
    assert.deepEqual([await thread.tickets(), (await thread.get('/readme')).data], [[], ''])
  })

  test('retrying a failed planning reply replaces it, knows the tickets that it wrote, and writes none twice', async () => {
    leaves({ events: { 'ticket.created': 2 } })
    const thread = await world.openThread([
      { text: 'First.', toolCalls: [create('Plants')] },
      { fault: 'http_401' },
      { fault: 'http_401' },
      // The model writes "Plants" again, even though its prompt says that this ticket exists.
      { toolCalls: [create('plants'), create('Rooms')], expect: { lastUser: '"Plants" (task, todo' } },
      { text: 'Both are there.' },
    ])
    const failed = await thread.say('Track plants and rooms')
    assert.deepEqual([failed.status, failed.error?.code], [502, 'model_error'])
    const [before] = await thread.messages()
    assert.deepEqual([before?.status, before?.error?.kind, before?.text], ['failed', 'model_error', 'First.'])
    assert.equal(before?.tickets.length, 1)
    const failedAgain = await thread.post('/plan/retry')
    assert.deepEqual([failedAgain.status, failedAgain.error?.code], [502, 'model_error'])
    const retried = await thread.post<Message>('/plan/retry')
    assert.equal(retried.status, 200, String(retried.error?.message))
    assert.deepEqual(
      [retried.data.id, retried.data.status, retried.data.error, retried.data.text],
      [before?.id, 'complete', null, 'Both are there.'],
    )
    assert.deepEqual((await thread.tickets()).map(({ title }) => title).toSorted(), ['Plants', 'Rooms'])
    assert.equal(retried.data.tickets.length, 2)
    assert.equal((await thread.messages()).length, 2)
  })

  test('a failed planning reply can be retried as a stream, whose last frame is the error when it fails again', async () => {
    const thread = await world.openThread([{ fault: 'http_401' }, { fault: 'http_401' }, { text: 'Now.' }])
    assert.equal((await thread.stream({ text: 'Hello' })).at(-1)?.type, 'error')
    const again = (await thread.stream({ retry: true })).at(-1)
    assert.deepEqual([again?.type, again?.['kind']], ['error', 'model_error'])
    const done = (await thread.stream({ retry: true })).at(-1)
    assert.equal((done?.['message'] as Message | undefined)?.text, 'Now.')
  })

  test('a planning reply cannot be retried in an empty chat, when it is complete or stopped, or while a reply is running', async () => {
    const thread = await world.openThread([{ text: 'Fine.' }, SILENT])
    const assertRefused = async (status: number, code: string) => {
      for (const [path, body] of [
        ['/plan/retry', {}],
        ['/plan/stream', { retry: true }],
      ] as const) {
        const answer = await thread.post(path, body)
        assert.deepEqual([answer.status, answer.error?.code], [status, code])
      }
    }
    await assertRefused(400, 'invalid_request')
    await thread.say('Hello')
    await assertRefused(400, 'invalid_request')
    const frames = await openHangingTurn(thread)
    await assertRefused(409, 'conflict')
    await thread.post('/plan/stop')
    await remainingFrames(frames)
    await assertRefused(400, 'invalid_request')
  })

  test('a reply of the planning agent continues after its client disconnects, and is stored in the chat', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const thread = await world.openThread([{ toolCalls: [create('Plants')] }, { text: 'Written.' }])
    const goOn = thread.hold(1)
    const answer = await thread.openStream({ text: 'Plan it' })
    await answer.body?.cancel()
    goOn()
    const reply = await lastReply(thread)
    assert.deepEqual([reply.status, reply.text, reply.tickets.length], ['complete', 'Written.', 1])

    const other = await world.openThread([{ text: 'Heard.' }])
    const tell = other.hold(1)
    const gone = new AbortController()
    const leaving = world.person.raw(`POST /projects/${other.projectId}/plan/message`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Plan it' }),
      signal: gone.signal,
    })
    await waitForValue(async () => ((await other.calls()).length === 0 ? undefined : true))
    gone.abort()
    tell()
    await leaving.catch(() => undefined)
    assert.equal((await lastReply(other)).text, 'Heard.')
  })

  test('the reply of a process that no longer responds is closed as interrupted, and that process cannot change it later', async (t) => {
    const thread = await world.openThread([SILENT, { text: 'Back again.' }])
    const frames = await hangSilently(t, thread)
    const drain = drainStaleTurns(world.app.platform)
    const reply = await lastReply(thread)
    await drain.stop()
    assert.deepEqual([reply.status, reply.error?.kind], ['failed', 'interrupted'])
    // The process was only suspended. It notices that its reply was closed, and does not change it.
    const { platform } = world.app
    await sql`select pg_notify('plan_turns', ${JSON.stringify({ kind: 'stopped', id: reply.id })})`.execute(
      platform.db,
    )
    const last = (await remainingFrames(frames)).at(-1)
    assert.deepEqual([last?.type, last?.['kind']], ['error', 'interrupted'])
    const kept = (await thread.messages())[0]
    assert.deepEqual([kept?.status, kept?.id], ['failed', reply.id])
    const retried = await thread.post<Message>('/plan/retry')
    assert.deepEqual([retried.data.status, retried.data.text], ['complete', 'Back again.'])
  })

  test('after the process of a reply dies, the next message closes the reply as failed immediately', async (t) => {
    const thread = await world.openThread([SILENT, { text: 'Here.' }])
    await hangSilently(t, thread)
    const answer = await thread.say('Are you there?')
    assert.deepEqual([answer.status, answer.data.text], [200, 'Here.'])
    const statuses = (await thread.messages()).map(({ role, status }) => `${role} ${status}`)
    assert.deepEqual(statuses, ['agent complete', 'user complete', 'agent failed', 'user complete'])
  })

  test('a process that stops gracefully closes its running replies of the planning agent as interrupted', async () => {
    const thread = await world.openThread([SILENT])
    const frames = await openHangingTurn(thread)
    await endLiveTurns(world.app.platform)
    const last = (await remainingFrames(frames)).at(-1)
    assert.deepEqual([last?.type, last?.['kind']], ['error', 'interrupted'])
    const reply = await lastReply(thread)
    assert.deepEqual([reply.status, reply.error?.kind], ['failed', 'interrupted'])
    assert.ok(reply.text.length >= SAID_MIN, 'what was said is kept')
  })

  test('deleting a project while the planning agent replies ends the reply as interrupted and deletes the chat', async () => {
    const thread = await world.openThread([SILENT])
    const frames = await openHangingTurn(thread)
    const { id } = await rowOf(thread)
    await world.app.platform.db.deleteFrom('projects').where('id', '=', thread.projectId).execute()
    await sql`select pg_notify('plan_turns', ${JSON.stringify({ kind: 'stopped', id })})`.execute(
      world.app.platform.db,
    )
    const last = (await remainingFrames(frames)).at(-1)
    assert.deepEqual([last?.type, last?.['kind']], ['error', 'interrupted'])
    assert.equal((await thread.post('/plan/stop')).status, 404)
  })

  test('a reply of the planning agent that keeps calling tools ends with the error step_limit after twenty model calls', async () => {
    leaves({ events: { 'ticket.created': 19 } })
    const thread = await world.openThread([
      ...Array.from({ length: 19 }, (_, i) => ({ toolCalls: [create(`Ticket ${i}`)] })),
      { text: 'That is all I could do.' },
    ])
    const answer = await thread.say('Plan everything')
    assert.deepEqual([answer.status, answer.error?.code], [502, 'model_error'])
    const [reply] = await thread.messages()
    assert.deepEqual([reply?.error?.kind, reply?.tickets.length], ['step_limit', 19])
    assert.match(reply?.text ?? '', /That is all I could do\./)
  })

  test('a reply of the planning agent ends with the error budget once it has used 300,000 tokens', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const thread = await world.openThread([
      { toolCalls: [create('One')], usage: { input: 299_999, output: 10 } },
      { text: 'Never asked.' },
    ])
    await thread.say('Plan it')
    const [reply] = await thread.messages()
    assert.equal(reply?.error?.kind, 'budget')
    assert.equal((await thread.calls()).length, 1)
  })

  test('without a connected model, retrying a failed planning reply is refused with model_required', async () => {
    leaves({ activity: { 'model.deleted': 1 } })
    const thread = await world.openThread([{ fault: 'http_401' }])
    await thread.say('Hello')
    const before = await thread.messages()
    const { db } = world.app.platform
    const { data } = await thread.get<{ connectionId: string }>('/model')
    await world.person.call(`DELETE /connections/models/${data.connectionId}`)
    await db
      .updateTable('model_connections')
      .set({ is_default: false })
      .where('org_id', '=', world.person.organizationId)
      .execute()
    const refused = await thread.post('/plan/retry')
    assert.deepEqual([refused.status, refused.error?.code], [412, 'model_required'])
    assert.deepEqual(await thread.messages(), before)
  })

  /** Starts a hanging reply of the plan agent, in a process whose last heartbeat was eleven seconds ago. */
  async function hangSilently(t: TestContext, thread: Thread) {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const frames = await openHangingTurn(thread)
    await world.app.platform.db
      .updateTable('plan_messages')
      .set({ heartbeat_at: sql<Date>`now() - interval '11 seconds'` })
      .where('project_id', '=', thread.projectId)
      .where('status', '=', 'running')
      .execute()
    return frames
  }
})
