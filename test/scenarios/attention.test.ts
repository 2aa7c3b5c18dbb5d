import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { finish, write } from '../support/scripted-model.ts'
import { type BuildWorld, buildWorld, A_BUILD } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

interface Item {
  projectId: string
  ticketId: string
  runId: string
  state: string
}

const DAY_MS = 24 * 3600 * 1000
const QUESTION = { id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }
const ASK = { toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }
const BUILT = [
  { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
  { toolCalls: [finish()] },
]

describe("the list of tickets that need a person's attention", () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  const readItems = async (projectId: string) =>
    (await world.person.call<{ items: Item[] }>('GET /attention')).data.items.filter(
      (item) => item.projectId === projectId,
    )
  const readStates = async (projectId: string) => (await readItems(projectId)).map(({ state }) => state)

  test("a build's question is in the attention list until its ticket is built, and a built ticket until it is done", async () => {
    leaves({ events: { 'ticket.updated': 3, 'ticket.build.succeeded': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([ASK, ...BUILT])
    assert.deepEqual(await readStates(place.projectId), [])
    await place.build()
    assert.deepEqual(await readStates(place.projectId), ['asking'])
    await place.build({ answers: [] })
    assert.deepEqual(await readStates(place.projectId), ['built'])
    await place.call(`PATCH /tickets/${place.ticketId}`, { status: 'done' })
    assert.deepEqual(await readStates(place.projectId), [])
  })

  test('a failed build is in the attention list until its ticket is moved back to the backlog', async () => {
    leaves({ events: { 'ticket.updated': 2, 'ticket.build.failed': 1 }, jobs: { build: 1 } })
    const place = await world.openProject([{ fault: 'http_401', repeat: true }])
    await place.build()
    const [failed] = await readItems(place.projectId)
    assert.deepEqual([failed?.state, failed?.ticketId], ['failed', place.ticketId])
    await place.call(`PATCH /tickets/${place.ticketId}`, { status: 'backlog' })
    assert.deepEqual(await readStates(place.projectId), [])
  })

  test('an archived project has no items in the attention list until it is unarchived', async () => {
    leaves({
      events: { 'ticket.updated': 1, 'project.archived': 1 },
      activity: { 'project.archived': 1, 'project.unarchived': 1 },
      jobs: { build: 1 },
    })
    const place = await world.openProject([ASK])
    await place.build()
    await place.call('POST /archive')
    assert.deepEqual(await readStates(place.projectId), [])
    await place.call('POST /unarchive')
    assert.deepEqual(await readStates(place.projectId), ['asking'])
  })

  test('the attention list has no items of other organizations, and no ended builds started more than seven days ago', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'Hello.' }])
    await place.build()
    assert.deepEqual(await readStates(place.projectId), ['replied'])
    const stranger = await world.app.signUp()
    assert.deepEqual((await stranger.call<{ items: Item[] }>('GET /attention')).data.items, [])
    world.app.clock.advance(8 * DAY_MS)
    assert.deepEqual(await readStates(place.projectId), [])
  })

  test('a question stays in the attention list after seven days and 200 newer builds, until its ticket is moved to todo', async () => {
    leaves({ events: { 'ticket.created': 1, 'ticket.updated': 2 }, jobs: { build: 1 } })
    const place = await world.openProject([ASK])
    await place.build()
    world.app.clock.advance(8 * DAY_MS)
    const other = await place.call<{ id: string }>('POST /tickets', { title: 'Water plants' })
    const columns = `org_id, project_id, attempt, outcome, stage, trigger, scopes, lease, provider, model, limits, input, files,
      checks, usage, last_seq, deaths`
    await world.app.platform.pool.query(
      `insert into runs (id, ticket_id, status, created_at, ${columns})
       select id || n, $1, 'succeeded', $2, ${columns} from runs, generate_series(1, 200) n where ticket_id = $3`,
      [other.data.id, world.app.clock.now(), place.ticketId],
    )
    assert.deepEqual(await readStates(place.projectId), ['asking'])
    await place.call(`PATCH /tickets/${place.ticketId}`, { status: 'todo' })
    assert.deepEqual(await readStates(place.projectId), [])
  })
})
