import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ListedTeam, Team } from '@slipway/runtime/team/types.ts'
import { until } from '../../../releases/testing.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { type Person, teamPeople } from '../../testing/team-people.ts'
import { openSocket } from '../../testing/bundle-socket.ts'
import { starterTree } from '../../source/tree.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Crews',
  uses: ['auth', 'data', 'team', 'meter'],
  roles: ['editor'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    tasks: {
      partition: 'team',
      read: 'team',
      write: 'team',
      fields: { title: { type: 'text', required: true, search: true } },
    },
  },
  meters: [{ key: 'exports', per: 'team', window: 'day', limit: 3 }],
}
const ROUTES = `import { auth, meter, team } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/teams/:id/export', async (c) => {
  const id = c.req.param('id')
  await auth.require(c.req.raw, { team: id })
  return c.json(await meter.require('exports', id))
})
routes.get('/teams/:id', async (c) => c.json(await team.find(c.req.param('id'))))
routes.post('/teams', async (c) => {
  const mine = team.as(c.req.raw)
  const { id } = await mine.create({ name: 'Server made' })
  const { url } = await mine.invite(id, { role: 'editor' })
  return c.json({ id, url, list: await mine.list(), members: await mine.members(id), role: (await mine.get(id)).role })
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('only members of a team can read its records', async () => {
  const [ada, bob, eve] = [await app.signUp('Ada'), await app.signUp('Bob'), await app.signUp('Eve')]
  const red = await app.team('Red', ada, bob)
  const task = await ada.data.of(red).create('tasks', { title: 'Paint' })
  expect((await bob.data.of(red).list('tasks')).items.length).toBe(1)
  expect((await bob.data.of(red).get('tasks', task.id)).title).toBe('Paint')
  await expect(eve.data.of(red).list('tasks')).toReject('forbidden')
  expect((await app.system.of(red).list('tasks')).items.length).toBe(1)
})
`
const PAGE = `import { Page, team } from '@slipway/app/react'
export default () => <Page title="Home">{String(team.list !== undefined)}</Page>
`

describe('the teams of a running app', () => {
  let app: RunningApp
  let people: ReturnType<typeof teamPeople>
  before(async () => {
    const tree = new Map([
      ...starterTree('Crews'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', PAGE],
      ['server/routes.ts', ROUTES],
      ['tests/teams.test.ts', TEST],
    ])
    app = await startApp(tree, {
      enabled: ['auth', 'data', 'team', 'meter'],
      variables: { TEAM_MAX_MEMBERS: '4', TEAM_MAX_PER_USER: '3' },
    })
    people = teamPeople(app)
  })
  after(() => app.stop())

  test('a person can create a team and invite another person by a link, and both see the team with their roles', async () => {
    const { person, invite, tokenOf, accept, details, listOf } = people
    const [ada, bob] = [await person(), await person()]
    const made = await ada.call<Team>('POST', '/_app/team', { name: ' Red ' })
    assert.deepEqual([made.data.name, made.data.role, made.data.members], ['Red', 'owner', 1])
    const { id } = made.data
    assert.match(id, /^t_[a-z0-9]{26}$/)
    const sent = await invite(ada, id, { role: 'editor' })
    assert.equal(new URL(sent.url).origin, app.url.origin)
    assert.equal(new URL(sent.url).pathname, '/teams')
    const joined = await accept(bob, tokenOf(sent))
    assert.deepEqual(joined.data, { ...made.data, role: 'editor', members: 2 })
    const { data } = await details(bob, id)
    assert.deepEqual(
      data.members.map(({ userId, name, role }) => [userId, name, role]),
      [
        [ada.id, 'Person 1', 'owner'],
        [bob.id, 'Person 2', 'editor'],
      ],
    )
    assert.deepEqual([data.invites, data.roles], [[], ['owner', 'member', 'editor']])
    assert.deepEqual(await listOf(bob), [joined.data])
    assert.equal((await ada.call<Team>('PATCH', `/_app/team/${id}`, { name: 'Blue' })).data.name, 'Blue')
    assert.equal((await listOf(bob))[0]?.name, 'Blue')
  })

  test("a team's invitation link works for one person, and a used, revoked, altered or forged one is refused", async () => {
    const { visitor, person, make, invite, tokenOf, accept, listOf } = people
    const [ada, bob, cy] = [await person(), await person(), await person()]
    const id = await make(ada)
    const sent = await invite(ada, id)
    assert.equal((await accept(bob, tokenOf(sent))).status, 200)
    assert.equal((await accept(bob, tokenOf(sent))).status, 200, 'a repeated call of the one who is in')
    const other = await invite(ada, id)
    assert.equal((await ada.call('DELETE', `/_app/team/${id}/invites/${other.id}`)).status, 200)
    assert.equal((await ada.call('DELETE', `/_app/team/${id}/invites/${other.id}`)).status, 404)
    const changed = `${id}.${'0'.repeat(64)}`
    for (const token of [
      tokenOf(sent),
      tokenOf(other),
      changed,
      'x',
      '',
      `t_${'0'.repeat(26)}.${'0'.repeat(64)}`,
    ])
      assert.equal((await accept(cy, token)).status, 404, token)
    assert.equal((await visitor('POST', '/_app/team/invites/accept', { token: tokenOf(sent) })).status, 401)
    assert.deepEqual(await listOf(cy), [])
  })

  test('when many people accept different invitation links at once, only as many join as the team has free places', async () => {
    const { person, make, invite, tokenOf, accept, details, listOf } = people
    const ada = await person()
    const id = await make(ada)
    const guests = await Promise.all(Array.from({ length: 6 }, person))
    const links: string[] = []
    for (const _ of guests) links.push(tokenOf(await invite(ada, id)))
    const answers = await Promise.all(guests.map((who, n) => accept(who, links[n] ?? '')))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 409, 409, 409])
    const { data } = await details(ada, id)
    assert.deepEqual([data.members.length, data.invites.length], [4, 3])
    for (const [n, who] of guests.entries())
      assert.equal((await listOf(who)).length, answers[n]?.status === 200 ? 1 : 0)
  })

  test('of many people who open the same invitation link at once exactly one joins', async () => {
    const { person, make, invite, tokenOf, accept, details } = people
    const ada = await person()
    const id = await make(ada)
    const guests = await Promise.all([person(), person(), person()])
    const token = tokenOf(await invite(ada, id))
    const answers = await Promise.all(guests.map((who) => accept(who, token)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
    assert.equal((await details(ada, id)).data.members.length, 2)
  })

  test('an invitation for an e-mail address can be accepted only by a person who has confirmed the address', async () => {
    const { person, make, invite, tokenOf, accept, details } = people
    const [ada, bob, eve] = [await person(), await person(), await person()]
    const id = await make(ada)
    const sent = await invite(ada, id, { email: bob.email.toUpperCase() })
    for (const who of [eve, bob]) assert.equal((await accept(who, tokenOf(sent))).error?.code, 'forbidden')
    assert.equal((await details(ada, id)).data.invites[0]?.email, bob.email)
  })

  test('a person cannot exceed the allowed number of teams, even with concurrent requests', async () => {
    const { person, make, invite, tokenOf, accept, listOf } = people
    const [ada, bob] = [await person(), await person()]
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ada.call('POST', '/_app/team', { name: 'One of many' })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 409, 409, 409])
    const id = await make(bob)
    const token = tokenOf(await invite(bob, id))
    assert.match((await accept(ada, token)).error?.message ?? '', /in at most/)
    const [first] = await listOf(ada)
    assert.equal((await ada.call('DELETE', `/_app/team/${first?.id}`)).status, 200)
    assert.equal((await accept(ada, token)).status, 200, 'the link is still open')
  })

  test("only a team's owners can invite, rename, set roles, remove members and delete the team", async () => {
    const { visitor, person, make, join } = people
    const [ada, bob, cy] = [await person(), await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob, 'editor')
    await join(ada, id, cy)
    const asks: [string, string, object?][] = [
      ['PATCH', `/_app/team/${id}`, { name: 'Mine' }],
      ['DELETE', `/_app/team/${id}`],
      ['POST', `/_app/team/${id}/invites`, {}],
      ['DELETE', `/_app/team/${id}/invites/x`],
      ['PATCH', `/_app/team/${id}/members/${bob.id}`, { role: 'owner' }],
      ['DELETE', `/_app/team/${id}/members/${cy.id}`],
    ]
    const eve = await person()
    for (const [method, path, body] of asks) {
      assert.equal((await bob.call(method, path, body)).status, 403, `${method} ${path}`)
      assert.equal((await eve.call(method, path, body)).status, 404, `${method} ${path}`)
      assert.equal((await visitor(method, path, body)).status, 401, `${method} ${path}`)
    }
    for (const path of [`/_app/team/${id}`, '/_app/team/t_x', `/_app/team/t_${'0'.repeat(26)}`])
      assert.equal((await eve.call('GET', path)).status, 404)
    assert.equal((await visitor('GET', '/_app/team')).status, 401)
    assert.equal((await visitor('POST', '/_app/team', { name: 'x' })).status, 401)
  })

  test('a request about a team with an invalid name, role or e-mail address is refused with the name of the field', async () => {
    const { person, make } = people
    const ada = await person()
    const id = await make(ada)
    const field = async (method: string, path: string, body: object) =>
      (await ada.call(method, `/_app/team${path}`, body)).error?.field
    for (const name of ['', ' ', 'x'.repeat(101), 7, null]) {
      assert.equal(await field('POST', '', { name }), 'name')
      assert.equal(await field('PATCH', `/${id}`, { name }), 'name')
    }
    for (const role of ['boss', '', 7, null, '__proto__'])
      assert.equal(await field('PATCH', `/${id}/members/${ada.id}`, { role }), 'role')
    assert.equal(await field('POST', `/${id}/invites`, { role: 'boss' }), 'role')
    for (const email of ['x', 7, 'a@b'])
      assert.equal(await field('POST', `/${id}/invites`, { email }), 'email')
    assert.equal((await ada.call('DELETE', `/_app/team/${id}/members/nobody`)).status, 404)
    assert.equal((await ada.call('PATCH', `/_app/team/${id}/members/nobody`, { role: 'owner' })).status, 404)
  })

  test('the last owner of a team cannot step down or leave until there is another owner', async () => {
    const { person, make, listOf, join } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    const leave = () => ada.call('DELETE', `/_app/team/${id}/members/${ada.id}`)
    const role = (who: Person, next: string) =>
      ada.call('PATCH', `/_app/team/${id}/members/${who.id}`, { role: next })
    assert.deepEqual([(await leave()).status, (await role(ada, 'member')).status], [409, 409])
    assert.equal((await role(bob, 'owner')).status, 200)
    assert.equal((await leave()).status, 200)
    assert.deepEqual([(await listOf(ada)).length, (await listOf(bob))[0]?.role], [0, 'owner'])
  })

  test('when the last two owners step down at once, one stays owner', async () => {
    const { person, make, join } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob, 'owner')
    const leave = (who: Person) => who.call('DELETE', `/_app/team/${id}/members/${who.id}`)
    const answers = await Promise.all([leave(ada), leave(bob)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  })

  test('only team members can read team records and find them by search', async () => {
    const { visitor, person, make, join, addTask, tasksOf } = people
    const [ada, bob, eve] = [await person(), await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    assert.equal((await addTask(ada, id)).status, 200)
    assert.deepEqual(
      (await tasksOf(bob, id)).data.items.map(({ title }) => title),
      ['Paint'],
    )
    const search = (who: Person) =>
      who.call<unknown[]>('GET', `/_app/data/search?collection=tasks&q=paint&partition=${id}`)
    await until(async () => (await search(bob)).data.length === 1)
    for (const answer of [await tasksOf(eve, id), await addTask(eve, id), await search(eve)])
      assert.equal(answer.status, 403)
    assert.equal((await visitor('GET', `/_app/data/tasks?partition=${id}`)).status, 401)
    for (const partition of [`t_${'9'.repeat(26)}`, 't_x'])
      assert.equal((await tasksOf(ada, partition)).status, 404)
    assert.equal((await ada.call('GET', '/_app/data/tasks')).status, 400, 'the team must be named')
  })

  test('a removed team member loses access at once, even on an open socket', async () => {
    const { person, make, listOf, join, addTask, tasksOf } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    const open = (who: Person) =>
      openSocket(app, { collections: ['tasks'], partition: id, cookie: who.cookie })
    const [hers, his] = [await open(ada), await open(bob)]
    await addTask(bob, id, 'Before')
    for (const socket of [hers, his]) await socket.next('ops')
    assert.equal((await ada.call('DELETE', `/_app/team/${id}/members/${bob.id}`)).status, 200)
    await his.next('ended')
    assert.deepEqual([(await tasksOf(bob, id)).status, (await addTask(bob, id)).status], [403, 403])
    await addTask(ada, id, 'After')
    await hers.next('ops')
    const again = await open(bob)
    await again.next('hello')
    await addTask(ada, id, 'Later')
    await hers.next('ops')
    again.send({
      type: 'mutate',
      mutationId: crypto.randomUUID(),
      ops: [{ op: 'create', collection: 'tasks', fields: { title: 'Sneaked in' } }],
    })
    // The next message is the refusal, so this socket did not receive the task `Later`.
    assert.equal((await again.next('nack'))['code'], 'forbidden')
    for (const socket of [hers, his, again]) socket.close()
    assert.deepEqual(await listOf(bob), [])
  })

  test("signing out ends the person's WebSocket to the records of their team", async () => {
    const { person, make } = people
    const ada = await person()
    const id = await make(ada)
    const socket = await openSocket(app, { collections: ['tasks'], partition: id, cookie: ada.cookie })
    await ada.call('POST', '/_app/auth/sign-out', {})
    await socket.next('ended')
    socket.close()
  })

  test('the members of a team share its usage limit, which no other person can use', async () => {
    const { visitor, person, make, join } = people
    const [ada, bob, eve] = [await person(), await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    const spend = async (who: Person) => (await who.call('POST', `/api/teams/${id}/export`)).status
    assert.deepEqual(
      [await spend(ada), await spend(bob), await spend(bob), await spend(ada)],
      [200, 200, 200, 429],
    )
    assert.equal(await spend(eve), 403)
    assert.equal((await visitor('POST', `/api/teams/${id}/export`)).status, 401)
    assert.equal((await eve.call('POST', `/api/teams/t_${'9'.repeat(26)}/export`)).status, 403)
  })

  test('server code can create and list teams as the signed-in person, and can read any team without a signed-in person', async () => {
    const { visitor, person } = people
    const ada = await person()
    const { data } = await ada.call<{
      id: string
      url: string
      list: Team[]
      members: object[]
      role: string
    }>('POST', '/api/teams')
    assert.deepEqual([data.list.length, data.members.length, data.role], [1, 1, 'owner'])
    assert.match(data.url, /^http:\/\/127.0.0.1:\d+\/teams\?invite=t_/)
    const found = await visitor<{ name: string; people: { userId: string }[] }>(
      'GET',
      `/api/teams/${data.id}`,
    )
    assert.deepEqual([found.data.name, found.data.people[0]?.userId], ['Server made', ada.id])
    assert.equal(await (await app.fetch(`/api/teams/t_${'9'.repeat(26)}`)).json(), null)
  })

  test('the operator lists all teams, newest first, with members and open invitations', async () => {
    const { person, make, invite, join } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    await invite(ada, id)
    await until(async () => {
      const [first] = await app.operate<ListedTeam[]>('teams', 'production', 1)
      return first?.id === id && first.members === 2 && first.pendingInvites === 1
    })
    const [first] = await app.operate<ListedTeam[]>('teams', 'production', 1)
    assert.deepEqual([first?.name, first?.createdBy], ['Red', ada.id])
  })

  test('a deleted team disappears for everyone, with its records and their search index', async () => {
    const { person, make, invite, tokenOf, accept, listOf, join, addTask, tasksOf } = people
    const [ada, bob] = [await person(), await person()]
    const id = await make(ada)
    await join(ada, id, bob)
    await addTask(ada, id)
    const token = tokenOf(await invite(ada, id))
    assert.equal((await ada.call('DELETE', `/_app/team/${id}`)).status, 200)
    assert.deepEqual([await listOf(ada), await listOf(bob)], [[], []])
    assert.equal((await tasksOf(ada, id)).status, 404)
    assert.equal((await accept(await person(), token)).status, 404)
    const listed = async () =>
      (await app.operate<ListedTeam[]>('teams', 'production', 1000)).some((team) => team.id === id)
    await until(async () => !(await listed()))
    const { partitions } = await app.operate<{ partitions: { name: string }[] }>('contents', 'production')
    assert.equal(
      partitions.some(({ name }) => name === id),
      false,
    )
  })

  test('the tests inside a generated app can add people to teams', async () => {
    const results = (await (await app.ask('tests', '/run')).json()) as { ok: boolean; error: string | null }[]
    assert.deepEqual(
      results.map(({ ok, error }) => [ok, error]),
      [[true, null]],
    )
  })
})
