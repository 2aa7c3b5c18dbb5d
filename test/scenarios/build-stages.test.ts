import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { runBuild } from '../../server/builds/run/execute.ts'
import { UnreadSteeringError } from '../../server/builds/run/steering.ts'
import { claimRun } from '../../server/builds/run/lease.ts'
import { settleReplied } from '../../server/builds/run/settle.ts'
import { openDatabase } from '../../server/db/database.ts'
import { openListener } from '../../server/db/listener.ts'
import { silentLog } from '../../server/testing/database.ts'
import type { Frame } from '../support/frames.ts'
import { finish, write } from '../support/scripted-model.ts'
import {
  type BuildWorld,
  LONG,
  MIDDLE,
  type BuildProject,
  buildWorld,
  A_BUILD,
  A_GREEN_BUILD,
} from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const WRITE = { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] }
const FINISH = { toolCalls: [finish()] }
const SILENCE = { text: 'thinking about it', fault: 'silence' }
const QUESTION = { id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }
const ASK = { toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }

describe('messages, cancellation and questions in each stage of a build', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld({ work: false })
  })
  after(() => world.close())

  const workOn = (runId: string) => runBuild(world.app.platform, runId, new AbortController().signal)

  async function startBuild(
    place: BuildProject,
    body: object = {},
  ): Promise<{ runId: string; watched: Promise<Frame[]> }> {
    const watched = place.stream(body)
    for (;;) {
      const runs = await place.get<{ items: { id: string; status: string }[] }>('/runs')
      const run = runs.data.items.find((item) => item.status === 'queued')
      if (run !== undefined) return { runId: run.id, watched }
      await sleep(10)
    }
  }

  async function buildTicket(place: BuildProject, body: object = {}): Promise<Frame[]> {
    const { runId, watched } = await startBuild(place, body)
    await workOn(runId)
    return watched
  }

  /** Builds another ticket of the project, so that main moves. */
  async function buildOtherTicket(place: BuildProject): Promise<void> {
    const other = await place.addTicket()
    await place.script([WRITE, FINISH])
    const going = place.call(`POST /tickets/${other}/build`, {})
    await place.until(async () => {
      const runs = await place.get<{ items: { id: string; status: string }[] }>('/runs')
      const run = runs.data.items.find((item) => item.status === 'queued')
      if (run !== undefined) await workOn(run.id)
      return run !== undefined
    })
    assert.equal((await going).data['status'], 'built')
  }

  test("a user's message sent to a build that has not started is read before the first model call", async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'Ok.', expect: { lastUser: 'Only cactuses' } }])
    const { runId, watched } = await startBuild(place)
    assert.equal((await place.steer('Only cactuses')).data.delivery, 'delivered')
    await workOn(runId)
    assert.equal((await watched).at(-1)?.['message'], 'Ok.')
  })

  test("a user's message sent to a build whose process dies is read by the next process", async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([
      WRITE,
      SILENCE,
      { ...FINISH, expect: { lastUser: 'Only cactuses' } },
    ])
    const { runId, watched } = await startBuild(place)
    const first = workOn(runId)
    await place.until(async () => (await place.calls()).length === 2)
    await place.steer('Only cactuses')
    await workOn(runId)
    const frames = await watched
    await first
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
    assert.equal((await place.calls()).length, 3, 'no finished call is repeated')
  })

  test("the end of a build is not stored while a user's message to it is unread", async () => {
    leaves({ events: { 'ticket.updated': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([{ text: 'Ok.', expect: { lastUser: 'Only cactuses' } }])
    const { platform } = world.app
    const { runId, watched } = await startBuild(place)
    const run = await claimRun(platform.db, runId, platform.clock.now())
    assert.ok(run)
    await place.steer('Only cactuses')
    const reply = { message: 'I am done.' }
    await assert.rejects(settleReplied(platform, run, { ...reply, mayContinue: true }), UnreadSteeringError)
    const going = await place.get<{ status: string }>(`/runs/${runId}`)
    assert.equal(going.data.status, 'running', 'nothing of the end was written')
    await settleReplied(platform, run, { ...reply, mayContinue: false })
    const frames = await watched
    assert.deepEqual(
      frames.slice(-2).map((frame) => [frame.type, frame['delivery'] ?? frame['status']]),
      [
        ['steer', 'next_build'],
        ['done', 'replied'],
      ],
    )
    assert.equal((await buildTicket(place)).at(-1)?.['message'], 'Ok.')
  })

  test('a build that no worker has claimed yet is cancelled immediately, and a worker that claims it later calls no model', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([WRITE, FINISH])
    const { runId, watched } = await startBuild(place)
    assert.equal((await place.cancel()).status, 200)
    assert.equal((await watched).at(-1)?.['status'], 'cancelled')
    await workOn(runId)
    assert.equal((await place.calls()).length, 0)
  })

  test('a build that is being published can no longer be cancelled', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([WRITE, FINISH])
    const { runId, watched } = await startBuild(place)
    const { db } = world.app.platform
    const setStage = (stage: 'publishing' | 'model') =>
      db.updateTable('runs').set({ stage }).where('id', '=', runId).execute()
    await setStage('publishing')
    assert.equal((await place.cancel()).error?.code, 'conflict')
    await setStage('model')
    await workOn(runId)
    assert.equal((await watched).at(-1)?.['status'], 'built')
  })

  test('the build agent may not ask a question after its first change', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([WRITE, ASK, { ...FINISH, expect: { lastResult: 'too_late' } }])
    const frames = await buildTicket(place)
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
  })

  test('a build that continues after the answers to its questions starts from the current files of main', async () => {
    leaves({
      events: { 'ticket.created': 1, 'ticket.updated': 3, 'ticket.build.succeeded': 1 },
      jobs: { build: 3 },
    })
    const place = await world.openProject([ASK])
    await place.call('POST /preview-errors', { ticketId: place.ticketId, errors: [{ message: 'x broke' }] })
    await buildTicket(place)
    await buildOtherTicket(place)
    await place.script([{ text: 'Plants it is.', expect: { lastResult: 'what: Plants' } }])
    // The run that asked was given a file. Its bytes do not exist, so the file is removed again before the new run is executed.
    const { db } = world.app.platform
    const setFiles = (files: object[]) =>
      sql`update runs set input = (input::jsonb || ${JSON.stringify({ files })}::jsonb)::json
        where ticket_id = ${place.ticketId}`.execute(db)
    const picture = { key: '_prompt/1', mediaType: 'image/png' }
    await setFiles([picture])
    const { runId, watched } = await startBuild(place, { answers: [{ id: 'what', value: 'Plants' }] })
    const next = await db.selectFrom('runs').select('input').where('id', '=', runId).executeTakeFirst()
    assert.deepEqual(next?.input.files, [picture])
    await setFiles([])
    await workOn(runId)
    const frames = await watched
    assert.equal(frames.at(-1)?.['message'], 'Plants it is.', JSON.stringify(frames.at(-1)))
    const [call] = await place.calls()
    const prompt = JSON.stringify(call?.request.messages)
    assert.ok(prompt.includes('export const plants = 3'))
    assert.ok(prompt.includes('x broke'), 'what the run that asked was given is in the new prompt, too')
  })

  test('answers that are sent again after main has changed give the model each preview error once', async () => {
    leaves({
      events: {
        'ticket.created': 1,
        'ticket.updated': 3,
        'ticket.build.succeeded': 1,
        'ticket.build.failed': 1,
      },
      jobs: { build: 4 },
    })
    const place = await world.openProject([ASK])
    const report = (message: string) =>
      place.call('POST /preview-errors', { ticketId: place.ticketId, errors: [{ message }] })
    await report('x broke')
    await buildTicket(place)
    await buildOtherTicket(place)
    await report('y broke')
    const answers = [{ id: 'what', value: 'Plants' }]
    await place.script([{ fault: 'http_401' }])
    assert.equal((await buildTicket(place, { answers })).at(-1)?.['kind'], 'model_error')
    await place.script([{ text: 'Plants it is.', expect: { lastResult: 'what: Plants' } }])
    assert.equal((await buildTicket(place, { answers })).at(-1)?.['message'], 'Plants it is.')
    const [call] = await place.calls()
    const prompt = JSON.stringify(call?.request.messages)
    assert.deepEqual(prompt.match(/[xy] broke/g), ['y broke', 'x broke'])
  })

  test('a process that does not execute a build can stream the build and accept messages to it', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([
      { ...LONG, ...WRITE },
      { ...FINISH, expect: { lastUser: 'From afar' } },
    ])
    const { platform } = world.app
    const url = platform.pool.options.connectionString ?? ''
    // A second process that shares only the database with the first one, as on another machine.
    const database = openDatabase({ url, log: silentLog })
    const listener = await openListener({ url, log: silentLog })
    const elsewhere = { ...platform, db: database.db, pool: database.pool, listener }
    const { runId, watched } = await startBuild(place)
    const goOn = place.hold(MIDDLE)
    const finished = runBuild(elsewhere, runId, new AbortController().signal)
    await place.stream({}, (frame) => frame.type === 'delta')
    await place.steer('From afar')
    goOn()
    await finished
    assert.equal((await watched).at(-1)?.['status'], 'built')
    await listener.close()
    await database.close()
  })
})
