import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { tokenPlace } from '../connections/cloudflare-connection.ts'
import { appSaying, type CloudApp, openCloudApp, until } from '../releases/testing.ts'
import type { Client } from '../testing/app.ts'
import { enterOrganization, findInDatabase } from '../testing/traces.ts'
import type { DeletionPlan } from './deletion-plan.ts'
import { leaves } from '../testing/effects.ts'

type Person = Client & { email: string }

describe('deleting an account', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  const readPlan = async (person: Client) => {
    const answer = await person.call<DeletionPlan>('GET /account/deletion')
    assert.equal(answer.status, 200, String(answer.error?.message))
    return answer.data
  }
  const deleteStep = (person: Person, body: object = {}) =>
    person.call<DeletionPlan>('POST /account/deletion/step', { confirm: person.email, ...body })
  const toTheEnd = async (person: Person, body: object = {}) => {
    for (;;) {
      const answer = await deleteStep(person, body)
      assert.equal(answer.status, 200, String(answer.error?.message))
      if (answer.data.deletion !== null) return answer.data
    }
  }
  const userIdOf = async (person: Person) => {
    const { id } = await cloud.app.platform.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow()
    return id
  }
  /** Returns the decrypted access tokens of the organization's cloud account and code host. */
  const tokensOf = async ({ organizationId }: Person) => {
    const { db, keyring } = cloud.app.platform
    const rows = await db
      .selectFrom('connections')
      .selectAll()
      .where('org_id', '=', organizationId)
      .orderBy('provider')
      .execute()
    return rows.map((row) => keyring.open(row.token, tokenPlace(row, 'token')))
  }
  const statuses = async ([atCloud = '', atCodeHost = '']: string[]) => {
    const { cloudflare, github } = cloud.app.platform.config
    const pages = [
      [`${cloudflare.api}/accounts`, atCloud],
      [`${github.api}/user`, atCodeHost],
    ]
    const ask = async ([url = '', token = '']: string[]) =>
      (await cloudFetch(url, { headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' } })).status
    return Promise.all(pages.map(ask))
  }
  const addMember = (organizationId: string, userId: string, role: string) =>
    enterOrganization(cloud.app, { organizationId, userId, role })
  const reassignResource = (resourceName: string, accountId: string) =>
    cloud.app.platform.db
      .updateTable('resources')
      .set({ account_id: accountId })
      .where('name', '=', resourceName)
      .returning('account_id')
      .execute()

  test('deleting an account deletes its projects, cloud resources, records, files, log entries and mails', async () => {
    leaves({
      events: { 'project.created': -1 },
      activity: { 'connection.connected': -2 },
      jobs: { 'connect-local-cloud': -1, 'connect-local-code-host': -1 },
    })
    const canary = `canary${randomUUID().slice(0, 8)}`
    const { person, project, path } = await cloud.personWithProject(canary)
    const userId = await userIdOf(person)
    await cloud.build(project.id, appSaying(canary))
    await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
    await until(async () => {
      const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}`)
      return data.provision.state === 'idle'
    })
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal((await cloudFetch(shipped.data.url)).status, 200, String(shipped.error?.message))
    await person.call(`POST ${path}/tickets`, { title: canary, body: canary }, { 'idempotency-key': canary })
    await person.call('POST /webhooks', { url: `https://${canary}.example.com/`, events: ['*'] })
    await person.call('POST /keys', { name: canary })
    await person.call('POST /projects', { name: `${canary} two` })
    await person.raw('POST /api/auth/request-password-reset', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email }),
    })
    const tokens = await tokensOf(person)
    assert.deepEqual(await statuses(tokens), [200, 200])
    const words = [canary, person.email, person.organizationId, userId, project.slug]
    const { pool } = cloud.app.platform
    assert.ok((await findInDatabase(pool, words)).length > 8)

    const exported = await (await person.raw('GET /account/export')).text()
    assert.ok(exported.includes(canary))
    assert.doesNotMatch(exported, /from 'hono'|new Hono/, 'an export holds no generated code')

    const plan = await readPlan(person)
    assert.partialDeepStrictEqual(plan, { email: person.email, projectsLeft: 2, deletion: null, failed: [] })
    assert.deepEqual(
      plan.organizations.map(({ disposition, projectsLeft, cloudConnected }) => [
        disposition,
        projectsLeft,
        cloudConnected,
      ]),
      [['delete', 2, true]],
    )
    assert.deepEqual(
      plan.projects.map(({ resources }) => resources.length > 0),
      [true, false],
    )
    assert.deepEqual((await readPlan(person)).projects, plan.projects, 'reading changes nothing')

    const done = await toTheEnd(person)
    assert.deepEqual([done.left, done.failed, done.projectsLeft, done.organizations], [[], [], 0, []])
    assert.equal(done.cleared, plan.projects.flatMap(({ resources }) => resources).length)
    assert.ok(done.spent > 0)
    assert.deepEqual(await statuses(tokens), [401, 401], 'the connected accounts grant no access any more')
    assert.equal((await person.call('GET /me')).status, 401)
    assert.equal((await deleteStep(person)).status, 401)
    const mails = await findInDatabase(pool, words)
    assert.deepEqual(mails, ['public.mails'], 'only the mail that says so is left')
    const kinds = await pool.query(`select kind from mails where recipient = $1`, [person.email])
    assert.deepEqual(kinds.rows, [{ kind: 'account-deleted' }])
    assert.equal((await cloudFetch(shipped.data.url)).status, 404)
    // The source of deleted versions is garbage-collected later, but the app's own databases must be gone at once.
    const stored = cloud.findInCloud([canary, project.slug]).filter((place) => place.includes('.sqlite'))
    assert.deepEqual(stored, [])
  })

  test('deleting an account requires the full e-mail address; without it nothing is deleted', async () => {
    const { person } = await cloud.personWithProject()
    for (const confirm of ['', 'delete', person.email.slice(1)]) {
      const answer = await deleteStep(person, { confirm })
      assert.deepEqual([answer.status, answer.error?.code], [400, 'invalid_request'], confirm)
      assert.match(answer.error?.message ?? '', /^confirm: /)
    }
    assert.equal((await person.call('POST /account/deletion/step')).status, 400)
    assert.equal((await readPlan(person)).projectsLeft, 1)
  })

  test("an API key can neither read an account's deletion plan nor run a deletion step", async () => {
    const person = await cloud.app.signUp()
    const key = await cloud.app.keyFor(person)
    for (const route of ['GET /account/deletion', 'POST /account/deletion/step']) {
      const answer = await key.call(route, route.startsWith('POST') ? { confirm: person.email } : undefined)
      assert.deepEqual([answer.status, answer.error?.code], [403, 'forbidden'], route)
    }
  })

  test('an owner can delete the account only once the organization has no other members', async () => {
    leaves({
      events: { 'project.created': -1 },
      activity: { 'connection.connected': -4 },
      jobs: { 'connect-local-cloud': -2, 'connect-local-code-host': -2 },
    })
    const { person } = await cloud.personWithProject()
    const other = await cloud.app.signUp('Otto Other')
    await addMember(person.organizationId, await userIdOf(other), 'member')
    assert.equal((await readPlan(person)).organizations[0]?.disposition, 'blocked')
    const refused = await deleteStep(person)
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    assert.match(refused.error?.message ?? '', /organization, and others are in it/)
    assert.equal((await person.call<{ items: object[] }>('GET /projects')).data.items.length, 1)
    // The member deletes their account and so leaves the organization; the owner is then its only member.
    await toTheEnd(other)
    assert.equal((await readPlan(person)).organizations[0]?.disposition, 'delete')
    assert.ok((await toTheEnd(person)).deletion)
  })

  test("deleting a member's account keeps the organization, its projects and the invitations that the person sent", async () => {
    leaves({
      activity: { 'connection.connected': -2 },
      jobs: { 'connect-local-cloud': -1, 'connect-local-code-host': -1 },
    })
    const { person: owner, path } = await cloud.personWithProject('Stays')
    const leaver = await cloud.app.signUp('Lea Leaver')
    const leaverId = await userIdOf(leaver)
    await addMember(owner.organizationId, leaverId, 'admin')
    const { db } = cloud.app.platform
    await db
      .insertInto('invitation')
      .values({
        id: randomUUID(),
        organizationId: owner.organizationId,
        email: 'new@example.test',
        role: 'member',
        status: 'pending',
        expiresAt: new Date('2027-01-01'),
        inviterId: leaverId,
      })
      .execute()
    assert.deepEqual(
      (await readPlan(leaver)).organizations
        .map(({ disposition, projectsLeft }) => `${disposition} ${projectsLeft}`)
        .toSorted(),
      ['delete 0', 'leave 0'],
    )
    await toTheEnd(leaver)
    assert.equal((await owner.call(`GET ${path}`)).status, 200)
    const invitations = await db
      .selectFrom('invitation')
      .select('inviterId')
      .where('organizationId', '=', owner.organizationId)
      .execute()
    assert.deepEqual(invitations, [{ inviterId: await userIdOf(owner) }])
  })

  test('account deletion names a cloud resource that it cannot remove and stops; with leaveStuck it skips the resource and finishes', async () => {
    leaves({
      events: { 'project.created': -1 },
      activity: { 'connection.connected': -2 },
      jobs: { 'connect-local-cloud': -1, 'connect-local-code-host': -1 },
    })
    const { person, project, path } = await cloud.personWithProject('Stuck')
    await cloud.build(project.id, appSaying('stuck'))
    assert.equal((await person.call(`POST ${path}/deploy`)).status, 200)
    await reassignResource(project.slug, 'another-account')
    const invited = await person.raw('POST /api/auth/organization/invite-member', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: 'late@example.test',
        role: 'member',
        organizationId: person.organizationId,
      }),
    })
    const invitation = (await invited.json()) as { id: string }
    const halted = await deleteStep(person)
    assert.equal(halted.data.deletion, null)
    assert.deepEqual(
      halted.data.failed.map(({ name, projectName }) => [name, projectName]),
      [[project.slug, 'Stuck']],
    )
    assert.match(halted.data.failed[0]?.reason ?? '', /another-account/)
    assert.ok(halted.data.cleared > 0 || halted.data.projects[0]?.resources.length === 1)
    assert.deepEqual((await readPlan(person)).failed, halted.data.failed, 'a later visit shows it too')
    assert.equal((await person.call(`GET ${path}`)).status, 200, 'nothing is erased yet')
    const { data: seen } = await person.call<{ status: string }>(`GET /invitations/${invitation.id}`)
    assert.equal(seen.status, 'cancelled', 'no one joins while the organization is deleted')

    const done = await toTheEnd(person, { leaveStuck: true })
    assert.deepEqual(
      done.left.map(({ name, projectName }) => [name, projectName]),
      [[project.slug, 'Stuck']],
    )
    assert.match(done.left[0]?.detail ?? '', /another-account/)
  })

  test('without a connected cloud account, account deletion names the cloud resources it cannot remove; with leaveStuck it finishes', async () => {
    leaves({
      events: { 'project.created': -1 },
      activity: { 'connection.connected': -2 },
      jobs: { 'connect-local-cloud': -1, 'connect-local-code-host': -1 },
    })
    const { person, project, path } = await cloud.personWithProject('Unplugged')
    await cloud.build(project.id, appSaying('unplugged'))
    assert.equal((await person.call(`POST ${path}/deploy`)).status, 200)
    await cloud.app.platform.db
      .deleteFrom('connections')
      .where('org_id', '=', person.organizationId)
      .execute()
    assert.equal((await readPlan(person)).organizations[0]?.cloudConnected, false)
    const halted = await deleteStep(person)
    assert.match(halted.data.failed[0]?.reason ?? '', /No cloud account is connected/)
    assert.ok((await toTheEnd(person, { leaveStuck: true })).left.length > 0)
  })

  test('a person who is in no organization can still delete their account', async () => {
    leaves({ activity: { 'connection.connected': -2 } })
    const person = await cloud.app.signUp('Nell Nowhere')
    await cloud.app.platform.db.deleteFrom('organization').where('id', '=', person.organizationId).execute()
    assert.equal((await person.call('GET /projects')).status, 403)
    assert.deepEqual((await readPlan(person)).organizations, [])
    assert.ok((await deleteStep(person)).data.deletion)
    assert.equal((await person.call('GET /account/deletion')).status, 401)
  })

  test("deleting an account is refused when any organization to delete, active or not, does not allow the caller's IP address", async () => {
    const person = await cloud.app.signUp('Pia Policy')
    const second = await cloud.app.signUp('Second Owner')
    const userId = await userIdOf(person)
    await addMember(second.organizationId, userId, 'owner')
    await leaveOrganization(second)
    const at = cloud.app.clock.now()
    await cloud.app.platform.db
      .insertInto('security_policies')
      .values({
        org_id: second.organizationId,
        require_sso: false,
        require_two_factor: false,
        session_lifetime_days: null,
        allowed_ips: ['203.0.113.0/24'],
        updated_at: at,
        created_at: at,
      })
      .execute()
    assert.equal((await person.call('GET /projects')).status, 200)
    for (const answer of [await person.call('GET /account/deletion'), await deleteStep(person)])
      assert.deepEqual([answer.status, answer.error?.code], [403, 'ip_not_allowed'])
  })

  /** Removes the person from their organization, so that the organization has one member left. */
  async function leaveOrganization(person: Person) {
    await cloud.app.platform.db
      .deleteFrom('member')
      .where('userId', '=', await userIdOf(person))
      .execute()
  }

  test('two simultaneous account deletion requests delete the account once and send one mail', async () => {
    leaves({
      events: { 'project.created': -1 },
      activity: { 'connection.connected': -2 },
      jobs: { 'connect-local-cloud': -1, 'connect-local-code-host': -1 },
    })
    const { person } = await cloud.personWithProject('Twice')
    const both = await Promise.all([deleteStep(person), deleteStep(person)])
    for (const { status } of both) assert.ok(status === 200 || status === 401, String(status))
    if (both.every(({ data }) => data?.deletion == null)) await toTheEnd(person)
    const { rows } = await cloud.app.platform.pool.query(`select from mails where recipient = $1`, [
      person.email,
    ])
    assert.equal(rows.length, 1)
  })

  test('the foreign keys to the user table with "on delete cascade" are exactly those in the expected list', async () => {
    const { rows } = await cloud.app.platform.pool.query<{ name: string }>(
      `select conrelid::regclass::text || '.' || a.attname as name from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.contype = 'f' and c.confrelid = '"user"'::regclass and c.confdeltype = 'c' order by 1`,
    )
    // Of these rows only invitations belong to an organization. `deletePerson` first makes another member their inviter.
    assert.deepEqual(rows.map(({ name }) => name.replaceAll('"', '')).toSorted(), [
      'account.userId',
      'deletion_runs.user_id',
      'invitation.inviterId',
      'member.userId',
      'passkey.userId',
      'session.userId',
      'twoFactor.userId',
    ])
  })
})
