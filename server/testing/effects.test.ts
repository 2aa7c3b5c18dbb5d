import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENDPOINTS } from '../tables/endpoints.ts'
import { recordActivity } from '../activity/log.ts'
import { conflict } from '../http/errors.ts'
import { testApp } from './app.ts'
import { leaves } from './effects.ts'
import { UNLISTED } from './unlisted-effects.ts'

/**
 * The number of test files that need not list their side effects (unlisted-effects.ts). Lower the number when one of these files lists
 * them; never raise it.
 */
const UNLISTED_MAX = 13
/** How many effects tests and `testing.ts` files list as `some` or `any`. Lower it when an exact count becomes known; never raise it. */
const INEXACT_MAX = 565

test('the test helper that records side effects counts events, activity and jobs since its start, except those of fixtures', async () => {
  leaves({ events: { 'project.renamed': -1, 'ticket.created': 2 }, activity: { 'api_key.created': 1 } })
  const app = await testApp({ localWorld: false })
  try {
    const person = await app.signUp()
    await person.call('POST /projects', { name: 'Before' })
    await app.effects.begin()
    assert.deepEqual(await app.effects.end(), { events: {}, activity: {}, jobs: {} })
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    await person.call(`POST /projects/${data.id}/tickets`, { title: 'Water them' })
    await person.call(`POST /projects/${data.id}/tickets`, { title: 'Feed them' })
    await person.call('POST /keys', { name: 'listed' })
    await app.keyFor(person)
    await app.signUp()
    const left = { 'project.created': 1, 'ticket.created': 2 }
    const activity = { 'api_key.created': 1 }
    assert.deepEqual(await app.effects.end(), { events: left, activity, jobs: {} })
    app.effects.prepared({ events: { 'project.created': 1, 'project.renamed': 1 } })
    assert.deepEqual(
      (await app.effects.end()).events,
      { 'ticket.created': 2, 'project.renamed': -1 },
      'a fixture that names an effect it has not shows as less than none',
    )
  } finally {
    await app.close()
  }
})

test('the test helper that records side effects reports an API call that was refused but wrote something', async () => {
  const app = await testApp({ localWorld: false })
  try {
    const refused = ENDPOINTS.filter(({ name }) => name === 'createTicket')
    let writeEffect = async (): Promise<unknown> => undefined
    const [watched] = app.effects.calls.watch(
      refused.map((endpoint) => ({
        ...endpoint,
        handle: async () => {
          await writeEffect()
          throw conflict('Not now.')
        },
      })),
    )
    assert.ok(watched)
    const callWatched = () => Promise.resolve(watched.handle({} as Parameters<typeof watched.handle>[0]))
    await assert.rejects(callWatched, { code: 'conflict' })
    assert.deepEqual(app.effects.calls.faults, [])
    writeEffect = () => app.signUp()
    await assert.rejects(callWatched, { code: 'conflict' })
    assert.match(
      app.effects.calls.faults.join(),
      /^createTicket failed with conflict and wrote to .*organization/,
    )
    app.effects.calls.clear()
  } finally {
    await app.close()
  }
})

test('the helper that records side effects reports an activity entry that names no person or a wrong project or resource', async () => {
  leaves({ events: { 'project.created': 1 } })
  const app = await testApp({ localWorld: false })
  try {
    const { organizationId: orgId, call } = await app.signUp()
    const { data } = await call<{ id: string }>('POST /projects', { name: 'Plants' })
    const good = {
      orgId,
      at: app.clock.now(),
      provider: 'cloudflare',
      actor: 'Ada',
      action: 'worker.upload',
      target: 'plants-live',
      status: 'ok',
      projectId: data.id,
      projectName: 'Plants',
    } as const
    await recordActivity(app.platform.db, good)
    assert.deepEqual(await app.effects.findFaults(), [])
    for (const change of [{ projectName: 'Herbs' }, { target: 'plantslive' }])
      await recordActivity(app.platform.db, { ...good, ...change })
    assert.deepEqual((await app.effects.findFaults()).toSorted(), [
      'worker.upload of plants-live: the project is “Herbs” instead of “Plants”',
      'worker.upload of plantslive: the resource is none of “plants”',
    ])
    const entriesOf = `activity where org_id = '${orgId}'`
    await app.platform.pool.query(
      `delete from ${entriesOf} and (project_name = 'Herbs' or target = 'plantslive')`,
    )
    await app.platform.pool.query(
      `update activity set actor = m."userId" from "member" m where m."organizationId" = org_id`,
    )
    assert.deepEqual(await app.effects.findFaults(), [
      `worker.upload of plants-live: the actor is an id and no name`,
    ])
    await app.platform.pool.query(`delete from ${entriesOf}`)
  } finally {
    await app.close()
  }
})

test('each test file exempt from declaring its side effects exists, and the number of such files does not grow', () => {
  const files = Object.keys(UNLISTED)
  assert.deepEqual(
    files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url))),
    [],
  )
  assert.ok(files.length <= UNLISTED_MAX)
})

test('the number of side effects that tests declare as `some` or `any`, instead of an exact count, does not grow', () => {
  const root = new URL('../../', import.meta.url)
  const found = ['server', 'test/scenarios'].flatMap((folder) =>
    globSync(`${folder}/**/{*.test,testing}.ts`, { cwd: root }).flatMap(
      (file) => readFileSync(new URL(file, root), 'utf8').match(/: '(some|any)'/g) ?? [],
    ),
  )
  assert.ok(found.length > 0 && found.length <= INEXACT_MAX, `${found.length} are listed as some or any`)
})
