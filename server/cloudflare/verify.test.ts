import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { bodyResponse, closeProviders, errorResponse, hangUp, okResponse, startProvider } from './testing.ts'
import { isAccepted, tokenState } from './verify.ts'

type Responder = Parameters<typeof startProvider>[0]

const active = okResponse({ status: 'active' })
const refused = errorResponse(401, 1000, 'Invalid API Token')
const PERSON = 'GET /user/tokens/verify'
const ACCOUNT = 'GET /accounts/acc/tokens/verify'

/** Verifies an account's pasted token. An empty `accountId` means that the account is not known yet. */
async function askAbout(answers: Responder[], accountId = 'acc') {
  const { options, seen, requests } = await startProvider(...answers)
  const state = await tokenState({ api: options.api, accountId, credential: { method: 'token' } }, 'pasted')
  assert.deepEqual(new Set(requests.map(({ token }) => token)), new Set(['pasted']))
  return { state, seen }
}

/** Checks whether a sign-in still has access to the account `acc`. */
async function askAboutSignIn(answer: Responder) {
  const { options, requests } = await startProvider(answer)
  const accepted = await isAccepted(
    { api: options.api, accountId: 'acc', credential: { method: 'oauth' } },
    'at',
  )
  assert.deepEqual(
    requests.map(({ method, url, token }) => `${method} ${url} ${token}`),
    ['GET /accounts?page=1&per_page=50 at'],
  )
  return accepted
}

describe('whether Cloudflare accepts a credential', () => {
  after(closeProviders)

  test('an API token that Cloudflare verifies as a user token is active without a second request', async () => {
    assert.deepEqual(await askAbout([active]), { state: 'active', seen: [PERSON] })
  })

  test('an API token that is not a user token is active when Cloudflare verifies it as an account token', async () => {
    assert.deepEqual(await askAbout([refused, active]), { state: 'active', seen: [PERSON, ACCOUNT] })
  })

  test('an API token counts as dead when every endpoint refuses it, or when Cloudflare says that it is disabled or expired', async () => {
    assert.deepEqual(await askAbout([refused]), { state: 'dead', seen: [PERSON, ACCOUNT] })
    assert.deepEqual(await askAbout([refused], ''), { state: 'dead', seen: [PERSON] })
    for (const status of [400, 403, 404]) {
      const { state } = await askAbout([errorResponse(status, 6003, 'Invalid request headers')])
      assert.equal(state, 'dead')
    }
    for (const status of ['disabled', 'expired'])
      assert.deepEqual(await askAbout([okResponse({ status })]), { state: 'dead', seen: [PERSON] })
  })

  test('the state of an API token is unknown when one endpoint gives no clear answer and none accepts the token', async () => {
    const unclear: Responder[] = [
      hangUp,
      errorResponse(429, 10000, 'Slow down'),
      errorResponse(500, 10000, 'Internal error'),
      errorResponse(503, 10000, 'Unavailable'),
      errorResponse(408, 10000, 'Timeout'),
    ]
    for (const answer of unclear) {
      assert.deepEqual(await askAbout([answer, refused]), { state: 'unknown', seen: [PERSON, ACCOUNT] })
      assert.deepEqual(await askAbout([refused, answer]), { state: 'unknown', seen: [PERSON, ACCOUNT] })
      assert.equal((await askAbout([answer, active])).state, 'active')
    }
  })

  test('the page or redirect of a proxy in front of Cloudflare does not count as a refusal of the token', async () => {
    const pages: Responder[] = [
      bodyResponse('<html>Sign in to the network</html>'),
      bodyResponse('<html>Blocked</html>', 403),
      bodyResponse('', 302),
      bodyResponse({ success: true, result: null }),
    ]
    for (const page of pages) assert.equal((await askAbout([page])).state, 'unknown')
  })

  test('a pasted API token counts as accepted unless Cloudflare clearly refuses it', async () => {
    const answers: [Responder, boolean][] = [
      [active, true],
      [refused, false],
      [hangUp, true],
    ]
    for (const [answer, accepted] of answers) {
      const { options } = await startProvider(answer)
      const asked = { api: options.api, accountId: 'acc', credential: { method: 'token' as const } }
      assert.equal(await isAccepted(asked, 'pasted'), accepted)
    }
  })

  test('an OAuth token counts as refused after a 401 response, or when the list of its accounts lacks the connected account', async () => {
    assert.equal(await askAboutSignIn(errorResponse(401, 10000, 'Authentication error')), false)
    assert.equal(await askAboutSignIn(okResponse([{ id: 'other' }])), false)
    assert.equal(await askAboutSignIn(okResponse([])), false)
    assert.equal(await askAboutSignIn(okResponse([{ id: 'other' }, { id: 'acc' }])), true)
  })

  test('an OAuth token counts as accepted when a full page of fifty accounts lacks the connected account, which may be on page two', async () => {
    const others = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `other${n}` }))
    assert.equal(await askAboutSignIn(okResponse(others(50))), true)
    assert.equal(await askAboutSignIn(okResponse(others(49))), false)
  })

  test('an OAuth token counts as accepted in an outage, without permission to list accounts, and after an unexpected response', async () => {
    const answers: Responder[] = [
      hangUp,
      errorResponse(403, 9109, 'Unauthorized to access requested resource'),
      errorResponse(429, 10000, 'Slow down'),
      errorResponse(500, 10000, 'Internal error'),
      bodyResponse('<html>', 200),
      bodyResponse('', 302),
      okResponse(null),
      okResponse([{ name: 'no id' }]),
    ]
    for (const answer of answers) assert.equal(await askAboutSignIn(answer), true)
  })

  test('a verification that the caller has cancelled sends no request and leaves the state of the token unknown', async () => {
    const { options, seen } = await startProvider(active)
    const asked = { api: options.api, accountId: 'acc', credential: { method: 'token' as const } }
    assert.equal(await tokenState({ ...asked, signal: AbortSignal.abort() }, 'pasted'), 'unknown')
    assert.deepEqual(seen, [])
  })
})
