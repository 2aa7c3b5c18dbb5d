import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { deleteWorker } from '../../cloudflare/products/workers.ts'
import { ENDPOINTS } from '../../tables/endpoints.ts'
import { openCloudApp } from '../../releases/testing.ts'
import { adminName } from '../../resource-names.ts'
import { callOperator } from './call.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Plants',
  uses: ['data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    plants: {
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: { name: { type: 'text', search: true } },
    },
  },
}
const FERN = { name: 'Fern' }
const PARAMS: Record<string, string> = {
  collection: 'plants',
  partition: 'app',
  id: 'fern-0001',
  userId: `u_${'0'.repeat(26)}`,
  flowRunId: 'order_1',
}
/** The query strings of routes that require a query string, by method and path below `capabilities/`. */
const QUERIES: Record<string, string> = {
  'GET data/query': '?collection=plants&q=fern',
  'GET files/object': '?key=f/fern',
}
const BODIES: Record<string, object> = {
  'POST data/records/:collection/:partition': FERN,
  'POST data/import/:collection/:partition': { records: [{ id: 'fern-0001', fields: FERN }] },
  'PUT data/records/:collection/:partition/:id': FERN,
  'POST ai/run': { prompt: 'Hello' },
  'POST render/run': { as: 'pdf', url: '/' },
  'POST auth/users/:userId/role': { role: 'staff' },
}
const PREFIX = '/projects/:projectId/capabilities/'

/** The capability routes that call the live app, recognized by `upstream_error`, the error that an unreachable app causes. */
const CALLS = ENDPOINTS.filter(
  ({ path, fails }) =>
    path.startsWith(PREFIX) && !path.startsWith(`${PREFIX}:`) && fails.includes('upstream_error'),
).map(({ method, path }) => {
  const route = `${method} ${path.slice(PREFIX.length)}`
  const filled = path.slice(PREFIX.length).replaceAll(/:(\w+)/g, (_, name: string) => PARAMS[name] ?? name)
  return {
    method,
    key: filled.split('/')[0],
    target: `${filled}${QUERIES[route] ?? ''}`,
    body: BODIES[route],
  }
})

type Call = (typeof CALLS)[number]

test("an operator's routes return a conflict while the project moves, and upstream_error without its admin worker", async () => {
  leaves({
    events: { 'project.deployed': 1 },
    activity: {
      'ai_gateway.create': 1,
      'app_outbox.read': 1,
      'assets.upload': 'some',
      'bucket.create': 'some',
      'project.deployed': 1,
      'sfu_app.create': 1,
      'turn_key.create': 1,
      'worker.address': 'some',
      'worker.delete': 'some',
      'worker.upload': 'some',
      'workflow.put': 'some',
    },
    jobs: { deploy: 'some', provision: 'any' },
  })
  const cloud = await openCloudApp()
  try {
    const { person, project, path } = await cloud.personWithProject()
    for (const key of new Set(CALLS.map((call) => call.key)))
      await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
    const home = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
    const tree = new Map([
      ...starterTree('Plants'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', home],
    ])
    await cloud.build(project.id, tree)
    assert.equal((await person.call(`POST ${path}/deploy`)).error, undefined)
    for (const { target } of CALLS.filter(({ method }) => method === 'GET')) {
      const { error } = await person.call(`GET ${path}/capabilities/${target}`)
      assert.ok(error === undefined || error.code === 'not_found', `${target}: ${error?.message}`)
    }
    // Sends all requests in parallel, because each failed call is retried after a pause.
    const assertRefused = (wanted: [number, string], calls = CALLS) =>
      Promise.all(
        calls.map(async ({ method, target, body }) => {
          const { status, error } = await person.call(`${method} ${path}/capabilities/${target}`, body)
          assert.deepEqual([status, error?.code], wanted, `${method} ${target}`)
        }),
      )
    const { db, clock } = cloud.app.platform
    const at = clock.now()
    const owned = () =>
      db.selectFrom('projects').selectAll().where('id', '=', project.id).executeTakeFirstOrThrow()
    const move = { project_id: project.id, org_id: person.organizationId, from_account: 'another' }
    const times = { updated_at: at, created_at: at }
    await db
      .insertInto('moves')
      .values({ ...move, ...times, live_data: 'copy', state: 'moving' })
      .execute()
    const enter: Call = { method: 'POST', key: 'auth', target: 'auth/handover', body: undefined }
    await assertRefused([409, 'conflict'], [...CALLS, enter])
    await db.deleteFrom('moves').where('project_id', '=', project.id).execute()
    await callOperator(cloud.app.platform, await owned(), {
      tier: 'production',
      method: 'POST',
      path: '/transfer/hold',
      body: { held: true },
      result: z.unknown(),
    })
    const held = await person.call(`POST ${path}/capabilities/data/records/plants/app`, FERN)
    assert.deepEqual([held.status, held.error?.code], [503, 'unavailable'])
    assert.match(held.error?.message ?? '', /^The app is being moved and accepts no changes right now\./)
    await deleteWorker(await cloud.accountOf(person.organizationId), adminName(project))
    // The flow routes still work, because they read runs through the provider's API and not through the deleted admin worker.
    await assertRefused(
      [502, 'upstream_error'],
      CALLS.filter(({ key }) => key !== 'flow'),
    )
  } finally {
    await cloud.close()
  }
})
