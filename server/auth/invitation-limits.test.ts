import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { type MinimalApp, openMinimalApp } from '../testing/apps/minimal-app.ts'

describe('invitation limits', () => {
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

  const inviteEmail = (cookie: string, email: string, more: object = {}) =>
    app.send('POST', '/api/auth/organization/invite-member', { cookie }, { email, role: 'member', ...more })
  const mailsTo = async (recipient: string) =>
    (await database.db.selectFrom('mails').select('id').where('recipient', '=', recipient).execute()).length
  const assertRefused = async (answer: Response) => {
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 60)
    assert.match(await answer.text(), /"code":"rate_limited"/)
  }

  test('an e-mail address gets at most five invitations a day, over all senders, organizations and spellings', async () => {
    const stranger = 'stranger@example.test'
    const answers = []
    for (let i = 0; i < 5; i++) {
      const { cookie } = await app.signUp(`Sender ${++count}`)
      answers.push((await inviteEmail(cookie, i % 2 === 0 ? stranger : stranger.toUpperCase())).status)
    }
    assert.deepEqual(answers, [200, 200, 200, 200, 200])
    const late = await app.signUp(`Sender ${++count}`)
    await assertRefused(await inviteEmail(late.cookie, stranger))
    assert.equal(await mailsTo(stranger), 5)
    const stored = await database.db
      .selectFrom('invitation')
      .select('id')
      .where('inviterId', '=', late.userId)
      .execute()
    assert.deepEqual(stored, [], 'a refused one is not stored')
    assert.equal((await inviteEmail(late.cookie, 'other@example.test')).status, 200)
  })

  test('resending an invitation counts against the daily limit of its address like a new invitation', async () => {
    const { cookie } = await app.signUp(`Sender ${++count}`)
    const email = 'again@example.test'
    for (let i = 0; i < 5; i++) assert.equal((await inviteEmail(cookie, email, { resend: true })).status, 200)
    await assertRefused(await inviteEmail(cookie, email, { resend: true }))
    assert.equal(await mailsTo(email), 5)
  })

  test('an invitation refused by the rate limit leaves the earlier invitation of that address pending', async () => {
    const { cookie } = await app.signUp(`Sender ${++count}`)
    const email = 'kept@example.test'
    for (let i = 0; i < 5; i++) await inviteEmail(cookie, email)
    await assertRefused(await inviteEmail(cookie, email))
    const rows = database.db.selectFrom('invitation').select('id').where('email', '=', email)
    assert.equal((await rows.where('status', '=', 'pending').execute()).length, 1)
  })

  test('an invitation refused for missing rights does not count against the daily limit of the address', async () => {
    const [host, member] = [await app.signUp(`Host ${++count}`), await app.signUp(`Member ${++count}`)]
    const { id: invitationId, organizationId } = (await (
      await inviteEmail(host.cookie, member.email)
    ).json()) as {
      id: string
      organizationId: string
    }
    await app.send('POST', '/api/auth/organization/accept-invitation', member, { invitationId })
    const outsider = await app.signUp(`Outsider ${++count}`)
    const email = 'free@example.test'
    for (let i = 0; i < 6; i++)
      for (const { cookie } of [member, outsider])
        assert.ok([400, 403].includes((await inviteEmail(cookie, email, { organizationId })).status))
    assert.equal((await inviteEmail(host.cookie, email)).status, 200)
  })

  test('of twenty simultaneous invitations of one address by different people, five are accepted and mailed', async () => {
    const email = 'flood@example.test'
    const senders = await Promise.all(Array.from({ length: 20 }, () => app.signUp(`Sender ${++count}`)))
    const answers = await Promise.all(senders.map(({ cookie }) => inviteEmail(cookie, email)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 5)
    assert.equal(await mailsTo(email), 5)
  })

  test('a person may send fifty invitations an hour, over all their organizations', async () => {
    const { cookie, userId } = await app.signUp(`Sender ${++count}`)
    const create = await app.send(
      'POST',
      '/api/auth/organization/create',
      { cookie },
      { name: 'More', slug: 'more' },
    )
    const { id: second } = (await create.json()) as { id: string }
    const { organizationId: first } = await database.db
      .selectFrom('member')
      .select('organizationId')
      .where('userId', '=', userId)
      .where('organizationId', '!=', second)
      .executeTakeFirstOrThrow()
    for (let i = 0; i < 50; i++) {
      const organizationId = i % 2 === 0 ? first : second
      assert.equal((await inviteEmail(cookie, `guest${i}@example.test`, { organizationId })).status, 200)
    }
    await assertRefused(await inviteEmail(cookie, 'late@example.test', { organizationId: first }))
    assert.equal(await mailsTo('late@example.test'), 0)
  })
})
