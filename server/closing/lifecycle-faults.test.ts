import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { LOCK_CLASS } from '../db/locks.ts'
import {
  appSaying,
  type CloudApp,
  type DeployState,
  openCloudApp,
  until,
  wordAt,
} from '../releases/testing.ts'
import { eventsOf } from '../testing/app.ts'
import { FaultProxy } from '../testing/providers/fault-proxy.ts'
import type { Teardown } from '../resources/teardown.ts'

describe('archiving and deleting when the cloud account fails', () => {
  const proxy = new FaultProxy()
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp((api) => proxy.listen(api))
  })
  after(async () => {
    await cloud.close()
    await proxy.close()
  })

  async function liveProject() {
    const made = await cloud.personWithProject()
    await cloud.build(made.project.id, appSaying('one'))
    const shipped = await made.person.call<DeployState>(`POST ${made.path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    return { ...made, url: shipped.data.url ?? '' }
  }

  test('an app that archiving could not take offline is reported as still online, and archiving again takes it offline', async () => {
    const { person, path, url } = await liveProject()
    proxy.arm('POST', /\/subdomain$/, 'answer 500', 100)
    const refused = await person.call(`POST ${path}/archive`)
    assert.deepEqual([refused.status, refused.error?.code], [502, 'upstream_error'])
    assert.match(refused.error?.message ?? '', /archived, but its app still responds/)
    assert.equal(await wordAt(url), 'one')
    proxy.disarm()
    const archived = await person.call<{ lifecycle: string }>(`POST ${path}/archive`)
    assert.deepEqual([archived.status, archived.data.lifecycle], [200, 'archived'])
    assert.equal((await cloudFetch(`${url}/api/word`)).status, 404)
    const events = await eventsOf(cloud.app, person)
    assert.equal(events.filter((type) => type === 'project.archived').length, 1)
  })

  test("archiving retries after a lost response and disables the app's address once", async () => {
    const { person, path, url } = await liveProject()
    proxy.arm('POST', /\/subdomain$/, 'lose the answer')
    assert.equal((await person.call(`POST ${path}/archive`)).status, 200)
    assert.equal(proxy.happened, 1)
    assert.equal((await cloudFetch(`${url}/api/word`)).status, 404)
  })

  test('a resource that Cloudflare refuses to remove is named with the reason, and removed once Cloudflare allows it', async () => {
    const { person, project, path } = await liveProject()
    assert.equal((await person.call(`POST ${path}/preview`, {})).status, 200)
    proxy.arm('DELETE', new RegExp(`/scripts/${project.slug}$`), 'answer 500', 100)
    const first = await person.call<{ teardown: Teardown }>(`DELETE ${path}`)
    assert.equal(first.data.teardown.remaining, 1)
    assert.deepEqual(
      first.data.teardown.removed.map((one) => one.name),
      [`${project.slug}-preview`],
    )
    assert.equal(first.data.teardown.failed[0]?.name, project.slug)
    const { data } = await person.call<{ managed: { name: string; status: string }[] }>(
      `GET ${path}/deployments`,
    )
    assert.deepEqual(
      data.managed.map(({ name, status }) => [name, status]),
      [[project.slug, 'error']],
    )
    proxy.disarm()
    const second = await person.call<{ teardown: Teardown }>(`DELETE ${path}`)
    assert.equal(second.data.teardown.remaining, 0)
    assert.equal((await person.call(`GET ${path}`)).status, 404)
  })

  test('a resource whose removal succeeded but whose response was lost counts as removed', async () => {
    const { person, project, path } = await liveProject()
    proxy.arm('DELETE', /\/scripts\//, 'lose the answer')
    const { data } = await person.call<{ teardown: Teardown }>(`DELETE ${path}`)
    assert.equal(proxy.happened, 1)
    assert.deepEqual(
      [data.teardown.remaining, data.teardown.failed, data.teardown.removed[0]?.name],
      [0, [], project.slug],
    )
  })
})

describe('changes of a project that is deleted while they wait', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  async function projectWithMail() {
    const made = await cloud.personWithProject()
    await made.person.call(`PUT ${made.path}/capabilities/email`, { enabled: true })
    await until(async () => (await provisionOf(made)).state === 'idle')
    return made
  }
  const provisionOf = async ({ person, path }: Awaited<ReturnType<typeof cloud.personWithProject>>) =>
    (await person.call<{ provision: { state: string } }>(`GET ${path}/capabilities/email`)).data.provision
  const waitingLocks = async (): Promise<number> => {
    const sql = `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where a.datname = current_database() and not l.granted`
    return (await cloud.app.platform.pool.query(sql)).rowCount ?? 0
  }

  test('a change that waits for the lock of a project is a 404 once the project was deleted, and not an internal error', async () => {
    const { person, project, path } = await projectWithMail()
    const blocker = await cloud.app.platform.pool.connect()
    await blocker.query('begin')
    await blocker.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_CLASS.project, project.id])
    const changes = [
      person.call(`PUT ${path}/capabilities/data`, { enabled: true }),
      person.call(`PUT ${path}/access`, { code: 'open sesame please' }),
      person.call(`PUT ${path}/email/mailboxes`, { mailboxes: [] }),
    ]
    await until(async () => (await waitingLocks()) === changes.length)
    await blocker.query('delete from projects where id = $1', [project.id])
    await blocker.query('commit')
    blocker.release()
    assert.deepEqual(
      (await Promise.all(changes)).map(({ status, error }) => [status, error?.code]),
      changes.map(() => [404, 'not_found']),
    )
  })

  test('a request that inserts a row while its project is being removed is a 404, and not an internal error', async () => {
    const routes: [string, object?][] = [
      ['PATCH ', { name: 'Other' }],
      ['POST /assets/upload-init', { path: 'a.txt', contentType: 'text/plain', size: 3 }],
      ['POST /build/queue', { ticketIds: [] }],
      ['POST /deploy', {}],
      ['POST /plan/message', { text: 'Hello' }],
      ['POST /preview', {}],
      ['POST /archive'],
      ['POST /reconcile'],
      ['POST /tickets/:ticket/build', {}],
    ]
    for (const [route, body] of routes) {
      const { person, project, path } = await cloud.personWithProject()
      await cloud.build(project.id, appSaying('one'))
      const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'Plants' })
      const blocker = await cloud.app.platform.pool.connect()
      await blocker.query('begin')
      await blocker.query('select from projects where id = $1 for update', [project.id])
      const [method, place = ''] = route.split(' ')
      const sent = body !== undefined && 'ticketIds' in body ? { ticketIds: [ticket.data.id] } : body
      const call = person.call(`${method} ${path}${place.replace(':ticket', ticket.data.id)}`, sent)
      await until(async () => (await waitingLocks()) > 0)
      await blocker.query('delete from projects where id = $1', [project.id])
      await blocker.query('commit')
      blocker.release()
      const { status, error } = await call
      assert.deepEqual([status, error?.code], [404, 'not_found'], route)
    }
  })

  test('a request that waits for the set-up of mail is a 404 once the project was deleted, and not an internal error', async () => {
    const made = await projectWithMail()
    const { pool } = cloud.app.platform
    // Another holder of the lease, so that the job of this change cannot begin.
    const lease = `insert into project_leases values ($1, $2, 'provisioning', 'another', 'infinity')`
    await until(async () => (await pool.query('select from project_leases')).rowCount === 0)
    await pool.query(lease, [made.project.id, made.person.organizationId])
    const mailboxes = made.person.call(`PUT ${made.path}/email/mailboxes`, { mailboxes: [] })
    await until(async () => (await provisionOf(made)).state === 'creating')
    await pool.query('delete from projects where id = $1', [made.project.id])
    const { status, error } = await mailboxes
    assert.deepEqual([status, error?.code], [404, 'not_found'])
  })
})
