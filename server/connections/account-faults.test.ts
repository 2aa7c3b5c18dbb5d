import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ACCOUNT_FAILURES } from '../releases/testing.ts'
import { type ConnectionsApp, openConnectionsApp } from './testing.ts'

describe('the endpoints of the connected Cloudflare account when its calls fail', () => {
  let it: ConnectionsApp
  before(async () => {
    it = await openConnectionsApp()
  })
  after(() => it.close())

  for (const { name, failure, outcome } of ACCOUNT_FAILURES)
    test(`while Cloudflare ${name}, requests that need it return ${outcome[1]}, and the connection is not changed`, async () => {
      const person = await it.newPerson()
      const other = await it.newAccount('Other')
      const row = await it.rowOf(person)
      const accountId = row?.account_id ?? ''
      const restores = await Promise.all([accountId, other.id].map((id) => it.failCalls(id, failure)))
      for (const [route, body] of [
        ['GET /connections/cloudflare/accounts'],
        ['PUT /connections/cloudflare/account', { accountId }],
        ['GET /connections/cloudflare/r2'],
        ['GET /connections/cloudflare/stream'],
        ['POST /connections/cloudflare/token', { token: other.token }],
      ] as const) {
        const failed = await person.call(route, body)
        assert.deepEqual([failed.status, failed.error?.code], outcome, route)
      }
      await Promise.all(restores.map((restore) => restore()))
      assert.deepEqual(await it.rowOf(person), row)
    })
})
