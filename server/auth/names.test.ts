import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { invitationMail } from '../mail/templates.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { type MinimalApp, openMinimalApp, PASSWORD } from '../testing/apps/minimal-app.ts'

const REFUSED = [
  'Your account is locked - http://evil.test/unlock',
  'Go to WWW.evil.test',
  'evil.test/unlock now',
  'write to help@evil.test',
  'Two\nlines',
  'Acme \u202Eemca',
]
const TAKEN = [
  'Ada Lovelace',
  "O'Neill & Söhne GmbH",
  'Booking.com',
  'J. R. R. Tolkien',
  'Node.js / Deno',
  '高橋',
]

describe('names of people and organizations in mails', () => {
  let database: TestDatabase
  let app: MinimalApp
  let count = 0
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [])
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  /** Lists every route that sets a name, so that all of them are tested. */
  const waysToName = async (name: string) => {
    const ada = await app.signUp(`Ada ${++count}`)
    const { organizationId } = await database.db
      .selectFrom('member')
      .select('organizationId')
      .where('userId', '=', ada.userId)
      .executeTakeFirstOrThrow()
    const email = `named${count}@acme.test`
    const postAsAda = (path: string, body: object) => app.send('POST', `/api/auth/${path}`, ada, body)
    return {
      'a sign-up': () => postAsAda('sign-up/email', { name, email, password: PASSWORD }),
      'a change of the profile': () => postAsAda('update-user', { name }),
      'a new organization': () => postAsAda('organization/create', { name, slug: `named-${count}` }),
      'a renamed organization': () => postAsAda('organization/update', { organizationId, data: { name } }),
    }
  }

  for (const name of REFUSED)
    test(`the name ${JSON.stringify(name)} of a person or organization is refused on every route with the name of the field`, async () => {
      for (const [way, send] of Object.entries(await waysToName(name))) {
        const answer = await send()
        const { error } = (await answer.json()) as { error?: { code: string; message: string } }
        assert.deepEqual([answer.status, error?.code], [400, 'invalid_request'], way)
        assert.match(error?.message ?? '', /^(data\.)?name: must not contain /, way)
      }
    })

  test('a name of 60,000 characters is refused within a second, also when a check of its text would take far longer', async () => {
    const name = 'a@'.repeat(30_000)
    const begun = performance.now()
    const answer = await app.send(
      'POST',
      '/api/auth/sign-up/email',
      {},
      {
        name,
        email: 'long@acme.test',
        password: PASSWORD,
      },
    )
    const { error } = (await answer.json()) as { error?: { code: string; message: string } }
    assert.equal(answer.status, 400)
    assert.match(error?.message ?? '', /^name: /)
    assert.ok(performance.now() - begun < 1000, `${performance.now() - begun} ms`)
  })

  test('ordinary names of people and organizations, even with a dot, are accepted on every route', async () => {
    for (const name of TAKEN)
      for (const [way, send] of Object.entries(await waysToName(name)))
        assert.equal((await send()).status, 200, `${way}: ${name}`)
  })

  test('an update of an organization is refused with 400 when the request has no known field or is nested too deeply', async () => {
    const ada = await app.signUp(`Ada ${++count}`)
    const metadata: unknown = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
    for (const data of [{}, { none: 1 }, { metadata }]) {
      const answer = await app.send('POST', '/api/auth/organization/update', ada, { data })
      const { error } = (await answer.json()) as { error?: { code: string; message: string } }
      assert.deepEqual([answer.status, error?.code], [400, 'invalid_request'])
      assert.match(error?.message ?? '', /^data: /)
    }
  })

  test('a URL or e-mail address in the name of an organization or inviter does not become a link in an invitation mail', () => {
    const message = invitationMail({
      organization: 'Locked - http://evil.test/unlock',
      inviter: 'help@evil.test',
      role: 'member',
      url: 'https://slipway.test/invite/1',
    })
    for (const text of [message.subject, message.text, message.html]) {
      assert.doesNotMatch(text, /evil\.test|@evil|http:\/\/evil/)
      assert.match(text, /evil/)
    }
    assert.match(message.text, /https:\/\/slipway\.test\/invite\/1/)
  })
})
