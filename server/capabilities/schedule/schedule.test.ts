import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

const Settings = z.object({ bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })) })

interface Job {
  name: string
  repeat: string
  nextRunAt: string | null
  lastStatus: string | null
  paused: boolean
}

const manifest = (uses: string[], schedules: object[] | undefined) => ({
  slipway: 1,
  name: 'Reminders',
  uses,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    runs: { partition: 'app', read: 'public', write: 'nobody', fields: { text: { type: 'text' } } },
  },
  ...(schedules && { schedules }),
})
const JOB = `import { data } from '@slipway/app/server'

export default async () => {
  await data.system.create('runs', { text: 'ran' })
}
`
const treeOf = (app: object, jobs: string[]) =>
  new Map([
    ...starterTree('Reminders'),
    ['app.json', JSON.stringify(app)],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
    ],
    ...jobs.map((name): [string, string] => [`server/jobs/${name}.ts`, JOB]),
  ])
const MINUTELY = { name: 'tidy', every: 'minute', handler: 'tidy' }
const NIGHTLY = { name: 'report', every: 'day at 03:00', handler: 'report' }

/** The tests run in order on one project, from its first deployment to its deletion. */
describe('the schedules of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let project: { id: string; slug: string }
  let at: string
  let appUrl: string

  const jobs = async () => await operator.call<Job[]>(`GET ${at}/capabilities/schedule/jobs`)
  const ship = async (app: object, names: string[]) => {
    await cloud.build(project.id, treeOf(app, names))
    const { data, error } = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(error, undefined)
    return data.url
  }
  const runs = async () => {
    const answer = (await (await cloudFetch(`${appUrl}/_app/data/runs`)).json()) as {
      data: { items: object[] }
    }
    return answer.data.items.length
  }
  const boundTo = async () => {
    const account = await cloud.accountOf(operator.organizationId)
    const { bindings } = await account.call({
      method: 'GET',
      path: `/accounts/:account/workers/scripts/${project.slug}-live/settings`,
      result: Settings,
      doing: 'read the bindings',
    })
    return bindings.flatMap((one) =>
      one.type === 'service' ? [`${one.name} ${String(one['service'])}`] : [],
    )
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Reminders')
    operator = made.person
    project = made.project
    at = made.path
    for (const key of ['data', 'schedule'])
      await operator.call(`PUT ${at}/capabilities/${key}`, { enabled: true })
    await cloud.untilProvisioned(project.id)
  })
  after(() => cloud.close())

  test("the first release with a schedule binds the Durable Objects worker to the app's worker, and the scheduled job runs", async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'assets.upload': 2,
        'project.deployed': 2,
        'worker.address': 1,
        'worker.deploy': 1,
        'worker.upload': 2,
        'worker.version': 1,
      },
      jobs: { deploy: 2 },
    })
    assert.equal((await jobs()).error?.code, 'not_enabled')
    appUrl = await ship(manifest(['data'], undefined), [])
    assert.deepEqual(await boundTo(), [])
    assert.deepEqual((await jobs()).data, [])
    await ship(manifest(['data', 'schedule'], [MINUTELY, NIGHTLY]), ['tidy', 'report'])
    assert.deepEqual(await boundTo(), [`APP ${project.slug}`])
    const { data } = await jobs()
    assert.deepEqual(
      data.map(({ name, repeat, paused }) => [name, repeat, paused]),
      [
        ['tidy', 'minute', false],
        ['report', 'day at 03:00', false],
      ],
    )
    await until(async () => (await runs()) > 0, 90_000)
    await until(async () => (await jobs()).data[0]?.lastStatus === 'ok')
  })

  test('a schedule missing in a release stops, and without schedules the Durable Objects worker loses its binding to the app', async () => {
    leaves({
      events: { 'project.deployed': 2, 'project.rolled_back': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 2,
        'project.rolled_back': 1,
        'worker.address': 1,
        'worker.deploy': 3,
        'worker.upload': 2,
        'worker.version': 2,
      },
      jobs: { deploy: 3 },
    })
    await ship(manifest(['data', 'schedule'], [NIGHTLY]), ['report'])
    assert.deepEqual(
      (await jobs()).data.map(({ name }) => name),
      ['report'],
    )
    await ship(manifest(['data'], undefined), [])
    assert.deepEqual([(await jobs()).data, await boundTo()], [[], []])
    const { id } = await cloud.app.platform.db
      .selectFrom('resources')
      .select('id')
      .where('project_id', '=', project.id)
      .where('kind', '=', 'worker')
      .where('tier', '=', 'production')
      .executeTakeFirstOrThrow()
    assert.equal((await operator.call(`POST ${at}/resources/${id}/rollback`)).error, undefined)
    assert.deepEqual(
      [(await jobs()).data.map(({ name }) => name), await boundTo()],
      [['report'], [`APP ${project.slug}`]],
    )
  })

  test('an archived project runs no schedule until it is unarchived and deployed again', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 1 },
      activity: {
        'project.archived': 1,
        'project.deployed': 1,
        'project.unarchived': 1,
        'worker.address': 1,
        'worker.deploy': 1,
        'worker.offline': 1,
        'worker.upload': 2,
        'worker.version': 1,
      },
      jobs: { deploy: 2 },
    })
    await operator.call(`POST ${at}/archive`)
    await until(async () => (await jobs()).data?.[0]?.paused === true && (await boundTo()).length === 0)
    await operator.call(`POST ${at}/unarchive`)
    await ship(manifest(['data', 'schedule'], [NIGHTLY]), ['report'])
    assert.equal((await jobs()).data[0]?.paused, false)
  })

  test('schedules stop while the schedule capability is off, and continue after the next deployment with the capability on', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'worker.deploy': 1,
        'worker.rebind': 1,
        'worker.upload': 2,
        'worker.version': 1,
      },
      jobs: { deploy: 1, provision: 2 },
    })
    await operator.call(`PUT ${at}/capabilities/schedule`, { enabled: false })
    await cloud.untilProvisioned(project.id)
    assert.deepEqual(await boundTo(), [])
    assert.equal((await jobs()).error?.code, 'not_enabled')
    await operator.call(`PUT ${at}/capabilities/schedule`, { enabled: true })
    await cloud.untilProvisioned(project.id)
    await ship(manifest(['data', 'schedule'], [NIGHTLY]), ['report'])
    assert.equal((await jobs()).data[0]?.paused, false)
    assert.deepEqual(await boundTo(), [`APP ${project.slug}`])
  })

  test('deleting a project completes even if its app worker and its Durable Objects worker are bound to each other', async () => {
    leaves({ events: { 'project.deleted': 1 }, activity: { 'project.deleted': 1, 'worker.delete': 3 } })
    let remaining = 1
    for (let calls = 0; remaining > 0; calls++) {
      assert.ok(calls < 20, `${remaining} remain`)
      const { data } = await operator.call<{ teardown: { remaining: number } }>(`DELETE ${at}`)
      remaining = data.teardown.remaining
    }
    assert.equal((await operator.call(`GET ${at}`)).status, 404)
  })
})
