import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Client, testApp, type TestApp } from '../testing/app.ts'

describe('GET /invitations/:invitationId', () => {
  let app: TestApp
  let owner: Client & { email: string }

  before(async () => {
    app = await testApp()
    owner = await app.signUp('Olga Owner')
  })
  after(() => app.close())

  const insertInvitation = async (
    status = 'pending',
    changes: { role?: string | null; id?: string } = {},
  ) => {
    const id = changes.id ?? `invitation-${status}-${Math.random()}`
    const { userId } = await app.platform.db
      .selectFrom('member')
      .select('userId')
      .where('organizationId', '=', owner.organizationId)
      .executeTakeFirstOrThrow()
    await app.platform.db
      .insertInto('invitation')
      .values({
        id,
        organizationId: owner.organizationId,
        email: `guest-${id}@example.test`,
        role: changes.role === undefined ? 'admin' : changes.role,
        status,
        expiresAt: new Date(app.clock.now().getTime() + 1000),
        inviterId: userId,
      })
      .execute()
    return id
  }

  test('an invitation read without credentials shows organization, inviter, role and status, but no e-mail address', async () => {
    const id = await insertInvitation()
    const answer = await app.nobody.raw(`GET /invitations/${id}`)
    const text = await answer.text()
    assert.equal(answer.status, 200)
    const { data } = JSON.parse(text) as { data: { organization: { name: string } } }
    assert.ok(data.organization.name.length > 0)
    assert.deepEqual(data, {
      organization: { name: data.organization.name },
      inviter: { name: 'Olga Owner' },
      role: 'admin',
      status: 'pending',
    })
    assert.doesNotMatch(text, /@/)
  })

  test('an inviter whose name is an e-mail address is shown without the domain of that address', async () => {
    await app.platform.db
      .updateTable('user')
      .set({ name: 'olga@corp.example' })
      .where('email', '=', owner.email)
      .execute()
    const answer = await app.nobody.call(`GET /invitations/${await insertInvitation('accepted')}`)
    assert.deepEqual(answer.data['inviter'], { name: 'olga' })
  })

  test('each final status of an invitation has the name that the API specification gives it', async () => {
    for (const [stored, status] of [
      ['accepted', 'accepted'],
      ['rejected', 'rejected'],
      ['canceled', 'cancelled'],
    ] as const)
      assert.equal(
        (await app.nobody.call(`GET /invitations/${await insertInvitation(stored)}`)).data['status'],
        status,
      )
  })

  test('a pending invitation is shown as expired after its expiry, and an accepted invitation as accepted', async () => {
    const [pending, accepted] = [
      await insertInvitation('pending', { role: null }),
      await insertInvitation('accepted'),
    ]
    app.clock.advance(999)
    assert.equal((await app.nobody.call(`GET /invitations/${pending}`)).data['status'], 'pending')
    app.clock.advance(1)
    const { data } = await app.nobody.call(`GET /invitations/${pending}`)
    assert.deepEqual([data['status'], data['role']], ['expired', 'member'])
    assert.equal((await app.nobody.call(`GET /invitations/${accepted}`)).data['status'], 'accepted')
  })

  test('reading an unknown invitation returns a 404', async () => {
    for (const id of ['x', '%00', owner.organizationId, '%27%20or%201=1--']) {
      const answer = await app.nobody.call(`GET /invitations/${id}`)
      assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'], id)
    }
  })
})
