import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { listResources } from '../resources/list.ts'
import { appSaying, type CloudApp, openCloudApp, until } from '../releases/testing.ts'
import { type Client, eventsOf } from '../testing/app.ts'
import { tearDown, type Teardown } from '../resources/teardown.ts'
import { leaves } from '../testing/effects.ts'

describe('deleting a project', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  /**
   * Creates a deployed project with a preview and the data capability. The project has three workers and a Durable
   * Object namespace in the account.
   */
  async function grownProject() {
    const made = await cloud.personWithProject()
    await cloud.build(made.project.id, appSaying('one'))
    await made.person.call(`PUT ${made.path}/capabilities/data`, { enabled: true })
    await until(async () => {
      const { data } = await made.person.call<{ provision: { state: string } }>(`GET ${made.path}`)
      return data.provision.state === 'idle'
    })
    const shipped = await made.person.call<{ url: string }>(`POST ${made.path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    assert.equal((await made.person.call(`POST ${made.path}/preview`, {})).status, 200)
    return { ...made, url: shipped.data.url }
  }
  const removeProject = async (person: Client, path: string) => {
    const answer = await person.call<{ teardown: Teardown }>(`DELETE ${path}`)
    assert.equal(answer.status, 200, String(answer.error?.message))
    return answer.data.teardown
  }
  const actionsOf = async (person: Client) => {
    const rows = await cloud.app.platform.db
      .selectFrom('activity')
      .select(['action', 'target', 'status'])
      .where('org_id', '=', person.organizationId)
      .orderBy('id')
      .execute()
    return rows.map((row) => `${row.action} ${row.target} ${row.status}`)
  }

  test('deleting a project removes its Cloudflare resources, then its database records, and keeps its events and activity records', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'worker.address': 3,
        'worker.delete': 4,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const { person, project, path, url } = await grownProject()
    const before = await actionsOf(person)
    const teardown = await removeProject(person, path)
    assert.deepEqual([teardown.remaining, teardown.failed], [0, []])
    assert.deepEqual(teardown.removed.map((one) => `${one.kind} ${one.name}`).toSorted(), [
      `object_namespace ${project.slug}-live`,
      `worker ${project.slug}`,
      `worker ${project.slug}-admin`,
      `worker ${project.slug}-live`,
      `worker ${project.slug}-preview`,
    ])
    assert.equal((await cloudFetch(url)).status, 404)
    assert.equal((await person.call(`GET ${path}`)).status, 404)
    assert.equal((await person.call(`DELETE ${path}`)).status, 404)
    const after = await actionsOf(person)
    assert.deepEqual(after.slice(0, before.length), before)
    assert.equal(after.at(-1), 'project.deleted Plants ok')
    assert.deepEqual(after.slice(before.length, -1).toSorted(), [
      `worker.delete ${project.slug} ok`,
      `worker.delete ${project.slug}-admin ok`,
      `worker.delete ${project.slug}-live ok`,
      `worker.delete ${project.slug}-preview ok`,
    ])
    assert.deepEqual(await eventsOf(cloud.app, person), [
      'project.created',
      'project.deployed',
      'project.deleted',
    ])
    const { rows } = await cloud.app.platform.pool.query<{ body: string }>(
      `select body from events where project_id = $1 and type = 'project.deleted'`,
      [project.id],
    )
    assert.partialDeepStrictEqual(JSON.parse(rows[0]?.body ?? ''), {
      projectId: project.id,
      data: { name: 'Plants' },
    })
  })

  test('no table has a row of a deleted project, and a new project can use its address', async () => {
    leaves({
      events: { 'project.created': 1, 'project.deleted': 1, 'project.deployed': 1, 'ticket.created': 1 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'worker.address': 3,
        'worker.delete': 4,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const { person, project, path } = await grownProject()
    await person.call(`POST ${path}/tickets`, { title: 'One' })
    await removeProject(person, path)
    const { pool } = cloud.app.platform
    const { rows } = await pool.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.column_name = 'project_id' and t.table_type = 'BASE TABLE'
         and c.table_name not in ('events', 'activity')`,
    )
    assert.ok(rows.length > 8)
    for (const { name } of rows) {
      const left = await pool.query(`select 1 from ${name} where project_id = $1`, [project.id])
      assert.equal(left.rowCount, 0, name)
    }
    const again = await person.call<{ slug: string }>('POST /projects', { name: 'Plants' })
    assert.equal(again.data.slug, project.slug)
  })

  test('a resource that cannot be removed is named with the reason, and the project exists until that resource is removed', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1, 'ticket.created': 1 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'worker.address': 3,
        'worker.delete': 4,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const { person, project, path } = await grownProject()
    const { platform } = cloud.app
    const elsewhere = await platform.db
      .updateTable('resources')
      .set({ account_id: 'another-account' })
      .where('org_id', '=', person.organizationId)
      .where('name', '=', `${project.slug}-preview`)
      .returning('id')
      .executeTakeFirstOrThrow()
    const first = await removeProject(person, path)
    assert.equal(first.remaining, 1)
    assert.equal(first.removed.length, 4)
    assert.deepEqual(
      first.failed.map(({ id, name }) => [id, name]),
      [[elsewhere.id, `${project.slug}-preview`]],
    )
    assert.match(first.failed[0]?.reason ?? '', /another-account/)
    assert.equal((await person.call(`GET ${path}`)).status, 200)
    assert.ok(!(await eventsOf(cloud.app, person)).includes('project.deleted'))

    const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'One' })
    for (const route of [
      `POST ${path}/deploy`,
      `POST ${path}/deploy/retry`,
      `POST ${path}/preview`,
      `POST ${path}/archive`,
      `POST ${path}/tickets/${ticket.data.id}/build`,
    ]) {
      const answer = await person.call(route, {})
      assert.equal(answer.status, 409, route)
      assert.match(answer.error?.message ?? '', /being deleted/, route)
    }

    const account = await platform.db
      .selectFrom('connections')
      .select('account_id')
      .where('org_id', '=', person.organizationId)
      .where('provider', '=', 'cloudflare')
      .executeTakeFirstOrThrow()
    await platform.db
      .updateTable('resources')
      .set({ account_id: account.account_id ?? '' })
      .where('org_id', '=', person.organizationId)
      .where('id', '=', elsewhere.id)
      .execute()
    const second = await removeProject(person, path)
    assert.deepEqual([second.remaining, second.removed.length, second.failed], [0, 1, []])
    assert.equal((await person.call(`GET ${path}`)).status, 404)
  })

  test('a project deletion that dies before recording that its resources were removed is completed by the next request', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'worker.address': 3,
        'worker.delete': 8,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const { person, project, path } = await grownProject()
    const { platform } = cloud.app
    const row = await platform.db
      .selectFrom('projects')
      .selectAll()
      .where('org_id', '=', person.organizationId)
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow()
    const rows = await listResources(platform.db, row)
    const saved = await platform.db
      .selectFrom('resources')
      .selectAll()
      .where('org_id', '=', person.organizationId)
      .where('project_id', '=', project.id)
      .execute()
    const signal = AbortSignal.timeout(15_000)
    assert.equal((await tearDown(platform, row, { actor: 'test', signal })).remaining, 0)
    await platform.db.insertInto('resources').values(saved).execute()
    const teardown = await removeProject(person, path)
    assert.deepEqual([teardown.remaining, teardown.removed.length], [0, rows.length])
    assert.equal((await eventsOf(cloud.app, person)).filter((type) => type === 'project.deleted').length, 1)
  })

  test('a deletion request that reaches its time limit returns how many resources remain, and the next request removes them', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        // The call that is aborted may be the deletion of a worker.
        'worker.delete failed': 'any',
        'worker.upload': 'some',
      },
      jobs: { deploy: 2, provision: 'some' },
    })
    const { person, project, path } = await grownProject()
    const { platform } = cloud.app
    const known = { id: project.id, org_id: person.organizationId, name: 'Plants' }
    const at = cloud.app.clock.now()
    const [real] = await platform.db
      .selectFrom('resources')
      .selectAll()
      .where('org_id', '=', person.organizationId)
      .where('project_id', '=', project.id)
      .where('name', '=', project.slug)
      .execute()
    assert.ok(real)
    // The rows that a process leaves when it dies before it creates their resources. Each row is stored before the call
    // that creates its resource.
    const unmade = Array.from({ length: 60 }, (_, n) => ({
      ...real,
      id: `res_${String(n).padStart(26, '0')}`,
      name: `${project.slug}-unmade-${n}`,
      tier: 'shared' as const,
      state: 'creating' as const,
      updated_at: at,
    }))
    await platform.db.insertInto('resources').values(unmade).execute()
    const stop = new AbortController()
    // Polls without a pause, so that even a fast teardown is aborted in the middle.
    const stopInTheMiddle = async () => {
      while ((await listResources(platform.db, known)).length >= 40);
      stop.abort()
    }
    const [first] = await Promise.all([
      tearDown(platform, known, { actor: 'test', signal: stop.signal }),
      stopInTheMiddle(),
    ])
    assert.ok(first.remaining > 0 && first.remaining < 40, `${first.remaining} remain`)
    assert.deepEqual(first.failed, [])
    assert.equal((await person.call(`GET ${path}`)).status, 200)
    const second = await removeProject(person, path)
    assert.equal(second.remaining, 0)
    assert.equal(first.removed.length + second.removed.length, 65)
  })

  test('the readiness of a project whose code a deletion has removed before it was interrupted is a 404 and not an internal error', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 3,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const { person, project, path } = await grownProject()
    const { db, clock } = cloud.app.platform
    await db
      .updateTable('projects')
      .set({ deleting_at: clock.now() })
      .where('org_id', '=', person.organizationId)
      .where('id', '=', project.id)
      .execute()
    assert.equal((await person.call(`GET ${path}/deploy/readiness`)).status, 200)
    await db.deleteFrom('git_objects').where('project_id', '=', project.id).execute()
    const { status, error } = await person.call(`GET ${path}/deploy/readiness`)
    assert.deepEqual([status, error?.code], [404, 'not_found'])
  })

  test('deleting a project cancels its running build', async () => {
    leaves({
      events: { 'project.deleted': 1, 'ticket.created': 1, 'ticket.updated': 1 },
      activity: { 'project.deleted': 1 },
      jobs: { build: 1 },
    })
    const { person, path } = await cloud.personWithProject()
    const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, {
      title: 'Track the plants: name, room',
    })
    const building = person.call(`POST ${path}/tickets/${ticket.data.id}/build`, {})
    await until(async () => {
      const { data } = await person.call<{ total: number }>(`GET ${path}/runs`)
      return data.total > 0
    })
    assert.equal((await removeProject(person, path)).remaining, 0)
    assert.notEqual((await building).status, 500)
    assert.equal((await person.call(`GET ${path}`)).status, 404)
  })

  test('two simultaneous deletion requests delete the project once and emit one event', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 2, provision: 'some' },
    })
    const { person, path } = await grownProject()
    const both = await Promise.all([person.call(`DELETE ${path}`), person.call(`DELETE ${path}`)])
    for (const answer of both) assert.ok([200, 404].includes(answer.status), String(answer.error?.message))
    assert.equal((await person.call(`GET ${path}`)).status, 404)
    assert.equal((await eventsOf(cloud.app, person)).filter((type) => type === 'project.deleted').length, 1)
  })

  test('a project without Cloudflare resources is deleted at once, even without a connected account', async () => {
    leaves({ events: { 'project.deleted': 1 }, activity: { 'project.deleted': 1 } })
    const { person, path } = await cloud.personWithProject()
    await cloud.app.platform.db
      .deleteFrom('connections')
      .where('org_id', '=', person.organizationId)
      .execute()
    assert.deepEqual(await removeProject(person, path), { remaining: 0, removed: [], failed: [], left: [] })
  })

  test('the deletion of a project does not start while the Cloudflare account with its resources is not connected', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 3,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const { person, path } = await grownProject()
    await cloud.app.platform.db
      .deleteFrom('connections')
      .where('org_id', '=', person.organizationId)
      .execute()
    const answer = await person.call(`DELETE ${path}`)
    assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'])
    assert.match(answer.error?.message ?? '', /Cloudflare/)
    assert.equal(
      (await person.call(`POST ${path}/unarchive`)).status,
      200,
      'it is not marked as being deleted',
    )
  })

  test('deleting a project with leaveStuck completes without its Cloudflare account, and the activity log names the resources that remain there', async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 1,
        'resource.left': 5,
        'worker.address': 3,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const { person, path } = await grownProject()
    const { db } = cloud.app.platform
    await db.deleteFrom('connections').where('org_id', '=', person.organizationId).execute()
    const deleted = await person.call<{ teardown: { remaining: number; left: { name: string }[] } }>(
      `DELETE ${path}`,
      { leaveStuck: true },
    )
    assert.equal(deleted.data.teardown.remaining, 0, String(deleted.error?.message))
    assert.equal((await person.call(`GET ${path}`)).status, 404)
    const log = await db
      .selectFrom('activity')
      .select('target')
      .where('org_id', '=', person.organizationId)
      .where('action', '=', 'resource.left')
      .execute()
    const left = deleted.data.teardown.left.map(({ name }) => name)
    assert.ok(left.length > 0)
    assert.deepEqual(log.map(({ target }) => target).toSorted(), left.toSorted())
  })

  test('all tickets of a deleted project are removed although they do not fit in one batch', async () => {
    leaves({ events: { 'project.deleted': 1 }, activity: { 'project.deleted': 1 } })
    const { person, project, path } = await cloud.personWithProject()
    const { pool } = cloud.app.platform
    const at = cloud.app.clock.now()
    await pool.query(
      `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source, updated_at, created_at)
       select 'tkt_' || lpad(n::text, 26, '0'), $1, $2, 'T', '', 'todo', 'task', 'none', '{}', 'human', $3, $3
       from generate_series(1, 5001) n`,
      [person.organizationId, project.id, at],
    )
    while ((await removeProject(person, path)).remaining > 0)
      assert.equal((await person.call(`GET ${path}`)).status, 200)
    const left = await pool.query(`select 1 from tickets where project_id = $1`, [project.id])
    assert.equal(left.rowCount, 0)
  })
})
