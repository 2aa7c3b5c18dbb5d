import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { type MinimalApp, openMinimalApp } from '../testing/apps/minimal-app.ts'

const MAX = 3

describe('organizations per person', () => {
  let database: TestDatabase
  let app: MinimalApp
  let count = 0
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [], { organizationsPerPerson: MAX })
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  const createOrganization = (cookie: string) =>
    app.send('POST', '/api/auth/organization/create', { cookie }, { name: 'More', slug: `more-${++count}` })
  const ownedBy = async (userId: string) =>
    (await database.db.selectFrom('member').select('id').where('userId', '=', userId).execute()).length

  test('a person can create organizations up to the configured limit; one more is refused and leaves nothing behind', async () => {
    const ada = await app.signUp('Ada')
    for (let owned = 1; owned < MAX; owned++) assert.equal((await createOrganization(ada.cookie)).status, 200)
    const before = await countOrganizations()
    const refused = await createOrganization(ada.cookie)
    assert.equal(refused.status, 409)
    const { error } = (await refused.json()) as { error: { code: string; message: string } }
    assert.equal(error.code, 'conflict')
    assert.match(error.message, /You own 3 organizations.*SLIPWAY_ORGANIZATIONS_PER_PERSON/)
    assert.deepEqual([await countOrganizations(), await ownedBy(ada.userId)], [before, MAX])
  })

  test('ten simultaneous creations of organizations stop at the limit, and each created organization is complete', async () => {
    const eve = await app.signUp('Eve')
    const answers = await Promise.all(Array.from({ length: 10 }, () => createOrganization(eve.cookie)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      ...Array<number>(MAX - 1).fill(200),
      ...Array<number>(11 - MAX).fill(409),
    ])
    const complete = await database.db
      .selectFrom('member')
      .innerJoin('organization_settings', 'org_id', 'organizationId')
      .select('org_id')
      .where('userId', '=', eve.userId)
      .execute()
    assert.equal(complete.length, MAX)
  })

  test('organizations in which a person is only a member do not count against the limit', async () => {
    const [host, guest] = [await app.signUp('Host'), await app.signUp('Guest')]
    for (let i = 0; i < MAX; i++) {
      const made = (await (await createOrganization(host.cookie)).json()) as { id?: string }
      if (made.id === undefined) continue
      const body = { email: guest.email, role: 'member', organizationId: made.id }
      const invited = await app.send('POST', '/api/auth/organization/invite-member', host, body)
      const { id: invitationId } = (await invited.json()) as { id: string }
      await app.send('POST', '/api/auth/organization/accept-invitation', guest, { invitationId })
    }
    assert.equal(await ownedBy(guest.userId), MAX)
    assert.equal((await createOrganization(guest.cookie)).status, 200)
  })

  const countOrganizations = async () =>
    (await database.db.selectFrom('organization').select('id').execute()).length
})
