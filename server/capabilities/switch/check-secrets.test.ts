import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../http/errors.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { checkSecrets } from './check-secrets.ts'

const OWN = {
  id: 'club',
  clientId: 'slipway',
  authorizeUrl: 'https://club.test/agree',
  tokenUrl: 'https://club.test/token',
  userInfoUrl: 'https://club.test/me',
}
const SECRET = 'a-canary-secret'

interface ReceivedRequest {
  url: string
  headers: Headers
  body: string
}

/**
 * Checks secrets against a provider that returns the given response. Returns the result or the refusal, and the requests that the
 * provider received.
 */
async function check(
  key: 'auth' | 'connect' | 'ai',
  settings: object,
  given: Record<string, string | null>,
  answer: Response | Error,
  name: 'local' | 'real' = 'real',
) {
  const sent: ReceivedRequest[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, headers: new Headers(init.headers), body: String(init.body) })
    if (answer instanceof Error) throw answer
    return answer.clone()
  }
  const declared = capabilityOf(key)
  const config = { outboundAllow: [], cloudflare: { name } } as never
  try {
    const saved = { settings: declared.settings.parse(settings), given }
    const ownFetch = name === 'real' ? (fetch as typeof globalThis.fetch) : undefined
    return { unchecked: await checkSecrets({ config }, declared, saved, ownFetch), sent }
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return { refused: error, sent }
  }
}
const json = (body: object, status = 200) => Response.json(body, { status })
const signIn = (oauth: object[]) => ({ methods: { oauth } })
const github = signIn([{ id: 'github', clientId: 'slipway' }])

test('a client secret that its provider refuses is not saved, and the error names its field but not its value', async () => {
  for (const answer of [
    json({ error: 'invalid_client' }, 401),
    json({ error: 'incorrect_client_credentials' }),
  ]) {
    const { refused, sent } = await check('auth', github, { githubClientSecret: SECRET }, answer)
    assert.equal(refused?.message, 'secrets.githubClientSecret: is refused by github, so nothing was saved')
    assert.equal(sent[0]?.url, 'https://github.com/login/oauth/access_token')
    assert.match(
      sent[0]?.body ?? '',
      /grant_type=authorization_code.*client_id=slipway.*client_secret=a-canary-secret/,
    )
  }
})

test('the error codes with which Slack and Dropbox refuse a wrong client id or secret are recognized', async () => {
  const said: [id: string, error: string, status: number][] = [
    ['slack', 'bad_client_secret', 200],
    ['slack', 'invalid_client_id', 200],
    ['dropbox', 'invalid_client: Invalid client_id or client_secret', 400],
  ]
  for (const [id, error, status] of said) {
    const providers = [{ id, clientId: 'slipway' }]
    const { refused } = await check(
      'connect',
      { providers },
      { [`${id}ClientSecret`]: SECRET },
      json({ ok: false, error }, status),
    )
    assert.match(refused?.message ?? '', new RegExp(`^secrets\\.${id}ClientSecret`), error)
  }
})

test('a client secret passes the check when the provider refuses only the authorization code or responds with HTML', async () => {
  for (const answer of [
    json({ error: 'bad_verification_code' }),
    json({ error: 'invalid_grant' }, 400),
    json({ ok: false, error: 'invalid_code' }),
    new Response('<html>', { status: 200 }),
  ]) {
    const { unchecked } = await check('auth', signIn([OWN]), { clubClientSecret: SECRET }, answer)
    assert.deepEqual(unchecked, [])
  }
})

test('a client secret is saved as unchecked when its provider cannot be reached', async () => {
  for (const answer of [new Error('no route'), new Response('', { status: 503 })]) {
    const { unchecked } = await check('auth', signIn([OWN]), { clubClientSecret: SECRET }, answer)
    assert.deepEqual(
      unchecked?.map(({ secret }) => secret),
      ['clubClientSecret'],
    )
    assert.match(unchecked?.[0]?.reason ?? '', /^club did not respond to the check/)
    assert.ok(!JSON.stringify(unchecked).includes(SECRET))
  }
})

test('a client secret is sent in the Authorization header and not in the body to a service that requires the header', async () => {
  const providers = [{ id: 'spotify', clientId: 'slipway' }]
  const { refused, sent } = await check(
    'connect',
    { providers },
    { spotifyClientSecret: SECRET },
    json({ error: 'invalid_client' }, 400),
  )
  assert.match(refused?.message ?? '', /^secrets\.spotifyClientSecret/)
  assert.equal(sent[0]?.headers.get('authorization'), `Basic ${btoa(`slipway:${SECRET}`)}`)
  assert.ok(!sent[0]?.body.includes(SECRET))
})

test("a model key is checked at the provider that the model's name begins with", async () => {
  const settings = { model: 'anthropic/claude-sonnet-4-5' }
  const { refused, sent } = await check('ai', settings, { providerKey: SECRET }, json({}, 401))
  assert.equal(refused?.message, 'secrets.providerKey: is refused by Anthropic, so nothing was saved')
  assert.equal(sent[0]?.headers.get('x-api-key'), SECRET)
  const accepted = await check('ai', settings, { providerKey: SECRET }, json({ data: [{ id: 'claude' }] }))
  assert.deepEqual(accepted.unchecked, [])
  const busy = await check('ai', settings, { providerKey: SECRET }, json({}, 429))
  assert.equal(busy.unchecked?.length, 1)
})

test('no provider is called to check removed or malformed secrets, keys of unknown models, or secrets for the local emulator', async () => {
  const answer = json({ error: 'invalid_client' }, 401)
  for (const { sent, unchecked } of [
    await check('auth', github, { githubClientSecret: null }, answer),
    await check('auth', github, { githubClientSecret: '' }, answer),
    await check('auth', github, { otherClientSecret: SECRET }, answer),
    await check('ai', { model: null }, { providerKey: SECRET }, answer),
    await check('ai', { model: 'unheard/of' }, { providerKey: SECRET }, answer),
    await check('auth', github, { githubClientSecret: SECRET }, answer, 'local'),
  ]) {
    assert.deepEqual(sent, [])
    assert.deepEqual(unchecked, [])
  }
})
