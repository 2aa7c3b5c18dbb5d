import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { deleteWorker } from '../../cloudflare/workers.ts'
import { openCloudApp } from '../../releases/testing.ts'
import { adminName } from '../../resources/names.ts'
import { callOperator } from './call.ts'

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
const KEYS = ['auth', 'team', 'data', 'files', 'schedule', 'meter', 'email', 'pay', 'ai', 'render', 'video']
const READS = [
  'auth/users',
  'auth/people',
  'auth/outbox',
  'team/teams',
  'data/collections',
  'data/records/plants',
  'data/pages/plants',
  'data/query?collection=plants&q=fern',
  'files/objects',
  'schedule/jobs',
  'meter/usage',
  'ai/spend',
  'email/mails',
  'pay/orders',
  'pay/entitlements',
  'render/spend',
  'video/spend',
  'video/videos',
]
const FERN = { name: 'Fern' }
const WRITES: [string, object?][] = [
  ['POST data/records/plants/app', FERN],
  ['POST data/import/plants/app', { records: [{ id: 'fern-0001', fields: FERN }] }],
  ['PUT data/records/plants/app/fern-0001', FERN],
  ['DELETE data/records/plants/app/fern-0001'],
  ['POST ai/run', { prompt: 'Hello' }],
  ['POST auth/users/u_00000000000000000000000000/role', { role: 'staff' }],
]

test('operator calls are a conflict while the project moves, pass on why the app takes no changes, and name the app when its admin worker was removed', async () => {
  const cloud = await openCloudApp()
  try {
    const { person, project, path } = await cloud.personWithProject()
    for (const key of KEYS) await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
    const home = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
    const tree = new Map([
      ...starterTree('Plants'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', home],
    ])
    await cloud.build(project.id, tree)
    assert.equal((await person.call(`POST ${path}/deploy`)).error, undefined)
    for (const read of READS)
      assert.equal((await person.call(`GET ${path}/capabilities/${read}`)).error, undefined, read)
    const calls = [...READS.map((read): [string] => [`GET ${read}`]), ...WRITES]
    // At once, because a call that fails is repeated after a pause.
    const assertRefused = (wanted: [number, string]) =>
      Promise.all(
        calls.map(async ([call, body]) => {
          const { status, error } = await person.call(call.replace(' ', ` ${path}/capabilities/`), body)
          assert.deepEqual([status, error?.code], wanted, call)
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
    await assertRefused([409, 'conflict'])
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
    assert.match(held.error?.message ?? '', /^The app is being moved and takes no changes right now\./)
    await deleteWorker(await cloud.accountOf(person.organizationId), adminName(project))
    await assertRefused([502, 'upstream_error'])
  } finally {
    await cloud.close()
  }
})
