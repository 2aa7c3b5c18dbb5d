import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../source/tree.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { TestProvider } from '../../testing/oauth-provider.ts'
import { type Person, teamPeople } from '../../testing/team-people.ts'

interface SignUpResponse {
  status: number
  error: { code: string; message: string } | undefined
  cookie: string
  mail: string
}

const provider = new TestProvider()
const TREE = new Map([
  ...starterTree('Crews'),
  [
    'app.json',
    JSON.stringify({
      slipway: 1,
      name: 'Crews',
      uses: ['auth', 'data', 'team'],
      pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
    }),
  ],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])

/** The app runs as a preview, which shows sign-in codes instead of sending them. */
describe('an app that takes new accounts by invitation only', () => {
  let app: RunningApp
  let people: ReturnType<typeof teamPeople>
  let ada: Person
  let team: string
  let networks = 0

  async function post(path: string, body: object): Promise<SignUpResponse> {
    const response = await app.fetch(path, {
      method: 'POST',
      headers: { 'cf-connecting-ip': `203.0.113.${++networks}` },
      body: JSON.stringify(body),
    })
    const { error, preview } = (await response.json()) as {
      error?: SignUpResponse['error']
      preview?: { mail: { text: string }[] }
    }
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status: response.status, error, cookie, mail: preview?.mail[0]?.text ?? '' }
  }
  const signUp = (name: string, invite?: unknown) =>
    post('/_app/auth/sign-up', {
      email: `${name}@example.test`,
      password: `${name} likes apples`,
      name,
      invite,
    })
  const link = async (body: object = {}) => {
    const invite = await people.invite(ada, team, body)
    return { ...invite, token: people.tokenOf(invite) }
  }
  const addresses = async () =>
    (await app.operate<{ email: string }[]>('users', 'preview', 1000)).map(({ email }) => email)
  const join = (who: SignUpResponse, invite: string) =>
    people.as(who.cookie)('POST', '/_app/team/invites/accept', { token: invite })

  before(async () => {
    const variables = {
      AUTH_OPEN_SIGNUP: 'on',
      AUTH_EMAIL_CODE: 'on',
      AUTH_CODE_KEY: 'a key of this app',
      AUTH_PROVIDER_CLUB: JSON.stringify({
        id: 'club',
        title: 'Club',
        clientId: provider.client.id,
        scopes: ['openid', 'email'],
        ...provider.addresses,
      }),
      AUTH_CLUB_SECRET: provider.client.secret,
    }
    app = await startApp(TREE, {
      enabled: ['auth', 'data', 'team'],
      tier: 'preview',
      variables,
      outbound: (request) => provider.answer(request),
    })
    people = teamPeople(app)
    ada = await people.person()
    team = await people.make(ada)
    variables.AUTH_OPEN_SIGNUP = 'off'
    await app.ship(TREE)
  })
  after(() => app.stop())

  test('an invited person signs up with a password and joins the team with the same link', async () => {
    const { token } = await link({ role: 'member' })
    const bob = await signUp('bob', token)
    assert.deepEqual([bob.status, bob.error], [200, undefined])
    assert.equal((await join(bob, token)).status, 200)
    const { data } = await people.details(ada, team)
    assert.ok(data.members.some(({ name }) => name === 'bob'))
  })

  test('no account can be created without an invitation, or with a used, revoked or forged invitation', async () => {
    const used = await link()
    assert.equal((await join(await signUp('cleo', used.token), used.token)).status, 200)
    const revoked = await link()
    assert.equal((await ada.call('DELETE', `/_app/team/${team}/invites/${revoked.id}`)).status, 200)
    const madeUp = [
      `${team}.${'0'.repeat(64)}`,
      `t_${'0'.repeat(26)}.${'0'.repeat(64)}`,
      team,
      'x',
      { team },
      7,
    ]
    for (const token of [used.token, revoked.token, ...madeUp]) {
      const { status, error } = await signUp('mallory', token)
      assert.deepEqual([status, error?.code], [403, 'forbidden'], String(token))
      assert.match(error?.message ?? '', /by invitation only/)
    }
    for (const token of [undefined, null, ''])
      assert.match(
        (await signUp('mallory', token)).error?.message ?? '',
        /^This app takes no new accounts\.$/,
      )
    assert.ok(!(await addresses()).includes('mallory@example.test'))
  })

  test('an invitation for an email address creates only an account with this address', async () => {
    const { token } = await link({ email: 'Dora@example.test' })
    assert.equal((await signUp('eve', token)).status, 403)
    assert.equal((await signUp('dora', token)).status, 200)
    const all = await addresses()
    assert.deepEqual(
      ['dora', 'eve'].map((name) => all.includes(`${name}@example.test`)),
      [true, false],
    )
  })

  test('of many concurrent sign-ups with one invitation link exactly one creates an account and joins the team', async () => {
    const { token } = await link()
    const names = ['fay', 'gus', 'hal', 'ina', 'jon']
    const answers = await Promise.all(names.map((name) => signUp(name, token)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403, 403, 403, 403])
    const all = await addresses()
    assert.equal(names.filter((name) => all.includes(`${name}@example.test`)).length, 1)
    const winner = answers.find(({ status }) => status === 200)
    assert.ok(winner)
    assert.equal((await join(winner, token)).status, 200)
    // The rejected sign-ups stored nothing, so the same addresses can be used with another invitation at once.
    const late = names[answers.findIndex(({ status }) => status === 403)] ?? ''
    assert.equal((await signUp(late, (await link()).token)).status, 200)
  })

  test("an invitation link that created an account admits no second person, and an existing account's address cannot sign up", async () => {
    const { token } = await link()
    assert.equal((await signUp('bob', token)).error?.code, 'conflict')
    const kim = await signUp('kim', token)
    assert.equal(kim.status, 200)
    const lou = await signUp('lou', (await link()).token)
    assert.equal((await join(lou, token)).status, 404)
    assert.equal((await join(kim, token)).status, 200)
  })

  test('a sign-in code creates an account for an invited person, and no code is sent to a person without an invitation', async () => {
    const { token } = await link()
    const email = 'max@example.test'
    assert.equal((await post('/_app/auth/code', { email })).mail, '')
    const code = /\d{6}/.exec((await post('/_app/auth/code', { email, invite: token })).mail)?.[0] ?? ''
    assert.notEqual(code, '')
    const max = await post('/_app/auth/code/confirm', { email, code, invite: token })
    assert.equal(max.status, 200)
    assert.equal((await join(max, token)).status, 200)
    const uninvited = await post('/_app/auth/code', { email: 'nan@example.test', invite: token })
    assert.deepEqual([uninvited.status, uninvited.mail], [200, ''], 'the link was used')
  })

  test('a correct sign-in code creates no account when the invitation was revoked before the code was entered', async () => {
    const { id, token } = await link()
    const email = 'nan@example.test'
    const code = /\d{6}/.exec((await post('/_app/auth/code', { email, invite: token })).mail)?.[0] ?? ''
    assert.equal((await ada.call('DELETE', `/_app/team/${team}/invites/${id}`)).status, 200)
    const answer = await post('/_app/auth/code/confirm', { email, code, invite: token })
    assert.deepEqual([answer.status, answer.error?.code], [401, 'unauthorized'])
    assert.ok(!(await addresses()).includes(email))
  })

  test('an OAuth sign-in creates an account only if it started on the page of a valid invitation', async () => {
    const { token } = await link()
    async function viaProvider(name: string, returnTo: string): Promise<string> {
      const query = new URLSearchParams({ returnTo })
      const network = { 'cf-connecting-ip': `203.0.113.${++networks}` }
      const start = await app.fetch(`/_app/auth/oauth/club/start?${query.toString()}`, { headers: network })
      const cookie = start.headers.get('set-cookie')?.split(';')[0] ?? ''
      const account = { sub: name, email: `${name}@example.test`, email_verified: true, name }
      const { pathname, search } = new URL(provider.authorize(start.headers.get('location') ?? '', account))
      const end = await app.fetch(pathname + search, { headers: { cookie, ...network } })
      return (end.headers.get('location') ?? '').replace(app.url.origin, '')
    }
    const closed = '/sign-in?problem=closed'
    assert.equal(await viaProvider('ola', '/'), closed)
    assert.equal(await viaProvider('ola', `/elsewhere?invite=${token}`), closed)
    assert.equal(await viaProvider('ola', `/teams?invite=${team}.${'0'.repeat(64)}`), closed)
    assert.equal(await viaProvider('ola', `/teams?invite=${token}`), `/teams?invite=${token}`)
    assert.equal(await viaProvider('pia', `/teams?invite=${token}`), closed, 'the link was used')
    const all = await addresses()
    assert.deepEqual(
      ['ola', 'pia'].map((name) => all.includes(`${name}@example.test`)),
      [true, false],
    )
  })

  test('erasing a person who signed up with a team invitation but never joined the team leaves no trace of them', async () => {
    const { token } = await link()
    assert.equal((await signUp('quinn', token)).status, 200)
    const id = (await app.operate<{ id: string; email: string }[]>('users', 'preview', 1000)).find(
      ({ email }) => email === 'quinn@example.test',
    )?.id
    const report = await app.operate<{ removed: Record<string, number> }>('erase', 'preview', id)
    assert.equal(report.removed['teamInvitations'], 1)
    assert.ok(!JSON.stringify(await app.operate('contents', 'preview')).includes('quinn'))
  })
})
