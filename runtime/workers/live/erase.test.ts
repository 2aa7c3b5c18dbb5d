import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { SyncStorage } from 'cloudflare:workers'
import { importObjects, type ObjectModules } from '../../data/partition/objects.test.fixture.ts'
import type { Objects } from '../../kernel/objects/objects.ts'
import { CallList } from '../../call/list.ts'
import { MailStore } from '../../email/store.ts'
import { RoomStore } from '../../live/store.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { OrderCalls } from '../../pay/calls.ts'
import { OrderStore } from '../../pay/store.ts'
import { teamListHandlers } from '../../team/list.ts'
import { membershipHandlers } from '../../team/memberships.ts'
import { TeamStore } from '../../team/store.ts'
import { accountHandlers, userListHandlers } from '../../auth/objects/objects.ts'

const ADA = `u_${'a'.repeat(26)}`
const BOB = `u_${'b'.repeat(26)}`
const RED_TEAM = `t_${'r'.repeat(26)}`
const EMAIL = 'ada@example.test'
const LOST_TEAM = `t_${'l'.repeat(26)}`
const AT = '2026-11-24T10:00:00.000Z'
const FAR_FUTURE = '2099-11-24T10:00:00.000Z'
const NO_HOLD = { isHeld: false, require: () => {} } as never

const TRIP = {
  provider: 'github',
  verifier: 'v',
  redirectUri: 'https://app.test/back',
  sessionId: 's1',
  returnTo: '/',
}

const REPORT = {
  userId: ADA,
  removed: {
    account: 1,
    sessions: 2,
    passkeys: 0,
    identities: 1,
    messages: 1,
    records: 7,
    searchEntries: 4,
    files: 3,
    fileBytes: 60,
    pushDevices: 2,
    teamMemberships: 1,
    teamInvitations: 1,
    meterCounts: 2,
    connectedCredentials: 2,
    timers: 1,
    entitlements: 1,
    subscriptionsCancelled: 0,
    videos: 2,
  },
  kept: { paidOrders: 1, sharedRecords: 5 },
}

function withBoughtBook(orders: OrderStore): OrderStore {
  const [order, now] = [{ id: 'ord_1', product: 'book', kind: 'once' } as const, new Date(AT)]
  const price = { amount: 1200, currency: 'usd' }
  const wish = {
    ...order,
    ...price,
    user: ADA,
    mode: 'live',
    code: null,
    price: 'price_1',
    form: EMAIL,
  } as const
  orders.begin(wish, now)
  const { id, product, kind } = order
  const paid = { what: 'paid', order: id, product, kind, ...price, user: ADA, customer: 'cus_ada' } as const
  const change = { ...paid, payment: 'pi_ada', subscription: null, session: 'cs_ada' }
  orders.settle({ event: 'evt_1', mode: 'live', changes: [change] }, () => true, now)
  return orders
}

let erasePerson: ObjectModules['erasePerson']

type Call = (...args: never[]) => unknown
type Stub = Record<string, Call>

const byKind =
  (handlers: object): Call =>
  (kind: string, ask: unknown) =>
    (handlers as Record<string, (ask: unknown) => unknown>)[kind]?.(ask)

/**
 * Builds an app with real stores for accounts, lists, teams and rooms. All other data of a person is represented by a
 * number of items only. Set `cut` to make one call between objects fail, before or after it has taken effect.
 */
function makeApp() {
  const storages: SyncStorage[] = []
  const openStorage = () => {
    const storage = memoryStorage()
    storages.push(storage)
    return storage
  }
  const directory = openStorage()
  const users = userListHandlers(directory, NO_HOLD)
  const teams = teamListHandlers(directory, () => false)
  const team = new TeamStore(openStorage())
  const orders = withBoughtBook(new OrderStore(directory))
  const atStripe: { subscriptions: { id: string; mode: string }[]; sessions: []; unopened: [] } = {
    subscriptions: [],
    sessions: [],
    unopened: [],
  }
  const own = {
    storage: memoryStorage(),
    records: 7,
    meters: 2,
    connections: 2,
    devices: 2,
    timers: 1,
    videos: 2,
    entries: 4,
    shared: 3,
    inTeam: 2,
  }
  const account = () => accountHandlers(own.storage)
  const files = new Map([10, 20, 30].map((size, n) => [`f${n}`, { id: `f${n}`, size, isHidden: false }]))

  for (const [id, email, name] of [
    [ADA, EMAIL, 'Ada'],
    [BOB, 'bob@example.test', 'Bob'],
  ] as const) {
    users.reserve({ id, email, emailVerified: true, name, role: 'member', createdAt: AT })
    users.activate({ id })
  }
  account().create({
    email: EMAIL,
    emailVerified: true,
    name: 'Ada',
    role: 'member',
    createdAt: AT,
    password: null,
  })
  for (const device of ['phone', 'desk']) account().open({ device, days: 30 })
  users.link({ id: ADA, identity: { provider: 'club', subject: 'ada' } })
  users.keepMail({ to: EMAIL, subject: 'A code', text: '123456' })
  const toBob = { to: ['bob@example.test'], subject: 'A letter', text: 'Hi', html: null, attachments: [] }
  const budget = { reservation: null, goodUntilMs: 0 }
  new MailStore(directory).add(
    { id: 'm1', kind: 'app', mail: { ...toBob, replyTo: EMAIL }, ...budget },
    new Date(),
  )
  // An unfinished connection, a team whose creation was interrupted, and a call whose end was not reported.
  users.issue({
    purpose: 'connect',
    subject: 'h3',
    hash: 'h3',
    payload: JSON.stringify({ ...TRIP, userId: ADA }),
    ttlMs: 1000,
  })
  teams.reserve({ id: LOST_TEAM, name: 'Lost', createdAt: AT, createdBy: ADA })
  const calls = new CallList(directory)
  calls.record([{ place: ADA, room: 'desk/1', atMs: Date.parse(AT) }], true)
  const made = { id: RED_TEAM, name: 'Red', createdAt: AT, createdBy: BOB }
  teams.reserve(made)
  team.create(made)
  const invite = { role: 'member', created_at: AT, expires_at: FAR_FUTURE }
  team.invite({ id: 'i1', hash: 'h1', email: null, created_by: BOB, ...invite })
  team.accept('h1', { userId: ADA, email: EMAIL, emailVerified: true }, 10, AT)
  team.invite({ id: 'i2', hash: 'h2', email: null, created_by: ADA, ...invite })
  const memberships = () => membershipHandlers(own.storage, () => account().read(null) !== null)
  memberships().told({ team: RED_TEAM, isMember: true, rev: 1, isGone: false })

  const room = new RoomStore(openStorage())
  const said = { type: 'say', data: 'by Ada', from: { id: 'p1', userId: ADA } }
  room.append('doc/1', said, { ref: null, limit: 10, nowMs: Date.parse(AT) })
  room.set('doc/1', 'title', 'of Ada', ADA)
  new RoomStore(own.storage).addRoom('doc/1', null)

  const stubs: Record<string, Stub> = {
    dir: {
      users: byKind(users),
      teams: byKind(teams),
      meters: () => {},
      orders: (kind: keyof OrderCalls, { user }: { user: string }) => {
        if (kind === 'atStripe') return { ok: true, value: atStripe }
        return {
          ok: true,
          value: kind === 'count' ? orders.count(user, new Date(AT)) : orders.strip(user),
        }
      },
      pushOwners: () => {},
      rooms: (_kind: 'forgetCalls', { place }: { place: string }) => ({
        ok: true,
        value: calls.forget(place),
      }),
      videos: (kind: string) => {
        const value = kind === 'count' ? own.videos : null
        if (kind === 'removeOf') own.videos = 0
        return { ok: true, value }
      },
      dirCount: () => own.entries,
      dirForget: () => void (own.entries = 0),
    },
    files: {
      files: byKind({
        list: () => {
          const items = [...files.values()].filter(({ isHidden }) => !isHidden)
          return { ok: true, value: { items, nextCursor: null } }
        },
        remove: ({ id }: { id: string }) => {
          const file = files.get(id)
          if (file !== undefined) file.isHidden = true
          return { ok: true, value: null }
        },
        abandon: () => ({
          ok: true,
          value: [...files.values()].filter(({ isHidden }) => isHidden).map(({ id }) => ({ id, key: id })),
        }),
        gone: ({ ids }: { ids: string[] }) => {
          for (const id of ids) files.delete(id)
        },
      }),
    },
    [`data:${ADA}`]: {
      account: (kind: never, ask: never) => byKind(account())(kind, ask),
      memberships: (kind: never, ask: never) => byKind(memberships())(kind, ask),
      rooms: () => ({ ok: true, value: new RoomStore(own.storage).roomNames() }),
      closeSockets: () => {},
      countRecords: () => own.records,
      countMeters: () => own.meters,
      countPushDevices: () => own.devices,
      countTimers: () => own.timers,
      countConnections: () => own.connections,
      connections: byKind({ removeAll: () => void (own.connections = 0) }),
      wipe: () =>
        void Object.assign(own, { storage: memoryStorage(), records: 0, meters: 0, devices: 0, timers: 0 }),
    },
    'room:doc/1': {
      closeSockets: () => {},
      disown: (userId: string) => room.forget(userId),
    },
    'data:app': {
      closeSockets: () => {},
      countOwned: () => own.shared,
      disown: () => void (own.shared = 0),
    },
    [`data:${RED_TEAM}`]: {
      closeSockets: () => {},
      countOwned: () => own.inTeam,
      disown: () => void (own.inTeam = 0),
      countMember: (userId: string, email: string | null) => ({
        memberships: team.member(userId) === null ? 0 : 1,
        invitations: team.invitesOf(userId, email),
      }),
      eraseMember: (userId: string, email: string | null) => team.erase(userId, email),
    },
  }

  let callCount = 0
  const cut = { at: 0, isAfter: false }
  const cutOffCall =
    (call: Call | undefined) =>
    async (...args: never[]) => {
      const isCut = ++callCount === cut.at
      if (isCut && !cut.isAfter) throw new Error('cut off')
      const answer: unknown = await call?.(...args)
      if (isCut) throw new Error('cut off')
      return answer
    }
  const objects = {
    getByName: (name: string) =>
      Object.fromEntries(
        Object.entries(stubs[name] ?? {}).map(([method, call]) => [method, cutOffCall(call)]),
      ),
  } as unknown as Objects
  return {
    users,
    cut,
    calls: () => callCount,
    atStripe,
    /** Without the key of Stripe, no subscription can be cancelled. */
    erase: () => erasePerson({ objects, tier: 'production', env: {} }, ADA, async () => true),
    stored: () =>
      JSON.stringify(
        [...storages, own.storage].flatMap((storage) =>
          storage.sql
            .exec<{ name: string }>("select name from sqlite_master where type = 'table'")
            .toArray()
            .map(({ name }) => storage.sql.exec(`select * from "${name}"`).toArray()),
        ),
      ),
    isEmpty: () =>
      files.size +
        own.connections +
        own.records +
        own.meters +
        own.timers +
        own.entries +
        own.shared +
        own.inTeam ===
      0,
  }
}

describe('erasing a person', () => {
  before(async () => {
    ;({ erasePerson } = await importObjects())
  })

  test('erasing a person reports what was removed, leaves no data of the person, and cannot be repeated', async () => {
    const app = makeApp()
    assert.match(app.stored(), /Ada/)
    assert.deepEqual(await app.erase(), REPORT)
    for (const canary of [ADA, EMAIL, 'Ada', '123456', 'cus_ada', 'pi_ada', 'cs_ada'])
      // One message from the team to the object of the erased person is still queued. This message contains only the id of the person.
      assert.ok(
        !app
          .stored()
          .replaceAll(/\{"user":"u_a+","is_member":0,"rev":\d+\}/g, '')
          .includes(canary),
        canary,
      )
    assert.ok(app.isEmpty())
    await assert.rejects(app.erase(), { code: 'not_found' })
  })

  test('erasing a person removes nothing when their subscription cannot be canceled', async () => {
    const app = makeApp()
    app.atStripe.subscriptions.push({ id: 'sub_1', mode: 'live' })
    await assert.rejects(app.erase(), /the live key of Stripe is missing/)
    const has = ['123456', 'pi_ada', 'book'].map((trace) => app.stored().includes(trace))
    assert.deepEqual(has, [true, false, true], 'a payment is stored as its hash only')
    app.atStripe.subscriptions = []
    assert.deepEqual(await app.erase(), REPORT)
  })

  test('an erasure that was interrupted at any call is completed by repeating it, and then reports everything it removed', async () => {
    const whole = makeApp()
    await whole.erase()
    const steps = whole.calls()
    assert.ok(steps > 30)
    for (let at = 1; at <= steps; at++) {
      for (const isAfter of [false, true]) {
        const app = makeApp()
        Object.assign(app.cut, { at, isAfter })
        await assert.rejects(app.erase(), { message: 'cut off' })
        const [listed] = app.users.newest({ limit: 9 }).filter(({ id }) => id === ADA)
        const where = `call ${at}, ${isAfter ? 'after' : 'before'}`
        // The last call has removed the list entry, and only its response was lost.
        if (at === steps && isAfter) {
          assert.equal(listed, undefined, where)
          await assert.rejects(app.erase(), { code: 'not_found' }, where)
        } else {
          const hasBegun = at > 1 || isAfter
          assert.equal(listed?.erasing, hasBegun, where)
          assert.equal(app.users.find({ id: ADA }) === null, hasBegun, where)
          assert.deepEqual(await app.erase(), REPORT, where)
        }
        assert.ok(app.isEmpty(), where)
        assert.ok(!app.stored().includes(EMAIL), where)
      }
    }
  })
})
