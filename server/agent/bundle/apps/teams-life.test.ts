import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ListedTeam } from '@slipway/runtime/team/types.ts'
import { until } from '../../../releases/testing.ts'
import { starterTree } from '../../source/tree.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { openSocket } from '../../testing/bundle-socket.ts'
import { type Person, teamPeople } from '../../testing/team-people.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Crews',
  uses: ['auth', 'data', 'team', 'meter'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    tasks: { partition: 'team', read: 'team', write: 'team', fields: { title: { type: 'text' } } },
    board: { partition: 'app', read: 'members', write: 'members', fields: { title: { type: 'text' } } },
    diary: { partition: 'user', read: 'owner', write: 'owner', fields: { title: { type: 'text' } } },
  },
  meters: [{ key: 'exports', per: 'team', window: 'day', limit: 3 }],
}
const ROUTES = `import { meter } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/spend/:id', async (c) => c.json(await meter.consume('exports', c.req.param('id'))))
`
const TREE = new Map([
  ...starterTree('Crews'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
  ['server/routes.ts', ROUTES],
])
const start = () => startApp(TREE, { enabled: ['auth', 'data', 'team', 'meter'] })

interface Erasure {
  removed: Record<string, number>
  kept: { sharedRecords: number }
}
interface Contents {
  release: unknown
  partitions: { name: string; head: unknown }[]
}

describe('teams when people are erased and projects move', () => {
  let app: RunningApp
  let people: ReturnType<typeof teamPeople>
  before(async () => {
    app = await start()
    people = teamPeople(app)
  })
  after(() => app.stop())

  const erase = (id: string) => app.operate<Erasure>('erase', 'production', id)
  const teams = () => app.operate<ListedTeam[]>('teams', 'production', 1000)
  const contents = () => app.operate<Contents>('contents', 'production')

  test('erasing the owner of a team makes its longest-standing member the owner, and removes every trace of the person', async () => {
    const { person, make, join, invite, addTask, details, tasksOf } = people
    const [ada, bob, cy] = [await person(), await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    await join(ada, id, cy)
    await invite(ada, id)
    await addTask(ada, id, 'Paint')
    const report = await erase(ada.id)
    assert.equal(report.removed['teamMemberships'], 1)
    assert.equal(report.removed['teamInvitations'], 1)
    assert.equal(report.kept.sharedRecords, 1)
    const { data } = await details(bob, id)
    assert.deepEqual(
      data.members.map(({ userId, role }) => [userId, role]),
      [
        [bob.id, 'owner'],
        [cy.id, 'member'],
      ],
    )
    assert.deepEqual(
      (await tasksOf(bob, id)).data.items.map(({ title }) => title),
      ['Paint'],
    )
    assert.equal((await teams()).find((team) => team.id === id)?.createdBy, null)
    assert.equal(JSON.stringify(await contents()).includes(ada.id), false)
    assert.equal(JSON.stringify((await tasksOf(bob, id)).data).includes(ada.id), false)
    assert.match((await erase(ada.id).catch(String)) as string, /not_found/)
  })

  test("erasing a person closes the person's WebSockets and discards what the person still writes", async () => {
    const { person, make, join, listOf } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(bob)
    await join(bob, id, ada)
    const places = { own: 'diary', app: 'board', [id]: 'tasks' }
    const write = (collection: string, title: string) => ({
      type: 'mutate',
      mutationId: crypto.randomUUID(),
      ops: [{ op: 'create', collection, fields: { title } }],
    })
    const open = (who: Person, partition: string, collection: string) =>
      openSocket(app, {
        partition,
        collections: [collection],
        cookie: who.cookie,
        // The page of the erased person keeps writing until its connection is closed.
        onFrame: ({ type }, send) => {
          if (who === ada && type === 'ended') for (let n = 0; n < 5; n++) send(write(collection, 'Too late'))
        },
      })
    const sockets = await Promise.all(
      Object.entries(places).map(([partition, collection]) => open(ada, partition, collection)),
    )
    const others = await Promise.all(['app', id].map((partition) => open(bob, partition, places[partition]!)))
    await Promise.all([...sockets, ...others].map((socket) => socket.next('hello')))
    for (const [n, collection] of Object.values(places).entries()) {
      sockets[n]?.send(write(collection, 'In time'))
      await sockets[n]?.next('ack')
    }
    await Promise.all(others.map((socket) => socket.next('ops')))

    await erase(ada.id)
    for (const socket of sockets) {
      await socket.next('ended')
      assert.equal(await socket.closed, 4001)
    }
    const titles = async (collection: string, partition: string) => {
      const path = `/_app/data/${collection}?partition=${partition}`
      const { data } = await bob.call<{ items: { title: string }[] }>('GET', path)
      return data.items.map(({ title }) => title)
    }
    assert.deepEqual(await titles('board', 'app'), ['In time'])
    assert.deepEqual(await titles('tasks', id), ['In time'])
    assert.equal(JSON.stringify(await contents()).includes(ada.id), false)
    for (const [partition, collection] of Object.entries(places)) {
      const late = openSocket(app, { partition, collections: [collection], cookie: ada.cookie })
      const seen = await late.then(
        (socket) => socket.next('hello'),
        () => null,
      )
      // A visitor may open the app's partition but sees no member records.
      assert.equal(seen?.['user'] ?? null, null, partition)
    }
    // The sockets of other members stay open.
    for (const [n, collection] of ['board', 'tasks'].entries()) {
      others[n]?.send(write(collection, 'Still here'))
      await others[n]?.next('ack')
      others[n]?.close()
    }
    assert.equal((await listOf(bob)).length, 1)
  })

  test('a team whose only member is erased is removed with its records', async () => {
    const { person, make, addTask, invite, accept, tokenOf } = people
    const ada = await person()
    const id = await make(ada)
    await addTask(ada, id)
    const token = tokenOf(await invite(ada, id))
    assert.equal((await erase(ada.id)).removed['teamMemberships'], 1)
    assert.equal(
      (await teams()).some((team) => team.id === id),
      false,
    )
    assert.equal(
      (await contents()).partitions.some(({ name }) => name === id),
      false,
    )
    assert.equal((await accept(await person(), token)).status, 404)
  })

  test("erasing a person removes the person's id from records in a team that the person had left", async () => {
    const { person, make, join, addTask, tasksOf } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    await addTask(bob, id)
    assert.equal((await bob.call('DELETE', `/_app/team/${id}/members/${bob.id}`)).status, 200)
    const report = await erase(bob.id)
    assert.deepEqual([report.removed['teamMemberships'], report.kept.sharedRecords], [0, 1])
    assert.equal(JSON.stringify((await tasksOf(ada, id)).data).includes(bob.id), false)
  })

  test('erasing a person revokes open invitations to their address', async () => {
    const { person, make, invite, details } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(ada)
    await invite(ada, id, { email: bob.email })
    await until(async () => (await teams()).find((team) => team.id === id)?.pendingInvites === 1)
    assert.equal((await erase(bob.id)).removed['teamInvitations'], 1)
    assert.deepEqual((await details(ada, id)).data.invites, [])
    assert.equal((await teams()).find((team) => team.id === id)?.pendingInvites, 0)
  })

  test('teams cannot change while a project is copied to another Cloudflare account, and the copy has all team data', async () => {
    const { person, make, join, invite, tokenOf, addTask } = people
    const [ada, bob, cy] = [await person(), await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    await addTask(bob, id, 'Moved')
    const token = tokenOf(await invite(ada, id))
    await app.fetch(`/api/spend/${id}`, { method: 'POST' })
    await app.operate('hold', 'production', true)
    for (const [method, path, body] of [
      ['POST', '/_app/team', { name: 'Late' }],
      ['PATCH', `/_app/team/${id}`, { name: 'Late' }],
      ['POST', `/_app/team/${id}/invites`, {}],
      ['DELETE', `/_app/team/${id}/members/${bob.id}`, undefined],
    ] as const)
      assert.equal((await ada.call(method, path, body)).status, 503, `${method} ${path}`)
    assert.equal((await people.accept(cy, token)).status, 503)

    const other = await start()
    try {
      await other.fetch('/_app/data/tasks')
      const { release, partitions } = await contents()
      for (const { name, head } of partitions) {
        await other.operate('takeHead', 'production', name, head, release)
        const { rows } = await app.operate<{ rows: unknown[] }>('rows', 'production', name, null)
        if (rows.length > 0) await other.operate('takeRows', 'production', name, rows)
      }
      const moved = teamPeople(other)
      const at = (cookie: string) => moved.as(cookie)
      const there = { ada: at(ada.cookie), bob: at(bob.cookie), cy: at(cy.cookie) }
      const tasks = await there.bob<{ items: { title: string }[] }>('GET', `/_app/data/tasks?partition=${id}`)
      assert.deepEqual(
        tasks.data.items.map(({ title }) => title),
        ['Moved'],
      )
      assert.equal((await there.cy('GET', `/_app/data/tasks?partition=${id}`)).status, 403)
      assert.equal((await there.cy('POST', '/_app/team/invites/accept', { token })).status, 200)
      assert.equal((await there.cy('GET', `/_app/data/tasks?partition=${id}`)).status, 200)
      const spent = await other.fetch(`/api/spend/${id}`, { method: 'POST' })
      assert.equal(((await spent.json()) as { remaining: number }).remaining, 1)
      await until(async () =>
        (await other.operate<ListedTeam[]>('teams', 'production', 1000)).some(
          (team) => team.id === id && team.members === 3 && team.pendingInvites === 0,
        ),
      )
      await app.operate('wipe', 'production')
      assert.deepEqual(await teams(), [])
      assert.equal((await ada.call('GET', '/_app/team')).status, 401)
    } finally {
      await other.stop()
    }
  })
})
