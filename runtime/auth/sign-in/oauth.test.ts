import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  recordErrors,
  userId,
} from '../../data/partition/objects.test.fixture.ts'
import { replaceFetch, restoreFetch } from '../../testing/fetch.test.fixture.ts'
import type { TeamCallsWithRoles } from '../../team/types.ts'
import type { AuthCalls, OauthResult } from '../types.ts'

const ORIGIN = 'https://app.example.test'
const EXPIRED = { session: null, to: '/sign-in?problem=expired' }
const endedWith = (problem: string) => ({ session: null, to: `${ORIGIN}/sign-in?problem=${problem}` })
const STATE_MS = 600_000
const VISIT = { device: 'desk', from: '' }
const NO_PROVIDER = { code: 'not_found', message: 'There is no such provider.' }
const RESET = 'The object was reset.'
const providerOf = (id: string) =>
  JSON.stringify({
    id,
    title: id,
    clientId: 'app',
    authorizeUrl: `https://${id}.test/authorize`,
    tokenUrl: `https://${id}.test/token`,
    userInfoUrl: `https://${id}.test/user`,
    scopes: ['email'],
  })
const ADA = { id: 'sub-ada', email: 'Ada@Example.TEST', email_verified: true, name: ' Ada ' }

describe('signing in with an account of a provider', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let logged: ReturnType<typeof recordErrors>
  /** The profile of the person who signs in at the provider. */
  let profile: unknown
  /** Returns the response of the provider to a request. */
  let respond: (path: string) => Response
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(() => open())
  afterEach(restoreFetch)
  after(() => ObjectWorld.uninstall())

  async function open(env: Record<string, string> = {}): Promise<void> {
    ObjectWorld.install()
    logged = recordErrors()
    world = new ObjectWorld(modules, {
      AUTH_CODE_KEY: 'key',
      AUTH_PROVIDER_CLUB: providerOf('club'),
      AUTH_CLUB_SECRET: 'secret',
      AUTH_PROVIDER_OTHER: providerOf('other'),
      AUTH_OTHER_SECRET: 'secret',
      AUTH_PROVIDER_MUTE: providerOf('mute'),
      ...env,
    })
    await world.release('r1', { name: 'App', collections: {}, migrations: [] })
    profile = ADA
    respond = (path) => Response.json(path === '/token' ? { access_token: 'access' } : profile)
    replaceFetch(async (url: string) => respond(new URL(url).pathname))
  }
  const call = <Kind extends keyof AuthCalls>(kind: Kind, ask: AuthCalls[Kind]['ask']) =>
    world.run(world.tier().auth(kind, ask))
  async function start(returnTo = '/lists?open=1', provider = 'club') {
    const answer = await call('oauthStart', { provider, origin: ORIGIN, returnTo, from: '' })
    if (!answer.ok) return assert.fail(answer.error.message)
    const { url, ticket } = answer.value
    return { provider, ticket, state: new URL(url).searchParams.get('state') ?? '' }
  }
  async function finish(
    begun: { provider: string; ticket: string; state: string },
    code = 'a code',
  ): Promise<OauthResult> {
    const answer = await call('oauthFinish', { ...begun, code, ...VISIT })
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  const signIn = async (as: unknown = ADA, provider = 'club') => {
    profile = as
    return finish(await start('/', provider))
  }
  const people = async () =>
    (await world.run(world.stub('dir').users('newest', { limit: 9 })))
      .map(({ email, name, emailVerified, methods }) => [email, name, emailVerified, methods])
      .toReversed()
  const failBefore = (kind: string, part: 'dir' | 'data:') => {
    world.before = (object, _method, given) => {
      if (object.startsWith(part) && given === kind) throw new Error(RESET)
    }
  }

  test('the first sign-in creates an account with the profile of the provider, and later sign-ins use that account', async () => {
    const first = await finish(await start())
    assert.equal(first.to, `${ORIGIN}/lists?open=1`)
    const again = await signIn({ ...ADA, email: 'renamed@example.test', name: 'Renamed' })
    assert.ok(first.session !== null && again.session !== null)
    assert.equal(again.session.user.id, first.session.user.id)
    assert.notEqual(again.session.token, first.session.token)
    assert.deepEqual(await people(), [['ada@example.test', 'Ada', true, ['club']]])
  })

  test('a person who has no name at the provider is named after their email address, and a long name is shortened', async () => {
    for (const [sub, name] of [
      ['a', null],
      ['b', '   '],
      ['c', 'n'.repeat(150)],
    ] as const)
      await signIn({ id: sub, email: `${sub}@example.test`, email_verified: true, name })
    assert.deepEqual(
      (await people()).map(([, name]) => name),
      ['a', 'b', 'n'.repeat(100)],
    )
  })

  test('a provider that returns no email address, or an invalid one, creates no account', async () => {
    for (const email of [null, '', 'ada', 5, `a@${'b'.repeat(250)}.test`])
      assert.deepEqual(await signIn({ ...ADA, email }), endedWith('no_email'))
    assert.deepEqual(await people(), [])
  })

  test('at an unknown provider, or one without a secret, a sign-in can be neither started nor completed', async () => {
    for (const provider of ['nowhere', 'mute', '', 'constructor']) {
      const begin = await call('oauthStart', { provider, origin: ORIGIN, returnTo: '/', from: '' })
      assert.deepEqual(begin, { ok: false, error: NO_PROVIDER })
      const end = await call('oauthFinish', { provider, state: '', code: '', ticket: '', ...VISIT })
      assert.deepEqual(end, { ok: false, error: NO_PROVIDER })
    }
  })

  test('an OAuth state works once, for ten minutes, at its own provider and with the cookie of its own sign-in', async () => {
    const used = await start()
    const both = await Promise.all([finish(used), finish(used)])
    assert.deepEqual(
      both.filter(({ session }) => session === null),
      [EXPIRED],
    )
    const late = await start()
    mock.timers.tick(STATE_MS + 1)
    assert.deepEqual(await finish(late), EXPIRED)
    const [one, two] = [await start(), await start()]
    assert.deepEqual(await finish({ ...one, ticket: two.ticket }), EXPIRED)
    assert.deepEqual(await finish({ ...(await start()), ticket: '' }), EXPIRED)
    assert.deepEqual(await finish({ ...(await start()), provider: 'other' }), EXPIRED)
    for (const state of ['', 'x', 'x'.repeat(5000), null, 5])
      assert.deepEqual(await finish({ ...two, state: state as string }), EXPIRED)
    assert.equal((await finish(two)).session?.user.email, 'ada@example.test')
  })

  test('a person whose sign-in at a provider is canceled, refused or fails returns to the app with the reason', async () => {
    assert.deepEqual(await finish(await start(), ''), endedWith('cancelled'))
    for (const answer of [
      () => Response.json({ error: 'invalid_grant', hint: 'secret token' }, { status: 400 }),
      () => new Response('<html>secret token</html>'),
      (path: string) => Response.json(path === '/token' ? { access_token: 'access' } : { email: ADA.email }),
      () => {
        throw new TypeError('fetch failed')
      },
    ]) {
      respond = answer
      assert.deepEqual(await finish(await start()), endedWith('failed'))
    }
    assert.deepEqual(
      logged.map(({ message }) => message),
      [
        'club: refused (token)',
        'club: no usable answer (token)',
        'club: the profile names another account, or none',
        'club: no usable answer (token)',
      ],
    )
    assert.deepEqual(await people(), [])
  })

  test('a provider account is linked to the account with its email address only if app and provider have verified the address', async () => {
    const id = userId('a')
    await world.person(id)
    const email = `${id}@example.test`
    for (const email_verified of [false, 'true', undefined])
      assert.deepEqual(await signIn({ ...ADA, email, email_verified }), endedWith('taken'))
    assert.equal((await signIn({ ...ADA, email })).session?.user.id, id)
    assert.equal((await signIn({ ...ADA, id: 'sub-2', email }, 'other')).session?.user.id, id)
    assert.deepEqual(await people(), [[email, 'A person', true, ['club', 'other']]])
  })

  test("an account without a verified email address is not linked to another provider's account with the same address", async () => {
    await signIn({ ...ADA, email_verified: false })
    assert.deepEqual(await signIn(ADA, 'other'), endedWith('taken'))
    assert.deepEqual(await people(), [['ada@example.test', 'Ada', false, ['club']]])
  })

  test('an account at a provider belongs to one person, and the same subject at another provider belongs to another person', async () => {
    const ben = { id: ADA.id, email: 'ben@example.test', email_verified: true, name: 'Ben' }
    const [one, two] = [await signIn(ADA), await signIn(ben, 'other')]
    assert.notEqual(one.session?.user.id, two.session?.user.id)
    assert.equal((await signIn(ben)).session?.user.id, one.session?.user.id)
  })

  test('while sign-up is closed, a new person needs a valid invitation, and a person with an account can sign in', async () => {
    await open({ AUTH_OPEN_SIGNUP: 'off' })
    assert.deepEqual(await signIn(), endedWith('closed'))
    const token = `t_${'a'.repeat(26)}.${'b'.repeat(64)}`
    for (const page of [`/teams?invite=${token}`, `/other?invite=${token}`, '/teams?invite=', '/teams'])
      assert.deepEqual(await finish(await start(page)), endedWith('closed'))
    const id = userId('a')
    await world.person(id)
    assert.equal((await signIn({ ...ADA, email: `${id}@example.test` })).session?.user.id, id)
  })

  test('a person who is being erased cannot sign in with a provider account that is linked or has the same address', async () => {
    const { session } = await signIn()
    await world.run(world.stub('dir').users('freeze', { id: session?.user.id ?? '' }))
    assert.deepEqual(await signIn(), endedWith('taken'))
    assert.deepEqual(await signIn({ ...ADA, id: 'sub-new' }), endedWith('taken'))
  })

  test('while the app is being moved to another cloud account, no sign-in at a provider can start or finish', async () => {
    const begun = await start()
    await world.run(world.stub('dir').hold(true))
    const message = 'The app is being moved and accepts no changes right now. Try again in a few minutes.'
    const held = { ok: false, error: { code: 'unavailable', message } }
    assert.deepEqual(await call('oauthFinish', { ...begun, code: 'a code', ...VISIT }), held)
    const again = { provider: 'club', origin: ORIGIN, returnTo: '/', from: '' }
    assert.deepEqual(await call('oauthStart', again), held)
    await world.run(world.stub('dir').hold(false))
    assert.notEqual((await finish(begun)).session, null)
  })

  for (const [what, kind, part, next] of [
    ['while the account is being created', 'create', 'data:', 'reserve'],
    ['while the account is being linked', 'link', 'dir', 'idOf'],
  ] as const)
    test(`two simultaneous first sign-ins of one person use one account, even when the second arrives ${what}`, async () => {
      const [one, two] = [await start(), await start()]
      profile = { ...ADA, email_verified: false }
      const gate = Promise.withResolvers<void>()
      let asked = 0
      // Holds the first sign-in until the second one asks the list of people.
      world.before = (object, _method, given) => {
        if (object === 'dir' && given === next && ++asked === 2) gate.resolve()
        return object.startsWith(part) && given === kind ? gate.promise : undefined
      }
      const [first, second] = await Promise.all([finish(one), finish(two)])
      assert.ok(first.session !== null && second.session !== null, `${first.to} ${second.to}`)
      assert.equal(second.session.user.id, first.session.user.id)
      assert.deepEqual(await people(), [['ada@example.test', 'Ada', false, ['club']]])
    })

  test('two simultaneous sign-ins of one person with one invitation both succeed, even if the first has already used it up', async () => {
    await open({ AUTH_OPEN_SIGNUP: 'off' })
    const session = await world.person(userId('o'))
    const team = async <Kind extends keyof TeamCallsWithRoles>(
      kind: Kind,
      ask: TeamCallsWithRoles[Kind]['ask'],
    ) => {
      const answer = await world.run(world.tier().team(kind, ask))
      return answer.ok ? answer.value : assert.fail(answer.error.message)
    }
    const { id } = await team('create', { session, name: 'Gardeners', roles: [] })
    const about = { session, id, email: 'ada@example.test', role: 'member', roles: [], origin: ORIGIN }
    const page = new URL((await team('invite', about)).url)
    const path = page.pathname + page.search
    const [one, two] = [await start(path), await start(path)]
    const gate = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let asked = 0
    world.before = (_object, _method, given) => {
      if (given !== 'admits' || ++asked !== 1) return undefined
      held.resolve()
      return gate.promise
    }
    const late = finish(two)
    await Promise.race([held.promise, late])
    const first = await finish(one)
    const token = page.searchParams.get('invite') ?? ''
    await team('accept', { session: first.session?.token ?? '', token, roles: [] })
    gate.resolve()
    const second = await late
    assert.ok(first.session !== null && second.session !== null, `${first.to} ${second.to}`)
    assert.equal(second.session.user.id, first.session.user.id)
    assert.equal(second.to, page.href)
    assert.equal((await people()).length, 2)
  })

  test('an interrupted first sign-in blocks its email address for a minute, after which signing in succeeds', async () => {
    failBefore('activate', 'dir')
    await assert.rejects(signIn(), { message: RESET })
    world.before = () => {}
    assert.deepEqual(await signIn(), endedWith('taken'))
    mock.timers.tick(60_000)
    assert.notEqual((await signIn()).session, null)
  })

  for (const [what, kind, part] of [
    ['before the account was linked', 'link', 'dir'],
    ['between the two places that store the link', 'link', 'data:'],
    ['before the session was opened', 'open', 'data:'],
  ] as const)
    test(`a first sign-in at a provider that was interrupted ${what} is completed by the next sign-in`, async () => {
      failBefore(kind, part)
      await assert.rejects(signIn(), { message: RESET })
      world.before = () => {}
      const { session } = await signIn()
      assert.deepEqual(await people(), [['ada@example.test', 'Ada', true, ['club']]])
      const own = world.stub(`data:${session?.user.id}`)
      assert.deepEqual(await world.run(own.account('methods', null)), ['club'])
    })
})
