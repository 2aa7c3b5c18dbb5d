import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { leaves } from '../../server/testing/effects.ts'
import { write } from '../support/scripted-model.ts'
import { A_BUILD, A_FAILED_BUILD, type BuildWorld, type BuildProject, buildWorld } from './build-world.ts'

interface Use {
  month: string
  used: number
  monthly: number | null
  perTicket: number | null
}

/** Counts as 1,000 tokens: 900 input tokens, 600 more from the cache that count a tenth, and 40 output tokens. */
const USAGE = { input: 1_500, output: 40, cacheRead: 600 }
const EACH = 1_000
const WRITE = { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')], usage: USAGE }
const HELLO = { text: 'Hello.', usage: USAGE }
const CHANGED = { activity: { 'token_limits.updated': 1 } }

describe('token limits of an organization and of its tickets', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  const readUse = async () => (await world.person.call<Use>('GET /connections/models/limits')).data
  const setLimits = (limits: { monthly?: number | null; perTicket?: number | null }) =>
    world.person.call<Use>('PUT /connections/models/limits', { monthly: null, perTicket: null, ...limits })
  /** Sets the limit so that `tokens` more tokens can be used this month. */
  const allowTokens = async (tokens: number) => setLimits({ monthly: (await readUse()).used + tokens })
  const runsOf = async (place: BuildProject) =>
    (
      await place.get<{ items: { status: string; error: { kind: string; message: string } | null }[] }>(
        '/runs',
      )
    ).data.items
  const readWaiting = async (place: BuildProject) =>
    (await place.get<{ queued: { waiting: object | null }[] }>('/build/queue')).data.queued[0]?.waiting

  test('every model call of a month is counted, including failed calls and calls of deleted projects', async () => {
    leaves({
      events: { 'ticket.updated': 1, 'project.deleted': 1 },
      activity: { 'project.deleted': 1 },
      jobs: { build: 1 },
    })
    assert.deepEqual(await readUse(), { month: '2026-06', used: 0, monthly: null, perTicket: null })
    // The first response has no text, so the call is repeated. The first call's tokens count too.
    const place = await world.openProject([{ usage: USAGE }, HELLO])
    assert.equal((await place.build()).status, 200)
    assert.equal((await readUse()).used, 2 * EACH)
    const usage = await place.get<{ month: Use }>('/usage')
    assert.deepEqual(usage.data.month, await readUse())
    await place.call('DELETE ')
    assert.equal((await readUse()).used, 2 * EACH)
  })

  test('a build that reaches the monthly token limit stops before the next model call, and the next build gets its files', async () => {
    leaves({
      events: { 'ticket.updated': 1, 'ticket.build.failed': 2 },
      activity: { 'token_limits.updated': 2 },
      jobs: { build: 2 },
    })
    const place = await world.openProject([WRITE, HELLO])
    const set = await allowTokens(EACH)
    assert.equal(set.data.monthly, set.data.used + EACH)
    const frames = await place.stream()
    const end = frames.at(-1)
    const expected = `The organization used 3,000 of its 3,000 tokens for June 2026. An owner or admin can raise the limit under Models; the next month begins on 1 July 2026 (UTC).`
    assert.deepEqual([end?.type, end?.['kind'], end?.['message']], ['error', 'budget', expected])
    assert.equal((await place.calls()).length, 1)
    assert.ok(frames.some(({ type }) => type === 'file'))
    assert.deepEqual((await runsOf(place))[0]?.error, { kind: 'budget', message: expected })
    for (const route of ['', '/stream']) {
      const refused = await place.call(`POST /tickets/${place.ticketId}/build${route}`, {})
      assert.deepEqual(
        [refused.status, refused.error?.code, refused.error?.message],
        [403, 'forbidden', expected],
      )
    }
    assert.equal((await runsOf(place)).length, 1)
    // The next build starts with the files that the stopped build wrote, and reaches the new limit too.
    await allowTokens(EACH)
    await place.build()
    const call = (await place.calls()).at(-1)
    assert.match(JSON.stringify(call?.request.messages), /plants = 3.*The files are as it left them/)
  })

  test('the retry of a model call is refused when the first attempt used up the token limit', async () => {
    leaves({ ...A_FAILED_BUILD, ...CHANGED })
    const place = await world.openProject([{ usage: USAGE }, HELLO])
    await allowTokens(EACH)
    await place.build()
    assert.equal((await runsOf(place))[0]?.error?.kind, 'budget')
    assert.equal((await place.calls()).length, 1)
  })

  test('concurrent builds exceed the token limit by at most one call each', async () => {
    leaves({
      events: { 'ticket.updated': 3, 'ticket.build.failed': 3 },
      activity: { 'token_limits.updated': 1 },
      jobs: { build: 3 },
    })
    const places: BuildProject[] = []
    while (places.length < 3) places.push(await world.openProject([{ ...WRITE, repeat: true }]))
    const { data } = await allowTokens(1)
    const held = places.map((place) => place.hold(1))
    const builds = places.map((place) => place.build())
    for (const place of places) await place.until(async () => (await place.calls()).length === 1)
    for (const goOn of held) goOn()
    await Promise.all(builds)
    assert.equal((await readUse()).used, data.used + 3 * EACH)
    for (const place of places) assert.equal((await place.calls()).length, 1)
  })

  test('a build queue that waits for the monthly token limit continues at midnight UTC on the first of the next month', async () => {
    leaves({ ...A_BUILD, ...CHANGED })
    const place = await world.openProject([HELLO])
    await setLimits({ monthly: EACH })
    await place.call('POST /build/queue', { ticketIds: [place.ticketId] })
    await place.until(async () => (await readWaiting(place)) !== null)
    assert.deepEqual(await readWaiting(place), { reason: 'tokens', until: '2026-07-01T00:00:00.000Z' })
    const { clock } = world.app
    clock.advance(Date.parse('2026-06-30T23:59:59.999Z') - clock.now().getTime())
    assert.equal((await place.build()).error?.code, 'forbidden')
    clock.advance(1)
    assert.deepEqual(await readUse(), { month: '2026-07', used: 0, monthly: EACH, perTicket: null })
    await place.until(async () => (await runsOf(place))[0]?.status === 'succeeded')
    assert.equal((await readUse()).used, EACH)
  })

  test('a ticket that has used up its own token limit is not built by hand or from the queue, but other tickets are built', async () => {
    leaves({
      events: { 'ticket.created': 1, 'ticket.updated': 2, 'ticket.build.failed': 1 },
      jobs: { build: 2 },
      ...CHANGED,
    })
    const place = await world.openProject([WRITE, HELLO])
    await setLimits({ perTicket: EACH })
    await place.build()
    const [run] = await runsOf(place)
    assert.equal(run?.error?.kind, 'budget')
    assert.match(run?.error?.message ?? '', /^The builds of this ticket used 1,000 of the 1,000 tokens/)
    assert.equal((await place.build()).error?.message, run?.error?.message)
    const other = await place.addTicket()
    await place.call('POST /build/queue', { ticketIds: [place.ticketId, other] })
    await place.until(async () => (await runsOf(place))[0]?.status === 'succeeded')
    const ticket = await place.get(`/tickets/${place.ticketId}`)
    assert.match(JSON.stringify(ticket.data), /"ticket_tokens"/)
  })

  test('at the token limit the planning agent stops its reply and takes no message, and tickets are created without a model', async () => {
    leaves({ events: { 'ticket.created': 2 }, activity: { 'token_limits.updated': 1 } })
    const create = { name: 'create_ticket', args: { title: 'Records of plants', body: '' } }
    const place = await world.openProject([{ toolCalls: [create], usage: USAGE }, HELLO])
    await allowTokens(EACH)
    const reply = await place.call<{ status: string; error: { kind: string } }>('POST /plan/message', {
      text: 'Track my plants',
    })
    assert.equal((await place.calls()).length, 1, JSON.stringify(reply))
    const thread = await place.get<{ items: { error: { kind: string } | null }[] }>('/plan/messages')
    assert.ok(
      thread.data.items.some(({ error }) => error?.kind === 'budget'),
      JSON.stringify(thread.data),
    )
    for (const [route, body] of [
      ['message', { text: 'Go on' }],
      ['stream', { text: 'Go on' }],
      ['retry', {}],
    ] as const) {
      const refused = await place.call(`POST /plan/${route}`, body)
      assert.deepEqual([refused.status, refused.error?.code], [403, 'forbidden'], route)
    }
    const captured = await place.call<{ title: string }>('POST /tickets/capture', {
      text: 'Water the plants',
    })
    assert.equal(captured.data.title, 'Water the plants')
    assert.equal((await place.calls()).length, 1)
  })

  test('a token limit is a whole number of at least 1,000, and belongs to the organization', async () => {
    leaves(CHANGED)
    await setLimits({ monthly: 5_000, perTicket: 2_000 })
    for (const [field, value] of [
      ['monthly', 999],
      ['monthly', -1],
      ['perTicket', 1_500.5],
      ['perTicket', '2000'],
    ] as const) {
      const { status, error } = await setLimits({ [field]: value as number })
      assert.deepEqual([status, error?.message.startsWith(`${field}: `)], [400, true])
    }
    assert.equal((await world.person.call('PUT /connections/models/limits', { monthly: null })).status, 400)
    const { monthly, perTicket } = await readUse()
    assert.deepEqual([monthly, perTicket], [5_000, 2_000])
    const stranger = await world.app.signUp()
    world.app.effects.prepared({})
    const theirs = await stranger.call<Use>('GET /connections/models/limits')
    assert.deepEqual(theirs.data, { month: '2026-07', used: 0, monthly: null, perTicket: null })
  })
})
