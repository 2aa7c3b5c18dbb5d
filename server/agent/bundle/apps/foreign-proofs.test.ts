import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { NewInvite, Team } from '@slipway/runtime/team/types.ts'
import { TestAuthenticator } from '@slipway/runtime/auth/sign-in/authenticator.test.fixture.ts'
import { Browser } from '../../testing/browser.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { starterTree } from '../../source/tree.ts'

type Tier = 'production' | 'preview'

const MANIFEST = {
  slipway: 1,
  name: 'Members',
  uses: ['auth', 'team'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const TREE = new Map([
  ...starterTree('Members'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])
/**
 * In the cloud each app has its own keys and host name. Here all apps share one set of keys and one host name, so that no credential is
 * refused only because the key or the host name differs.
 */
const VARIABLES = { AUTH_EMAIL_CODE: 'on', AUTH_PASSKEY: 'on', AUTH_CODE_KEY: 'a key that all have' }
const EMAIL = 'ada@example.test'

/** Ada's credentials of one app in one tier (production or preview), all of them still valid. */
interface Proofs {
  userId: string
  cookie: string
  password: string
  device: TestAuthenticator
  /** The passkey challenge of a sign-in that was not finished. */
  challenge: string
  code: string
  reset: string
  verify: string
  invitation: string
}

const CODE = /\b\d{6}\b/
const LINK = /#([0-9a-f]{64})/

class Ada {
  readonly #app: RunningApp
  readonly #tier: Tier
  readonly browser: Browser

  constructor(app: RunningApp, tier: Tier) {
    this.#app = app
    this.#tier = tier
    this.browser = new Browser(app)
  }

  async prove(password: string): Promise<Proofs> {
    const { browser } = this
    const signUp = { email: EMAIL, password, name: 'Ada' }
    const made = await this.#call<{ user: { id: string } }>('auth/sign-up', signUp)
    const device = new TestAuthenticator(this.#app.url.origin)
    const { challenge } = await this.#call<{ challenge: string }>('auth/passkeys/options', {})
    await this.#call('auth/passkeys', { name: 'Key', credential: device.create(challenge) })
    await this.#call('auth/code', { email: EMAIL })
    const code = CODE.exec(await this.#newestMail())?.[0] ?? ''
    await this.#call('auth/reset', { email: EMAIL })
    const reset = LINK.exec(await this.#newestMail())?.[1] ?? ''
    await this.#call('auth/verify', {})
    const verify = CODE.exec(await this.#newestMail())?.[0] ?? ''
    const { id } = await this.#call<Team>('team', { name: 'Red' })
    const { url } = await this.#call<NewInvite>(`team/${id}/invites`, {})
    const userId = made.user.id
    return {
      userId,
      password,
      device,
      code,
      reset,
      verify,
      cookie: browser.cookies.get('app_session') ?? '',
      challenge: (await this.#call<{ challenge: string }>('auth/passkey/options', {})).challenge,
      invitation: new URL(url).searchParams.get('invite') ?? '',
    }
  }

  async #call<T>(path: string, body: object): Promise<T> {
    const { data, error } = await this.browser.call('POST', `/_app/${path}`, body)
    assert.equal(error, undefined, path)
    return data
  }

  async #newestMail(): Promise<string> {
    const [mail] = await this.#app.operate<{ text: string }[]>('outbox', this.#tier, 1)
    return mail?.text ?? ''
  }
}

/**
 * Sends each credential in `shown` to an app. `own` are Ada's credentials of this app; requests that need a signed-in person use the
 * session in `own`. Returns the error code for each credential, or `accepted`.
 */
async function present(app: RunningApp, shown: Proofs, own: Proofs): Promise<Record<string, string>> {
  const [visitor, stranger, ada] = [new Browser(app), new Browser(app), new Browser(app)]
  ada.cookies.set('app_session', own.cookie)
  stranger.cookies.set('app_session', shown.cookie)
  const send = async (path: string, body: object, who = visitor) =>
    (await who.call('POST', `/_app/${path}`, body)).error?.code ?? 'accepted'
  const { origin } = app.url
  const sign = (challenge: string, userId: string) =>
    send('auth/passkey/verify', { credential: shown.device.get(challenge, userId, { origin }) })
  const { data } = await visitor.call('POST', '/_app/auth/passkey/options', {})
  const { challenge } = data as { challenge: string }
  return {
    session: (await stranger.me()) === null ? 'unauthorized' : 'accepted',
    invitation: await send('team/invites/accept', { token: shown.invitation }, ada),
    verify: await send('auth/verify/confirm', { code: shown.verify }, ada),
    password: await send('auth/sign-in', { email: EMAIL, password: shown.password }),
    'challenge and passkey': await sign(shown.challenge, shown.userId),
    passkey: await sign(challenge, shown.userId),
    'passkey for the person here': await sign(challenge, own.userId),
    code: await send('auth/code/confirm', { email: EMAIL, code: shown.code }),
    // The password reset comes last, because it ends every other session.
    reset: await send('auth/reset/confirm', { token: shown.reset, password: 'a new password' }),
  }
}

const REFUSED = {
  session: 'unauthorized',
  invitation: 'not_found',
  verify: 'invalid_request',
  password: 'unauthorized',
  'challenge and passkey': 'unauthorized',
  passkey: 'unauthorized',
  'passkey for the person here': 'unauthorized',
  code: 'unauthorized',
  reset: 'unauthorized',
}

describe('sessions, codes, links and other credentials of an app and its preview', () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'slipway-tiers-'))
  const start = (tier: Tier, folder?: string) =>
    startApp(TREE, {
      enabled: ['auth', 'team'],
      tier,
      variables: VARIABLES,
      ...(folder !== undefined && { stateFolder: folder }),
    })
  let app: RunningApp
  let [served, inPreview]: Proofs[] = []
  before(async () => {
    app = await start('production', stateFolder)
    served = await new Ada(app, 'production').prove('ada likes apples')
    await app.stop()
    app = await start('preview', stateFolder)
    inPreview = await new Ada(app, 'preview').prove('ada likes pears')
  })
  after(async () => {
    await app.stop()
    rmSync(stateFolder, { recursive: true, force: true })
  })

  test('no credential of the live app is accepted in its preview', async () => {
    assert.deepEqual(await present(app, served!, inPreview!), REFUSED)
  })

  test('no credential of one app or its preview is accepted in another app', async () => {
    const other = await start('production')
    try {
      const there = await new Ada(other, 'production').prove('ada likes plums')
      for (const foreign of [served, inPreview])
        assert.deepEqual(await present(other, foreign!, there), REFUSED)
    } finally {
      await other.stop()
    }
  })

  test("no credential of a preview is accepted in the live app, and the live app's credentials stay valid", async () => {
    await app.stop()
    app = await start('production', stateFolder)
    assert.deepEqual(await present(app, inPreview!, served!), REFUSED)
    const accepted = Object.fromEntries(Object.keys(REFUSED).map((name) => [name, 'accepted']))
    // `present` signs one challenge twice. The first sign-in uses up the challenge, so the second sign-in is refused here as well.
    const once = { 'passkey for the person here': 'unauthorized' }
    assert.deepEqual(await present(app, served!, served!), { ...accepted, ...once })
  })
})
