import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { openSource, post, postIdea } from './testing.ts'
import { leaves } from '../testing/effects.ts'

describe('ingest sources', () => {
  let app: TestApp
  let owner: Client
  let stranger: Client

  before(async () => {
    app = await testApp({ ingestUrl: 'https://ideas.example.test' })
    owner = await app.signUp('Olga Owner')
    stranger = await app.signUp('Sam Stranger')
  })
  after(() => app.close())

  test('the secret of an ingest source is returned once, stored encrypted, and never listed', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'ingest_source.created': 1 } })
    const person = await app.signUp('Ina Inbox')
    const source = await openSource(app, person)
    assert.match(source.id, /^ing_/)
    assert.match(source.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(source.webhookUrl, `https://ideas.example.test/i/${source.id}`)
    const listed = await person.call('GET /ingest')
    assert.deepEqual(listed.data, [
      {
        id: source.id,
        projectId: source.projectId,
        webhookUrl: source.webhookUrl,
        createdAt: app.clock.now().toISOString(),
      },
    ])
    const rows = await app.platform.db.selectFrom('ingest_sources').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(source.secret.slice(6)))
    const activity = await app.platform.db
      .selectFrom('activity')
      .select(['action', 'target', 'project_name'])
      .where('org_id', '=', person.organizationId)
      .where('action', 'like', 'ingest%')
      .execute()
    assert.deepEqual(activity, [
      { action: 'ingest_source.created', target: source.id, project_name: 'Inbox' },
    ])
  })

  test('an API key may list and remove ingest sources, but never create one', async () => {
    leaves({
      events: { 'project.created': 1 },
      activity: { 'ingest_source.created': 1, 'ingest_source.deleted': 1 },
    })
    const source = await openSource(app, owner)
    const key = await app.keyFor(owner, ['projects:read', 'projects:write'])
    const made = await key.call('POST /ingest', { projectId: source.projectId })
    assert.deepEqual([made.status, made.error?.code], [403, 'forbidden'])
    const reader = await app.keyFor(owner, ['projects:read'])
    assert.equal((await reader.call('GET /ingest')).status, 200)
    const refused = await reader.call(`DELETE /ingest/${source.id}`)
    assert.deepEqual([refused.status, refused.error?.code], [403, 'forbidden_scope'])
    assert.deepEqual((await key.call(`DELETE /ingest/${source.id}`)).data, { id: source.id })
  })

  test('a removed ingest source is no longer listed, and ideas sent to its address are refused at once', async () => {
    leaves({
      events: { 'project.created': 1 },
      activity: { 'ingest_source.created': 1, 'ingest_source.deleted': 1 },
    })
    const source = await openSource(app, owner)
    assert.equal((await postIdea(app, source, { title: 'Before' })).status, 202)
    assert.equal((await owner.call(`DELETE /ingest/${source.id}`)).status, 200)
    assert.equal((await postIdea(app, source, { title: 'After' })).status, 404)
    assert.equal((await owner.call(`DELETE /ingest/${source.id}`)).status, 404)
  })

  test("requests with another organization's project or ingest source get a 404 and change nothing", async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'ingest_source.created': 1 } })
    const source = await openSource(app, owner)
    const foreignProject = await stranger.call('POST /ingest', { projectId: source.projectId })
    const unknownProject = await stranger.call('POST /ingest', { projectId: 'prj_0' })
    assert.deepEqual([foreignProject.status, foreignProject.error], [404, unknownProject.error])
    const foreign = await stranger.call(`DELETE /ingest/${source.id}`)
    const unknown = await stranger.call('DELETE /ingest/ing_0')
    assert.deepEqual([foreign.status, foreign.error], [404, unknown.error])
    assert.deepEqual((await stranger.call('GET /ingest')).data, [])
    assert.equal((await post(app, source, '{}')).status, 204)
  })

  test('an organization has at most a hundred ingest sources, even when they are created at the same time', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'ingest_source.created': 100 } })
    const person = await app.signUp('Greta Greedy')
    const { projectId } = await openSource(app, person)
    const answers = await Promise.all(
      Array.from({ length: 110 }, () => person.call('POST /ingest', { projectId })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 99)
    assert.equal(answers.filter(({ error }) => error?.code === 'conflict').length, 11)
  })

  test('creating an ingest source without a project is refused with an error that names the field', async () => {
    for (const body of [{}, { projectId: 7 }, { projectId: '\0' }]) {
      const answer = await owner.call('POST /ingest', body)
      assert.equal(answer.status, 400)
      assert.match(answer.error?.message ?? '', /^projectId: /)
    }
  })
})
