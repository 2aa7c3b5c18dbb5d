import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

interface Belongings {
  apiKeys: { id: string; name: string }[]
  webhooks: { id: string; url: string }[]
  ingestSources: { id: string; projectName: string }[]
}
interface Member {
  id: string
  userId: string
}

const KEEP = { apiKeys: 'hand_over', webhooks: 'hand_over', ingestSources: 'hand_over' }

describe('the belongings of a member', () => {
  let app: TestApp
  let owner: Client & { email: string }
  let grace: Client & { email: string }
  let membership: Member
  let projectId: string
  let people = 0
  before(async () => {
    app = await testApp({ localWorld: false, modelBaseUrl: null })
  })
  after(() => app.close())
  beforeEach(async () => {
    owner = await app.signUp(`Owner ${++people}`)
    const project = await owner.call<{ id: string }>('POST /projects', { name: 'Plants' })
    projectId = project.data.id
    app.effects.prepared({ events: { 'project.created': 1 } })
    ;({ person: grace, member: membership } = await addMember('Grace', 'member'))
  })

  const callAuth = (as: Client, path: string, body: object) =>
    app.request(`POST /api/auth/organization/${path}`, {
      headers: { ...as.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const addMember = async (name: string, role: string) => {
    const person = await app.signUp(`${name} ${++people}`)
    const invited = await callAuth(owner, 'invite-member', { email: person.email, role })
    const { id: invitationId } = (await invited.json()) as { id: string }
    const accepted = await callAuth(person, 'accept-invitation', { invitationId })
    const { member } = (await accepted.json()) as { member: Member }
    return { person, member }
  }
  /** Creates a key, a webhook endpoint and an ingest source. Returns their ids, and the text of the key. */
  const makeAll = async (person: Client) => {
    const key = await person.call<{ id: string; key: string }>('POST /keys', { name: 'CI' })
    const hook = { url: 'https://example.com/secret-path', events: ['*'] }
    const webhook = await person.call<{ id: string }>('POST /webhooks', hook)
    const source = await person.call<{ id: string }>('POST /ingest', { projectId })
    return { key: key.data.key, keyId: key.data.id, webhookId: webhook.data.id, sourceId: source.data.id }
  }
  const worksWith = async (key: string) =>
    (await app.request('GET /api/v1/projects', { headers: { authorization: `Bearer ${key}` } })).status
  const removeMember = (as = owner, member = membership) =>
    callAuth(as, 'remove-member', { memberIdOrEmail: member.id })
  const idsOf = async (route: string) => (await owner.call<{ id: string }[]>(route)).data.map(({ id }) => id)
  const listRecorded = async () => {
    const rows = await app.platform.db
      .selectFrom('activity')
      .select(['action', 'actor', 'target', 'project_name', 'detail'])
      .where('org_id', '=', owner.organizationId)
      .where('action', 'like', '%\\_%.%')
      .where('action', 'not like', '%.created')
      .execute()
    const webhooks = await app.platform.db
      .selectFrom('activity')
      .select(['action', 'actor', 'target', 'project_name', 'detail'])
      .where('org_id', '=', owner.organizationId)
      .where('action', 'like', 'webhook.%')
      .where('action', '!=', 'webhook.created')
      .execute()
    return [...rows, ...webhooks].toSorted((a, b) => (a.action < b.action ? -1 : 1))
  }
  const belongingsPath = (member = membership) => `/members/${member.id}/belongings`

  test("a member's API keys, webhooks and ingest sources are listed for owners, admins and that member only", async () => {
    leaves({ activity: { 'api_key.created': 2, 'ingest_source.created': 2, 'webhook.created': 2 } })
    const made = await makeAll(grace)
    await makeAll(owner)
    const { person: admin } = await addMember('Adam', 'admin')
    const { person: other } = await addMember('Otto', 'member')
    for (const reader of [owner, admin, grace]) {
      const { data } = await reader.call<Belongings>(`GET ${belongingsPath()}`)
      assert.deepEqual(
        data.apiKeys.map(({ id, name }) => [id, name]),
        [[made.keyId, 'CI']],
      )
      assert.deepEqual(data.webhooks, [{ id: made.webhookId, url: 'https://example.com/secret-path' }])
      assert.deepEqual(data.ingestSources, [{ id: made.sourceId, projectId, projectName: 'Plants' }])
    }
    assert.equal((await other.call(`GET ${belongingsPath()}`)).error?.code, 'forbidden')
    assert.equal((await grace.call(`POST ${belongingsPath()}`, KEEP)).error?.code, 'forbidden')
  })

  test("another organization gets a 404 for a member's keys and webhooks, and only owners can transfer what an owner created", async () => {
    const stranger = await app.signUp(`Stranger ${++people}`)
    assert.equal((await stranger.call(`GET ${belongingsPath()}`)).status, 404)
    assert.equal((await stranger.call(`POST ${belongingsPath()}`, KEEP)).status, 404)
    const { person: admin } = await addMember('Adam', 'admin')
    const { member: second } = await addMember('Olga', 'owner')
    assert.equal((await admin.call(`POST ${belongingsPath(second)}`, KEEP)).error?.code, 'forbidden')
    assert.equal((await admin.call(`POST ${belongingsPath()}`, KEEP)).status, 200)
    assert.equal((await owner.call(`POST ${belongingsPath(second)}`, KEEP)).status, 200)
  })

  test('removing a member revokes their API keys and keeps their webhooks and ingest sources, each with an activity log entry', async () => {
    leaves({
      activity: {
        'api_key.created': 1,
        'api_key.revoked': 1,
        'ingest_source.created': 1,
        'ingest_source.handed_over': 1,
        'webhook.created': 1,
        'webhook.handed_over': 1,
      },
    })
    const made = await makeAll(grace)
    assert.equal((await removeMember()).status, 200)
    assert.equal(await worksWith(made.key), 401)
    assert.deepEqual(await idsOf('GET /keys'), [])
    assert.deepEqual(await idsOf('GET /webhooks'), [made.webhookId])
    assert.deepEqual(await idsOf('GET /ingest'), [made.sourceId])
    const detail = `${grace.email} is no longer a member`
    const entries = await listRecorded()
    assert.deepEqual(
      entries.map(({ action, actor, detail: said }) => [action, actor, said]),
      ['api_key.revoked', 'ingest_source.handed_over', 'webhook.handed_over'].map((action) => [
        action,
        'slipway',
        detail,
      ]),
    )
    assert.match(entries[0]?.target ?? '', /^CI \(svk_/)
    assert.deepEqual([entries[1]?.target, entries[1]?.project_name], [made.sourceId, 'Plants'])
    assert.equal(entries[2]?.target, 'https://example.com')
    const page = await owner.call<{ items: { id: string }[] }>('GET /activity')
    assert.ok(page.data.items.every(({ id }) => /^act_[0-9a-hjkmnp-tv-z]{26}$/.test(id)))
  })

  test('a member who leaves loses their API keys, and the organization keeps their webhooks and ingest sources', async () => {
    leaves({
      activity: {
        'api_key.created': 1,
        'api_key.revoked': 1,
        'ingest_source.created': 1,
        'ingest_source.handed_over': 1,
        'webhook.created': 1,
        'webhook.handed_over': 1,
      },
    })
    const { key } = await makeAll(grace)
    const left = await callAuth(grace, 'leave', { organizationId: owner.organizationId })
    assert.equal(left.status, 200)
    assert.equal(await worksWith(key), 401)
    assert.deepEqual(
      (await listRecorded()).map(({ action }) => action),
      ['api_key.revoked', 'ingest_source.handed_over', 'webhook.handed_over'],
    )
  })

  test('keys, webhooks and ingest sources transferred before a removal keep working and belong to the person who removed the member', async () => {
    leaves({
      activity: {
        'api_key.created': 1,
        'api_key.handed_over': 1,
        'ingest_source.created': 1,
        'ingest_source.handed_over': 1,
        'webhook.created': 1,
        'webhook.handed_over': 1,
      },
    })
    const made = await makeAll(grace)
    const settled = await owner.call(`POST ${belongingsPath()}`, KEEP)
    assert.deepEqual(settled.data, { apiKeys: 1, webhooks: 1, ingestSources: 1 })
    assert.equal((await removeMember()).status, 200)
    assert.equal(await worksWith(made.key), 200)
    const members = await app.platform.db
      .selectFrom('member')
      .select('id')
      .where('organizationId', '=', owner.organizationId)
      .execute()
    assert.equal(members.length, 1)
    const mine = await owner.call<Belongings>(`GET /members/${members[0]?.id}/belongings`)
    assert.deepEqual(
      [mine.data.apiKeys, mine.data.webhooks, mine.data.ingestSources].map((things) => things[0]?.id),
      [made.keyId, made.webhookId, made.sourceId],
    )
    assert.deepEqual(
      (await listRecorded()).map(({ action, actor }) => [action, actor]),
      ['api_key.handed_over', 'ingest_source.handed_over', 'webhook.handed_over'].map((action) => [
        action,
        owner.email,
      ]),
    )
  })

  test("a member's API keys, webhooks and ingest sources that an owner chose to remove are deleted, each with a log entry", async () => {
    leaves({
      activity: {
        'api_key.created': 1,
        'api_key.revoked': 1,
        'ingest_source.created': 1,
        'ingest_source.deleted': 1,
        'webhook.created': 1,
        'webhook.deleted': 1,
      },
    })
    const made = await makeAll(grace)
    const choice = { apiKeys: 'remove', webhooks: 'remove', ingestSources: 'remove' }
    const settled = await owner.call(`POST ${belongingsPath()}`, choice)
    assert.deepEqual(settled.data, { apiKeys: 1, webhooks: 1, ingestSources: 1 })
    assert.equal(await worksWith(made.key), 401)
    for (const route of ['GET /keys', 'GET /webhooks', 'GET /ingest'])
      assert.deepEqual(await idsOf(route), [], route)
    assert.deepEqual(
      (await listRecorded()).map(({ action, actor }) => [action, actor]),
      ['api_key.revoked', 'ingest_source.deleted', 'webhook.deleted'].map((action) => [action, owner.email]),
    )
  })

  test("when the removal of a member is refused, the member's API key keeps working", async () => {
    leaves({ activity: { 'api_key.created': 1, 'ingest_source.created': 1, 'webhook.created': 1 } })
    const { key } = await makeAll(grace)
    const { person: other } = await addMember('Otto', 'member')
    assert.notEqual((await removeMember(other)).status, 200)
    assert.equal(await worksWith(key), 200)
  })

  test('API keys that a member creates while being removed are revoked too', async () => {
    leaves({ activity: { 'api_key.created': 6, 'api_key.revoked': 6 } })
    for (let round = 0; round < 5; round++) {
      const { person, member } = await addMember('Racer', 'member')
      const makes = Array.from({ length: 6 }, () =>
        person.call<{ key: string }>('POST /keys', { name: 'late' }),
      )
      const [answers] = await Promise.all([Promise.all(makes), removeMember(owner, member)])
      for (const { status, data } of answers) if (status === 200) assert.equal(await worksWith(data.key), 401)
    }
  })
})
