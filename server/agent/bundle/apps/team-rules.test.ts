import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { NewInvite, Team } from '@slipway/runtime/team/types.ts'
import { until } from '../../../releases/testing.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { openSocket } from '../../testing/bundle-socket.ts'
import { starterTree } from '../../source/tree.ts'

const PLACES = ['app', 'user', 'team'] as const
const WORDS = ['nobody', 'public', 'members', 'owner', 'team', 'staff'] as const
/** Mia owns the record under test. `left` is a former member of the team who once added a record to it. */
const ACTORS = ['visitor', 'person', 'mia', 'owner', 'left', 'foreign', 'staff', 'system'] as const

type Place = (typeof PLACES)[number]
type Word = (typeof WORDS)[number]
type Actor = (typeof ACTORS)[number]
type Outcome = 'done' | 'refused' | 'conflict'
interface Case {
  place: Place
  read: Word
  write: Word
}

/** The access rule `team` exists only for records of teams. */
const wordsOf = (place: Place) => WORDS.filter((word) => word !== 'team' || place === 'team')
const CASES: Case[] = PLACES.flatMap((place) =>
  wordsOf(place).flatMap((read) => wordsOf(place).map((write) => ({ place, read, write }))),
)
const nameOf = ({ place, read, write }: Case) => `${place}${read}${write}`

const isSignedIn = (actor: Actor) => actor !== 'visitor' && actor !== 'system'
const isInTeam = (actor: Actor) => actor === 'mia' || actor === 'owner'

/**
 * Returns whether an access rule includes an actor, as docs/guides/capabilities/data.md defines it. `isOwn`: the record is the actor's own.
 */
function gives(word: Word, actor: Actor, place: Place, isOwn: boolean): boolean {
  switch (word) {
    case 'public':
      return true
    case 'members':
      return isSignedIn(actor)
    case 'owner':
      return isOwn && (place !== 'team' || isInTeam(actor))
    case 'team':
      return isInTeam(actor)
    default:
      return false
  }
}
const isAboveRules = (actor: Actor) => actor === 'staff' || actor === 'system'

const mayRead = ({ place, read }: Case, actor: Actor, isOwn: boolean) =>
  isAboveRules(actor) || gives(read, actor, place, isOwn)

/** With `public` everyone may add records, and only staff may change them. */
const mayChange = ({ place, write }: Case, actor: Actor, isOwn: boolean) =>
  isAboveRules(actor) || (write !== 'public' && gives(write, actor, place, isOwn))

/** No access rule lets a person add records to the partition of another person or another team. */
function mayCreate({ place, write }: Case, actor: Actor): boolean {
  if (actor === 'system') return true
  if (place === 'user' && actor !== 'mia') return false
  if (place === 'team' && !isInTeam(actor)) return false
  return write === 'owner'
    ? isSignedIn(actor)
    : write === 'staff'
      ? actor === 'staff'
      : gives(write, actor, place, false)
}

/**
 * Returns the outcome of an upsert with the unique code of Mia's record. For an actor who may read the record, the upsert is an
 * update. For any other actor it is an insert, which conflicts with the code.
 */
function upsertOf(one: Case, actor: Actor): Outcome {
  const isOwn = actor === 'mia'
  if (mayRead(one, actor, isOwn)) return mayChange(one, actor, isOwn) ? 'done' : 'refused'
  return mayCreate(one, actor) ? 'conflict' : 'refused'
}

const collectionsOf = (ones: readonly Case[], isOpen: boolean) =>
  Object.fromEntries(
    ones.map((one) => [
      nameOf(one),
      {
        partition: one.place,
        read: isOpen ? 'members' : one.read,
        write: isOpen ? 'members' : one.write,
        fields: {
          text: { type: 'text', search: true },
          code: { type: 'text', unique: true },
          rank: { type: 'integer', index: true },
        },
      },
    ]),
  )
const ROUTES = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

const placed = ({ partition }) => (partition === undefined ? data.system : data.system.of(partition))
export const routes = new Hono()
routes.get('/data/search', async (c) => {
  const query = c.req.query()
  return c.json({ data: await placed(query).search(query.collection, query.q) })
})
routes.post('/data/mutate', async (c) => {
  const body = await c.req.json()
  return c.json({ data: { records: await placed(body).tx(body.ops) } })
})
const whereIn = ({ where }) => (where === undefined ? undefined : JSON.parse(where))
routes.get('/data/:collection', async (c) => {
  const query = c.req.query()
  const { sort } = query
  return c.json({ data: await placed(query).list(c.req.param('collection'), { where: whereIn(query), sort }) })
})
routes.get('/data/:collection/count', async (c) => {
  const query = c.req.query()
  return c.json({ data: await placed(query).count(c.req.param('collection'), whereIn(query)) })
})
routes.get('/data/:collection/:id', async (c) =>
  c.json({ data: await placed(c.req.query()).get(c.req.param('collection'), c.req.param('id')) }))
`
const treeOf = (ones: readonly Case[], isOpen: boolean) =>
  new Map([
    ...starterTree('Rules'),
    [
      'app.json',
      JSON.stringify({
        slipway: 1,
        name: 'Rules',
        uses: ['auth', 'data', 'team'],
        pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
        collections: collectionsOf(ones, isOpen),
      }),
    ],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
    ],
    ['server/routes.ts', ROUTES],
  ])

interface Row {
  id: string
  text?: string
}
interface Listed {
  items: Row[]
}
interface AppResponse<T> {
  status: number
  data: T
}

const OUTCOMES: Record<string, Outcome> = {
  unauthorized: 'refused',
  forbidden: 'refused',
  not_found: 'refused',
  conflict: 'conflict',
}

let cases = 0

const APPS: readonly (readonly Place[])[] = [['team'], ['app', 'user']]

for (const places of APPS)
  describe(`access rules for the records of ${places.join(' and ')}`, () => {
    const ones = CASES.filter(({ place }) => places.includes(place))
    let app: RunningApp
    const cookies: Partial<Record<Actor, string>> = {}
    const partitions: Partial<Record<Place, string>> = {}

    async function call<T>(
      actor: Actor,
      method: string,
      path: string,
      body?: unknown,
    ): Promise<AppResponse<T>> {
      const answer = await app.fetch(`${actor === 'system' ? '/api' : '/_app'}${path}`, {
        method,
        headers: { cookie: cookies[actor] ?? '' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { data } = (await answer.json()) as { data: T }
      return { status: answer.status, data }
    }
    const at = (place: Place) => (place === 'app' ? {} : { partition: partitions[place] ?? '' })
    const read = <T>(actor: Actor, { place }: Case, path: string, more: object = {}) =>
      call<T>(actor, 'GET', `/data/${path}?${new URLSearchParams({ ...at(place), ...more }).toString()}`)
    const write = (actor: Actor, place: Place, ops: object[]) =>
      call(actor, 'POST', '/data/mutate', { mutationId: crypto.randomUUID(), ops, ...at(place) })

    function judge(what: string, answer: AppResponse<unknown>, isAllowed: boolean): void {
      cases++
      if (isAllowed) assert.equal(answer.status, 200, `${what} is allowed`)
      else assert.ok([401, 403, 404].includes(answer.status), `${what} is refused, not ${answer.status}`)
    }
    /**
     * Checks whether a list contains the record under test. For a caller who may not see the record, the list omits the
     * record or is refused as a whole.
     */
    function judgeSight(what: string, { status, data }: AppResponse<Row[]>, isAllowed: boolean): void {
      cases++
      if (isAllowed || status === 200) {
        assert.equal(status, 200, what)
        assert.equal(
          data.some(({ id }) => id === 'target00'),
          isAllowed,
          `${what} ${isAllowed ? 'shows' : 'hides'} it`,
        )
      } else assert.ok([401, 403, 404].includes(status), `${what}: ${status}`)
    }
    /** Checks a count of only the record under test: 1 for a caller who may read the record, else 0 or a refusal. */
    function judgeCount(what: string, { status, data }: AppResponse<number>, isAllowed: boolean): void {
      cases++
      if (isAllowed || status === 200) assert.deepEqual([status, data], [200, isAllowed ? 1 : 0], what)
      else assert.ok([401, 403, 404].includes(status), `${what}: ${status}`)
    }

    async function signUp(actor: Actor, n: number): Promise<string> {
      const answer = await app.fetch('/_app/auth/sign-up', {
        method: 'POST',
        headers: { 'cf-connecting-ip': `10.0.1.${n}` },
        body: JSON.stringify({ email: `${actor}@example.test`, password: 'a long password', name: actor }),
      })
      cookies[actor] = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
      return ((await answer.json()) as { data: { user: Row } }).data.user.id
    }

    async function seed(actor: Actor, place: Place, ids: string[]): Promise<void> {
      const ops = CASES.filter((one) => one.place === place).flatMap((one) =>
        ids.map((id, rank) => ({
          op: 'create',
          collection: nameOf(one),
          id,
          fields: { text: `apple ${id}`, code: id, rank },
        })),
      )
      while (ops.length > 0) assert.equal((await write(actor, place, ops.splice(0, 100))).status, 200)
    }

    before(async () => {
      app = await startApp(treeOf(ones, true), { enabled: ['auth', 'data', 'team'] })
      const ids = new Map<Actor, string>()
      for (const [n, actor] of ACTORS.entries()) if (isSignedIn(actor)) ids.set(actor, await signUp(actor, n))
      await app.operate('setRole', 'production', ids.get('staff'), 'staff')
      const red = (await call<Team>('owner', 'POST', '/team', { name: 'Red' })).data.id
      await call('foreign', 'POST', '/team', { name: 'Blue' })
      for (const actor of ['mia', 'left'] as const) {
        const { url } = (await call<NewInvite>('owner', 'POST', `/team/${red}/invites`, {})).data
        const token = new URL(url).searchParams.get('invite')
        assert.equal((await call(actor, 'POST', '/team/invites/accept', { token })).status, 200)
      }
      partitions.user = ids.get('mia') ?? ''
      partitions.team = red
      const targets = ['target00', ...ACTORS.flatMap((actor) => [`victim_${actor}`, `wired_${actor}`])]
      for (const place of places) await seed('mia', place, targets)
      for (const place of places) if (place !== 'user') await seed('left', place, ['leftover'])
      assert.equal((await call('owner', 'DELETE', `/team/${red}/members/${ids.get('left')}`)).status, 200)
      await app.ship(treeOf(ones, false))
      for (const one of ones)
        await until(
          async () =>
            (await read<Row[]>('system', one, 'search', { collection: nameOf(one), q: 'target00' })).data
              .length === 1,
        )
    })
    after(() => app.stop())

    for (const actor of ACTORS)
      test(`in every collection the actor "${actor}" can read and write exactly the records that the access rules allow`, async () => {
        for (const one of ones) {
          const collection = nameOf(one)
          const what = (op: string) => `${actor}: ${op} in ${one.place}, read ${one.read}, write ${one.write}`
          const isOwn = actor === 'mia'
          const isSeen = mayRead(one, actor, isOwn)
          const where = JSON.stringify({ rank: { lte: 0 } })
          const [got, listed, queried, counted, found] = await Promise.all([
            read(actor, one, `${collection}/target00`),
            read<Listed>(actor, one, collection),
            read<Listed>(actor, one, collection, { where, sort: '-rank' }),
            read<number>(actor, one, `${collection}/count`, { where: JSON.stringify({ code: 'target00' }) }),
            read<Row[]>(actor, one, 'search', { collection, q: 'target00' }),
          ])
          judge(what('get'), got, isSeen)
          judgeSight(what('list'), { ...listed, data: listed.data?.items ?? [] }, isSeen)
          judgeSight(what('query'), { ...queried, data: queried.data?.items ?? [] }, isSeen)
          judgeCount(what('count'), counted, isSeen)
          judgeSight(what('search'), found, isSeen)
          const send = (op: object) => write(actor, one.place, [{ collection, ...op }])
          const fields = { text: 'pear target00' }
          const [updated, removed, created] = await Promise.all([
            send({ op: 'update', id: 'target00', fields }),
            send({ op: 'remove', id: `victim_${actor}` }),
            send({ op: 'create', id: `made_by_${actor}`, fields }),
          ])
          judge(what('update'), updated, mayChange(one, actor, isOwn))
          judge(what('remove'), removed, mayChange(one, actor, isOwn))
          judge(what('create'), created, mayCreate(one, actor))
        }
      })

    test('a former team member can access the records that they created in the team only as a non-member', async () => {
      for (const one of ones.filter(({ place }) => place !== 'user')) {
        const what = (op: string) => `${op} own in ${one.place}, read ${one.read}, write ${one.write}`
        const collection = nameOf(one)
        judge(what('get'), await read('left', one, `${collection}/leftover`), mayRead(one, 'left', true))
        const change = { op: 'update', collection, id: 'leftover', fields: { text: 'pear' } }
        judge(what('update'), await write('left', one.place, [change]), mayChange(one, 'left', true))
      }
    })

    test('a WebSocket receives exactly the records its user may read', async () => {
      for (const place of places) {
        const here = ones.filter((one) => one.place === place)
        const sockets = await Promise.all(
          ACTORS.filter((actor) => actor !== 'system').map(async (actor) => {
            const socket = await openSocket(app, {
              collections: here.map(nameOf),
              cookie: cookies[actor] ?? '',
              ...at(place),
            })
            await socket.next('hello')
            return { actor, socket }
          }),
        )
        // One transaction is sent as one frame, so a record that is missing from the frame was withheld.
        const ops = here.map((one) => ({
          op: 'update',
          collection: nameOf(one),
          id: 'target00',
          fields: { text: 'plum' },
        }))
        assert.equal((await write('system', place, ops)).status, 200)
        for (const { actor, socket } of sockets) {
          const { ops: seen } = (await socket.next('ops')) as unknown as { ops: { collection: string }[] }
          const expected = here.filter((one) => mayRead(one, actor, actor === 'mia')).map(nameOf)
          cases += here.length
          assert.deepEqual(seen.map(({ collection }) => collection).toSorted(), expected.toSorted(), actor)
          socket.close()
        }
      }
    })

    test('a write over a WebSocket follows the same access rules as a request', async () => {
      for (const place of places)
        await Promise.all(
          ACTORS.filter((actor) => actor !== 'system').map(async (actor) => {
            const cookie = cookies[actor] ?? ''
            const socket = await openSocket(app, { collections: [], cookie, ...at(place) })
            await socket.next('hello')
            for (const one of ones.filter((other) => other.place === place)) {
              const change = mayChange(one, actor, actor === 'mia') ? 'done' : 'refused'
              const create = mayCreate(one, actor) ? 'done' : 'refused'
              const fields = { text: 'wired target00' }
              const upsert = (code: string) => ({ op: 'upsert', by: 'code', fields: { ...fields, code } })
              const writes = [
                { expected: change, op: { op: 'update', id: 'target00', fields } },
                { expected: change, op: { op: 'remove', id: `wired_${actor}` } },
                { expected: create, op: { op: 'create', id: `sent_by_${actor}`, fields } },
                { expected: upsertOf(one, actor), op: upsert('target00') },
                { expected: create, op: upsert(`added_by_${actor}`) },
              ]
              for (const { expected, op } of writes) {
                const ops = [{ collection: nameOf(one), ...op }]
                socket.send({ type: 'mutate', mutationId: crypto.randomUUID(), ops })
                const { type, code } = await socket.next('ack', 'nack')
                cases++
                assert.equal(
                  type === 'ack' ? 'done' : (OUTCOMES[String(code)] ?? code),
                  expected,
                  `${actor}: ${JSON.stringify(op)} in ${place}, read ${one.read}, write ${one.write}`,
                )
              }
            }
            socket.close()
          }),
        )
    })

    test('the operator can create, replace and remove records in every collection, whatever the access rules', async () => {
      for (const [n, one] of ones.entries()) {
        const collection = nameOf(one)
        const partition = one.place === 'app' ? 'app' : (partitions[one.place] ?? '')
        const place = { collection, partition, id: `by_operator_${n}` }
        const call = { collection, records: [{ id: place.id, fields: { text: 'fig' } }], isTrial: false }
        const [added] = await app.operate<object[]>('add', 'production', partition, call)
        assert.ok(added !== undefined && !('error' in added), `create in ${collection}`)
        const replaced = await app.operate<Row>('replace', 'production', place, { text: 'date' })
        assert.deepEqual([replaced.id, replaced.text], [place.id, 'date'], `replace in ${collection}`)
        assert.deepEqual(await app.operate('remove', 'production', place), { id: place.id })
        assert.equal((await read('system', one, `${collection}/${place.id}`)).status, 404, collection)
        cases += 3
      }
    })

    test("the operator's lists contain the records of every collection, whatever the access rules", async () => {
      for (const one of ones) {
        const query = { partition: one.place === 'app' ? 'app' : partitions[one.place], limit: 200 }
        const page = await app.operate<Listed>('page', 'production', nameOf(one), query)
        judgeSight(`the operator: ${nameOf(one)}`, { status: 200, data: page.items }, true)
      }
    })
  })

test('the access rules of collections were tested in at least 6,500 combinations of actor, rule and operation', () =>
  assert.ok(cases >= 6500, `${cases} cases`))
