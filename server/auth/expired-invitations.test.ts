import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { meRoutes } from '../me/me.routes.ts'
import { testDatabase } from '../testing/database.ts'
import { type MinimalApp, openMinimalApp } from '../testing/apps/minimal-app.ts'

describe('expired invitations', () => {
  let database: Database & { drop(): Promise<void> }
  let app: MinimalApp
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, meRoutes)
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  const inviteAs = (owner: { cookie: string }, body: object) =>
    app.send('POST', '/api/auth/organization/invite-member', owner, body)
  const expireInvitation = (id: string) =>
    database.db
      .updateTable('invitation')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute()
  const statusOf = async (id: string) =>
    (await database.db.selectFrom('invitation').select('status').where('id', '=', id).executeTakeFirst())
      ?.status

  for (const resend of [false, true])
    test(`a person can be invited again after an invitation expired${resend ? ', by resending too' : ''}`, async () => {
      const owner = await app.signUp(`Owner ${resend ? 'resends' : 'invites'}`)
      const first = await inviteAs(owner, { email: 'Late@example.test', role: 'member' })
      const { id } = (await first.json()) as { id: string }
      await expireInvitation(id)
      const second = await inviteAs(owner, { email: 'late@example.test', role: 'admin', resend })
      assert.equal(second.status, 200, await second.clone().text())
      const made = (await second.json()) as { id: string; status: string; role: string }
      assert.notEqual(made.id, id)
      assert.deepEqual([made.status, made.role], ['pending', 'admin'])
      assert.equal(await statusOf(id), 'canceled')
    })

  test("inviting an address leaves another organization's invitation of that address unchanged", async () => {
    const [one, other] = [await app.signUp('One'), await app.signUp('Other')]
    const theirs = (await (await inviteAs(other, { email: 'both@example.test', role: 'member' })).json()) as {
      id: string
    }
    await expireInvitation(theirs.id)
    assert.equal((await inviteAs(one, { email: 'both@example.test', role: 'member' })).status, 200)
    assert.equal(await statusOf(theirs.id), 'pending')
  })

  test("the list of an organization's invitations is complete even with more than a hundred invitations", async () => {
    const owner = await app.signUp('Many')
    const sample = (await (
      await inviteAs(owner, { email: 'first@example.test', role: 'member' })
    ).json()) as {
      organizationId: string
      inviterId: string
    }
    const rows = Array.from({ length: 120 }, (_, index) => ({
      id: `accepted-${index}`,
      organizationId: sample.organizationId,
      inviterId: sample.inviterId,
      email: `guest-${index}@example.test`,
      role: 'member',
      status: 'accepted',
      expiresAt: new Date(),
    }))
    await database.db.insertInto('invitation').values(rows).execute()
    const answer = await app.request('/api/auth/organization/list-invitations', {
      headers: { cookie: owner.cookie },
    })
    assert.equal(((await answer.json()) as unknown[]).length, 121)
  })
})
