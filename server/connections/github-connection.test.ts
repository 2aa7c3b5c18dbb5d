import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { bodyResponse, closeProviders, startProvider } from '../cloudflare/testing.ts'
import { openDatabase } from '../db/database.ts'
import { makeKeyring } from '../crypto/keyring.ts'
import { newSecrets } from '../crypto/secrets.ts'
import { systemClock } from '../lib/clock.ts'
import { silentLog } from '../testing/database.ts'
import { storeGithubConnection } from './github-connection.ts'

describe('connecting the code host', () => {
  after(closeProviders)
  const keyring = makeKeyring(newSecrets())

  test('a new code host token is revoked, and the reason thrown, when the host refuses it or its connection cannot be stored', async () => {
    const database = openDatabase({ url: 'postgres://127.0.0.1:1/none', log: silentLog })
    const REVOKED = 'DELETE /applications/id/token {"access_token":"secret"}'
    for (const [user, message] of [
      [bodyResponse({ message: 'Bad credentials' }, 401), /Connect it again/],
      [bodyResponse({ id: 5, login: 'ada' }), /ECONNREFUSED/],
    ] as const) {
      const { options, requests } = await startProvider(user, bodyResponse('', 204))
      const profile = {
        name: 'real' as const,
        api: options.api,
        web: options.api,
        clientId: 'id',
        clientSecret: 's',
      }
      const platform = { db: database.db, clock: systemClock, log: silentLog, keyring }
      const grant = { token: 'secret', scopes: ['repo'], profile }
      await assert.rejects(storeGithubConnection(platform, { orgId: 'o1', actor: 'u1' }, grant), { message })
      assert.equal(requests.map(({ method, url, body }) => `${method} ${url} ${body}`).at(-1), REVOKED)
    }
    await database.close()
  })
})
