import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testApp, type TestApp } from '../testing/app.ts'
import { commitWhileWaiting } from '../testing/commit-while-waiting.ts'

const MODEL = {
  provider: 'openai-compatible',
  label: 'Mine',
  baseUrl: 'https://models.example.com/v1',
  key: 'key',
  defaultModel: 'm-1',
}

describe('requests of a member whose membership ends meanwhile', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  for (const [route, body] of [
    ['POST /projects', { name: 'Plants' }],
    ['POST /connections/models', MODEL],
    ['PUT /connections/models/limits', { monthly: 5000, perTicket: null }],
    ['POST /webhooks', { url: 'https://example.com/hook', events: ['*'] }],
    ['POST /keys', { name: 'Script' }],
  ] as const)
    test(`${route} returns 403, and not an internal error, when the organization is deleted during the request`, async () => {
      const person = await app.signUp()
      const { status, error } = await commitWhileWaiting(
        app.platform.pool,
        (other) => other.query('delete from organization where id = $1', [person.organizationId]),
        () => person.call(route, body),
      )
      assert.deepEqual(
        [status, error?.code, error?.message],
        [403, 'forbidden', 'You are not a member of this organization.'],
      )
    })

  test('a request of a person whose account is deleted during the request is a 403, and not an internal error', async () => {
    const person = await app.signUp()
    const { status, error } = await commitWhileWaiting(
      app.platform.pool,
      (other) => other.query('delete from "user" where email = $1', [person.email]),
      () => person.call('POST /help', { subject: 'A question', body: 'How do I ship?' }),
    )
    assert.deepEqual([status, error?.code], [403, 'forbidden'])
  })
})
