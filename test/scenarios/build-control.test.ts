import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Frame } from '../support/frames.ts'
import { finish, write } from '../support/scripted-model.ts'
import {
  type BuildWorld,
  LONG,
  MIDDLE,
  type BuildProject,
  buildWorld,
  A_BUILD,
  A_FAILED_BUILD,
  A_GREEN_BUILD,
} from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const WRITE = { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] }
const FINISH = { toolCalls: [finish()] }
const QUESTION = { id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }
const ASK = { toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }

const steersIn = (frames: Frame[]) =>
  frames.filter((frame) => frame.type === 'steer').map((frame) => [frame['text'], frame['delivery']])
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

/** Returns a function that returns whether a frame contains text of the model's n-th response. */
function saysAnswer(n: number): (frame: Frame) => boolean {
  let step: unknown = 0
  return (frame) => {
    if (frame.type === 'step') step = frame['n']
    return step === n && frame.type === 'delta'
  }
}

describe('steering a build', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  /** Builds the ticket, and sends a steering message during the model's n-th response. */
  async function buildAndSteer(place: BuildProject, text: string, n: number) {
    const goOn = place.hold(MIDDLE)
    const watched = place.stream()
    await place.until(async () => (await place.calls()).length > 0)
    await place.stream({}, saysAnswer(n))
    const answer = await place.steer(text)
    goOn()
    return { answer, frames: await watched }
  }

  test("a user's message to a running build is read after the current model call, even when that call would finish the build", async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([
      WRITE,
      { ...LONG, toolCalls: [finish('too early')] },
      { ...FINISH, expect: { lastUser: 'Also cactuses', lastResult: 'interrupted' } },
    ])
    const { answer, frames } = await buildAndSteer(place, 'Also cactuses', 2)
    assert.deepEqual([answer.status, answer.data.delivery], [200, 'delivered'])
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
    assert.equal(frames.at(-1)?.['summary'], 'Plants are tracked.')
    assert.deepEqual(steersIn(frames), [['Also cactuses', 'delivered']])
    assert.deepEqual(
      frames.map((frame) => frame.seq),
      upTo(frames.length),
    )
  })

  test("a final text or a question of the model does not end a build while a user's message to the build is unread", async () => {
    leaves(A_BUILD)
    const place = await world.openProject([
      LONG,
      { ...LONG, ...ASK, expect: { lastUser: 'No it does not' } },
      { text: 'Now I see.', expect: { lastUser: 'Decide yourself' } },
    ])
    const endFirst = place.hold(MIDDLE)
    const watched = place.stream()
    await place.stream({}, saysAnswer(1))
    await place.steer('No it does not')
    const endSecond = place.hold(MIDDLE)
    endFirst()
    await place.stream({}, saysAnswer(2))
    await place.steer('Decide yourself')
    endSecond()
    const frames = await watched
    assert.deepEqual([frames.at(-1)?.['status'], frames.at(-1)?.['message']], ['replied', 'Now I see.'])
    assert.equal(
      frames.some((frame) => frame.type === 'question'),
      false,
      'nobody is asked',
    )
  })

  test("a user's message that a cancelled build did not read is read once, by the next build of the ticket", async () => {
    leaves({ events: { 'ticket.updated': 1 }, jobs: { build: 3 } })
    const place = await world.openProject([LONG])
    place.hold(MIDDLE)
    const watched = place.stream()
    await place.stream({}, saysAnswer(1))
    await place.steer('Make it green')
    await place.steer('Make it green')
    await place.cancel()
    assert.deepEqual(steersIn(await watched), [
      ['Make it green', 'delivered'],
      ['Make it green', 'delivered'],
      ['Make it green', 'next_build'],
      ['Make it green', 'next_build'],
    ])
    await place.script([{ text: 'Green it is.', expect: { lastUser: 'Make it green' } }, { text: 'Hello.' }])
    assert.equal((await place.build()).data['message'], 'Green it is.')
    assert.equal((await place.build()).data['message'], 'Hello.')
    const [, second] = await place.calls()
    assert.doesNotMatch(JSON.stringify(second?.request.messages), /Make it green/)
  })

  test("a user's message sent while a build is publishing is delivered to the next build", async () => {
    leaves({ events: { 'ticket.updated': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([LONG, { text: 'Hello.', expect: { lastUser: 'Too late' } }])
    const { db } = world.app.platform
    place.hold(MIDDLE)
    const watched = place.stream()
    const [begun] = await place.stream({}, saysAnswer(1))
    const setStage = (stage: 'publishing' | 'model') =>
      db
        .updateTable('runs')
        .set({ stage })
        .where('org_id', '=', world.person.organizationId)
        .where('id', '=', String(begun?.['run']))
        .execute()
    await setStage('publishing')
    assert.equal((await place.steer('Too late')).data.delivery, 'next_build')
    await setStage('model')
    await place.cancel()
    assert.deepEqual(steersIn(await watched), [['Too late', 'next_build']])
    assert.equal((await place.build()).data['message'], 'Hello.')
  })

  test("when a build reaches a limit, the next build gets the user's unread message", async () => {
    leaves(A_FAILED_BUILD)
    const place = await world.openProject(
      [{ ...LONG, toolCalls: [write('shared/a.ts', 'export const a = 1\n')] }],
      {
        limits: { steps: 1 },
      },
    )
    const { frames } = await buildAndSteer(place, 'One more thing', 1)
    assert.equal(frames.at(-1)?.['kind'], 'step_limit')
    assert.deepEqual(steersIn(frames), [
      ['One more thing', 'delivered'],
      ['One more thing', 'next_build'],
    ])
  })

  test('a message to a build is refused without a running build, without text, with unknown attachments, or from a stranger', async () => {
    const place = await world.openProject([{ text: 'Hello.' }])
    assert.deepEqual((await place.steer('x')).error?.code, 'conflict')
    const empty = await place.steer(' ')
    assert.deepEqual([empty.status, empty.error?.message.split(':')[0]], [400, 'text'])
    const route = `POST /tickets/${place.ticketId}/build/steer`
    const attached = await place.call(route, { text: 'x', attachments: ['_prompt/0'] })
    assert.deepEqual([attached.status, attached.error?.message.split(':')[0]], [400, 'attachments'])
    const stranger = await world.app.signUp()
    const foreign = await stranger.call(`POST ${place.route}/steer`, { text: 'x' })
    assert.deepEqual([foreign.status, foreign.error?.code], [404, 'not_found'])
  })
})

describe('preview errors and usage of a build', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  const reportErrors = (place: BuildProject, errors: object[]) =>
    place.call<{ stored: number }>('POST /preview-errors', { ticketId: place.ticketId, errors })

  test('errors reported by the preview of a ticket are in the prompt of its next build, but not of the build after that', async () => {
    leaves({ events: { 'ticket.updated': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([
      { text: 'Seen.', expect: { lastUser: 'x is undefined' } },
      { text: 'All quiet.' },
    ])
    assert.equal(
      (await reportErrors(place, [{ message: 'x is undefined', source: '/app.js', line: 3 }])).data.stored,
      1,
    )
    assert.equal((await place.build()).data['message'], 'Seen.')
    assert.equal((await place.build()).data['message'], 'All quiet.')
    const [first, second] = (await place.calls()).map((call) => JSON.stringify(call.request.messages))
    assert.match(first ?? '', /x is undefined at \/app\.js:3/)
    assert.doesNotMatch(second ?? '', /x is undefined/)
  })

  test('preview errors that no model has read, because the build failed or was cancelled before, are in the prompt of the next build', async () => {
    leaves({ events: { 'ticket.updated': 1, 'ticket.build.failed': 1 }, jobs: { build: 3 } })
    const place = await world.openProject([
      { fault: 'http_401' },
      { ...LONG, fault: 'silence' },
      { text: 'Seen.', expect: { lastUser: 'x is undefined' } },
    ])
    await reportErrors(place, [{ message: 'x is undefined' }])
    assert.equal((await place.build()).error?.code, 'model_error')
    const cancelled = place.build()
    await place.until(async () => (await place.calls()).length === 2)
    assert.equal((await place.cancel()).status, 200)
    assert.equal((await cancelled).status, 409)
    assert.equal((await reportErrors(place, [{ message: 'y is undefined' }])).data.stored, 2)
    assert.equal((await place.build()).data['message'], 'Seen.')
  })

  test('the newest fifty preview errors are kept, an empty report clears them, and a too large report is refused', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'Seen.' }])
    const manyErrors = (from: number) => upTo(40).map((n) => ({ message: `error ${from + n}` }))
    assert.equal((await reportErrors(place, manyErrors(0))).data.stored, 40)
    assert.equal((await reportErrors(place, manyErrors(40))).data.stored, 50)
    await place.build()
    const asked = JSON.stringify((await place.calls())[0]?.request.messages)
    assert.match(asked, /error 31\b/)
    assert.match(asked, /error 80\b/)
    assert.doesNotMatch(asked, /error 30\b/)
    await reportErrors(place, manyErrors(0))
    assert.equal((await reportErrors(place, [])).data.stored, 0)
    const large = await reportErrors(place, [{ message: 'fine' }, { message: 'x'.repeat(4096) }])
    assert.deepEqual([large.status, large.error?.message.split(':')[0]], [400, 'errors.1'])
    const tooMany = await reportErrors(
      place,
      upTo(51).map(() => ({ message: 'x' })),
    )
    assert.deepEqual([tooMany.status, tooMany.error?.message.split(':')[0]], [400, 'errors'])
    const unknown = await place.call('POST /preview-errors', { ticketId: 'tkt_0', errors: [] })
    assert.equal(unknown.status, 404)
  })

  test('a build that continues after an answer reads the preview errors reported meanwhile', async () => {
    leaves({ events: { 'ticket.updated': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([ASK, { text: 'Ok.', expect: { lastResult: 'x is undefined' } }])
    await place.build()
    await reportErrors(place, [{ message: 'x is undefined' }])
    assert.equal((await place.build({ answers: [{ id: 'what', value: 'Plants' }] })).data['message'], 'Ok.')
  })

  test('the logs tool returns each error that the preview reports during the build exactly once', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([
      { ...LONG, toolCalls: [{ name: 'logs', args: {} }] },
      { toolCalls: [{ name: 'logs', args: {} }], expect: { lastResult: 'late trouble' } },
      { text: 'Ok.', expect: { lastResult: 'nothing new' } },
    ])
    const goOn = place.hold(MIDDLE)
    const watched = place.stream()
    await place.stream({}, saysAnswer(1))
    await reportErrors(place, [{ message: 'late trouble' }])
    goOn()
    assert.equal((await watched).at(-1)?.['message'], 'Ok.')
  })

  test('the usage of a build is the tokens reported by the model provider, per model, including failed calls', async () => {
    leaves(A_GREEN_BUILD)
    const usage = { input: 1000, output: 50, cacheRead: 400, reasoning: 20 }
    const place = await world.openProject([
      // A response that has neither text nor tool calls is a failed call. Its usage counts too.
      { usage },
      { ...WRITE, usage },
      { ...FINISH, usage },
    ])
    const built = await place.build()
    assert.equal(built.status, 200, JSON.stringify(built.error))
    const spent = await place.get<{ total: object; models: object[]; medianBuild: object }>('/usage')
    const expected = {
      input: 3000,
      output: 150,
      reasoning: 60,
      cacheRead: 1200,
      cacheWrite: 0,
      estimated: false,
      runs: 1,
      costUsd: null,
    }
    assert.deepEqual(spent.data.total, expected)
    assert.deepEqual(spent.data.models, [{ provider: 'openai-compatible', model: 'scripted', ...expected }])
    assert.deepEqual(spent.data.medianBuild, { builds: 1, tokens: 3150, costUsd: null })
    const priced = { provider: 'anthropic', model: 'claude-haiku-4-5' }
    const { db } = world.app.platform
    for (const table of ['runs', 'token_usage'] as const)
      await db.updateTable(table).set(priced).where('project_id', '=', place.projectId).execute()
    const again = await place.get<{ total: { costUsd: number }; medianBuild: { costUsd: number } }>('/usage')
    assert.equal(again.data.total.costUsd, 0.00267)
    const runs = await place.get<{ items: { usage: object; costUsd: number }[] }>('/runs')
    assert.equal(runs.data.items[0]?.costUsd, again.data.medianBuild.costUsd)
    assert.deepEqual(runs.data.items[0]?.usage, { input: 3000, output: 150, cacheRead: 1200, cacheWrite: 0 })
  })

  test('build usage that the model provider does not report is marked as estimated, and is zero before the first call', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'Hello.', fault: 'no_usage' }])
    const none = await place.get<{ total: { input: number; runs: number }; models: object[] }>('/usage')
    assert.deepEqual([none.data.total.input, none.data.total.runs, none.data.models], [0, 0, []])
    await place.build()
    const spent = await place.get<{ total: { estimated: boolean; input: number } }>('/usage')
    assert.equal(spent.data.total.estimated, true)
    assert.ok(spent.data.total.input > 0)
  })
})
