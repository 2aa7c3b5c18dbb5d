import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ConnectionRow } from '../account-port.ts'
import { bodyResponse, closeProviders, hangUp, startProvider } from '../cloudflare/testing.ts'
import type { Config } from '../config.ts'
import { makeKeyring, UnreadableError } from '../crypto/keyring.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { revoke } from './disconnect.ts'

type Responder = Parameters<typeof startProvider>[0]
const keyringOf = (letter: string) =>
  makeKeyring({
    installId: 'i1',
    auth: [],
    ring: [{ id: 'k1', key: Buffer.alloc(32, letter).toString('base64') }],
  } as unknown as Parameters<typeof makeKeyring>[0])

describe('revoking the grant of a deleted connection', () => {
  after(closeProviders)
  const keyring = keyringOf('a')

  /** A connection whose tokens are sealed as they are in the database. */
  function rowOf(given: Partial<ConnectionRow> & { refresh?: string } = {}): ConnectionRow {
    const row = {
      id: 'con_1',
      org_id: 'o1',
      provider: 'cloudflare',
      profile: 'real',
      method: 'oauth',
      ...given,
    }
    const seal = (column: 'token' | 'refresh_token', text: string) =>
      keyring.seal(text, tokenPlace(row, column))
    return {
      ...row,
      token: seal('token', 'access'),
      refresh_token: given.refresh === undefined ? null : seal('refresh_token', given.refresh),
    } as ConnectionRow
  }
  async function start(answer: Responder) {
    const { options, requests } = await startProvider(answer)
    const client = { clientId: 'id', clientSecret: 'secret' }
    const cloudflare = { name: 'real', oauth: `${options.api}/oauth2`, ...client }
    const github = { name: 'real', api: options.api, web: options.api, ...client }
    return {
      config: { cloudflare, github } as Config,
      sent: () => requests.map(({ method, url, body }) => `${method} ${url} ${body}`),
    }
  }

  test('disconnecting Cloudflare revokes the refresh token, which also ends the access token; without one it revokes the access token', async () => {
    const { config, sent } = await start(bodyResponse(''))
    assert.equal(await revoke({ config, keyring }, rowOf({ refresh: 'again' })), true)
    assert.equal(await revoke({ config, keyring }, rowOf()), true)
    assert.deepEqual(
      sent(),
      ['again', 'access'].map(
        (token) => `POST /oauth2/revoke token=${token}&client_id=id&client_secret=secret`,
      ),
    )
  })

  test('disconnecting GitHub revokes its token at the GitHub API', async () => {
    const { config, sent } = await start(bodyResponse('', 204))
    assert.equal(await revoke({ config, keyring }, rowOf({ provider: 'github' })), true)
    assert.deepEqual(sent(), ['DELETE /applications/id/token {"access_token":"access"}'])
  })

  test('disconnecting an account does not revoke a pasted API token, because the person may use it elsewhere', async () => {
    const { config, sent } = await start(bodyResponse(''))
    assert.equal(await revoke({ config, keyring }, rowOf({ method: 'token' })), false)
    assert.deepEqual(sent(), [])
  })

  test('a token of a local emulator that is switched off is not sent to any provider when its account is disconnected', async () => {
    const { config, sent } = await start(bodyResponse(''))
    for (const provider of ['cloudflare', 'github'] as const)
      assert.equal(await revoke({ config, keyring }, rowOf({ provider, profile: 'local' })), false)
    assert.deepEqual(sent(), [])
  })

  test("revoking a provider's token returns false and throws nothing when the provider refuses or does not respond", async () => {
    for (const answer of [bodyResponse('', 503), hangUp]) {
      const { config } = await start(answer)
      assert.equal(await revoke({ config, keyring }, rowOf()), false)
      assert.equal(await revoke({ config, keyring }, rowOf({ provider: 'github' })), false)
    }
  })

  test('revoking a token that no key decrypts returns false and throws nothing, because its connection is already deleted', async () => {
    const { config, sent } = await start(bodyResponse(''))
    const other = keyringOf('b')
    assert.throws(() => other.open(rowOf().token, tokenPlace(rowOf(), 'token')), UnreadableError)
    for (const row of [rowOf(), rowOf({ refresh: 'again' }), rowOf({ provider: 'github' })])
      assert.equal(await revoke({ config, keyring: other }, row), false)
    assert.deepEqual(sent(), [])
  })
})
