import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { purgeDrafts } from '../../server/versions/purge-drafts.ts'
import { requireSound, writeRepository } from '../support/repository.ts'
import { finish, write } from '../support/scripted-model.ts'
import { A_GREEN_BUILD, type BuildWorld, type BuildProject, buildWorld } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const DAY_MS = 86_400_000
const writePlants = (count: number) => write('shared/plants.ts', `export const plants = ${count}\n`)
const greenSteps = (count: number) => [
  { toolCalls: [writePlants(count)] },
  { toolCalls: [finish(`${count} plants.`)] },
]

interface Version {
  sha: string
  message: string
  current: boolean
}
interface Reverted {
  sha: string
  restored: string
}

describe('versions, reverts and drafts', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  const readSource = async (place: BuildProject) =>
    (await place.get<{ files: Record<string, string> }>('/source')).data.files
  const revertTo = (place: BuildProject, sha: string) => place.call<Reverted>(`POST /versions/${sha}/revert`)
  const buildVersion = async (place: BuildProject): Promise<string> => {
    const built = await place.build<{ sha: string }>()
    assert.equal(built.status, 200, JSON.stringify(built.error))
    // Versions are sorted by time, so advance the test's clock.
    world.app.clock.advance(1000)
    return built.data.sha
  }

  test("a version's commit message is the build's summary, with the first sentence as the first line", async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([
      { toolCalls: [writePlants(1)] },
      { toolCalls: [finish('Plants are tracked. Each has a pot.\n\nAnd a list.')] },
    ])
    const sha = await buildVersion(place)
    const [version] = (await place.get<Version[]>('/versions')).data
    assert.equal(version?.sha, sha)
    const [subject, ...body] = version.message.split('\n\n')
    assert.equal(subject, 'Plants are tracked.')
    assert.deepEqual(body.slice(0, -1), ['Plants are tracked. Each has a pot.', 'And a list.'])
  })

  test('a revert to an earlier version is a new commit with its files, and can itself be reverted', async () => {
    leaves({
      events: { 'ticket.updated': 2, 'project.reverted': 2, 'ticket.build.succeeded': 2 },
      jobs: { build: 2, preview: 2 },
    })
    const place = await world.openProject([...greenSteps(1), ...greenSteps(2)])
    const one = await buildVersion(place)
    const two = await buildVersion(place)
    const [filesOfOne, filesOfTwo] = [await place.get(`/versions/${one}/diff`), await readSource(place)]
    const back = await revertTo(place, one)
    assert.equal(back.status, 200, JSON.stringify(back.error))
    assert.equal(back.data.restored, one)
    assert.equal((await readSource(place))['shared/plants.ts'], 'export const plants = 1\n')
    assert.equal((await place.get(`/versions/${one}/diff`)).data['sha'], filesOfOne.data['sha'])
    world.app.clock.advance(1000)
    const forth = await revertTo(place, two)
    assert.deepEqual(await readSource(place), filesOfTwo)
    // A revert to the current version is refused, because its commit would change nothing.
    assert.equal((await revertTo(place, two)).error?.code, 'conflict')
    const versions = await place.get<Version[]>('/versions')
    assert.deepEqual(
      versions.data.map((version) => [version.sha, version.current]),
      [
        [forth.data.sha, true],
        [back.data.sha, false],
        [two, false],
        [one, false],
      ],
    )
    assert.match(versions.data[1]?.message ?? '', new RegExp(`^Revert to ${one.slice(0, 7)}: 1 plants\\.`))
    const events = (await place.events()).filter((type) => type === 'project.reverted')
    assert.equal(events.length, 2)
    const row = await world.app.platform.db
      .selectFrom('events')
      .select('body')
      .where('project_id', '=', place.projectId)
      .where('type', '=', 'project.reverted')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    assert.deepEqual((JSON.parse(row.body) as { data: object }).data, { sha: one })
    const history = await place.get<{ type: string; sha: string; actor: string }[]>('/history')
    assert.deepEqual(
      history.data.map((event) => [event.type, event.sha]),
      [
        ['reverted', two],
        ['reverted', one],
        ['built', two],
        ['built', one],
      ],
    )
    assert.ok(history.data[0]?.actor)
    requireSound(await exportRepository(place, forth.data.sha), 4)
  })

  test('reverting the code of a project keeps the database migrations of main', async () => {
    leaves({
      events: { 'ticket.updated': 2, 'project.reverted': 1, 'ticket.build.succeeded': 3 },
      jobs: { build: 3, preview: 1 },
    })
    const place = await world.openProject([
      { toolCalls: [manifestWith({ name: 'text', done: 'boolean' }, []), TEST] },
      { toolCalls: [finish()] },
      { toolCalls: [manifestWith({ name: 'text' }, [DROP])] },
      { toolCalls: [finish()] },
    ])
    const one = await buildVersion(place)
    await buildVersion(place)
    const { data } = await revertTo(place, one)
    const source = await readSource(place)
    const restored = JSON.parse(source['app.json'] ?? '') as Manifest
    assert.deepEqual(Object.keys(restored.collections['plants']?.fields ?? {}), ['name', 'done'])
    assert.deepEqual(restored.migrations, [DROP])
    assert.match(source['platform/manifest.gen.ts'] ?? '', /0001-done/)
    await place.script([{ toolCalls: [writePlants(3)] }, { toolCalls: [finish()] }])
    await buildVersion(place)
    requireSound(await exportRepository(place, data.sha), 3)
  })

  test('a revert is refused during a build, to the current or an unknown version, and to anyone without the right to revert', async () => {
    leaves({ events: { 'ticket.updated': 2, 'ticket.build.succeeded': 1 }, jobs: { build: 2 } })
    const place = await world.openProject(greenSteps(1))
    const one = await buildVersion(place)
    assert.deepEqual((await revertTo(place, one)).error, {
      code: 'conflict',
      message: 'This version is already the current one.',
    })
    await place.script([{ text: 'thinking '.repeat(50), fault: { kind: 'slow', perSecond: 5 } }])
    const watched = place.stream()
    await place.stream({}, (frame) => frame.type === 'delta')
    assert.deepEqual((await revertTo(place, one)).error, {
      code: 'conflict',
      message: 'A build is running. Cancel it or wait for it.',
    })
    await place.cancel()
    await watched
    assert.equal((await revertTo(place, '0'.repeat(40))).status, 404)
    assert.equal((await revertTo(place, 'main')).status, 404)
    const stranger = await world.app.signUp()
    const foreign = await stranger.call(`POST /projects/${place.projectId}/versions/${one}/revert`)
    assert.equal(foreign.status, 404)
    const reader = await world.app.keyFor(world.person, ['projects:read'])
    const closed = await reader.call(`POST /projects/${place.projectId}/versions/${one}/revert`)
    assert.equal(closed.error?.code, 'forbidden_scope')
    assert.equal((await place.get<Version[]>('/versions')).data.length, 1)
  })

  test('the next build of a ticket starts from the files of a build that failed', async () => {
    leaves({
      events: { 'ticket.updated': 2, 'ticket.build.failed': 1, 'ticket.build.succeeded': 1 },
      jobs: { build: 2 },
    })
    const place = await world.openProject([{ toolCalls: [writePlants(7)] }, { fault: 'http_401' }])
    assert.equal((await place.build()).error?.code, 'model_error')
    assert.deepEqual(await countDrafts(place), 1)
    await place.script([{ toolCalls: [finish()], expect: { lastUser: 'The files are as it left them' } }])
    await buildVersion(place)
    assert.equal((await readSource(place))['shared/plants.ts'], 'export const plants = 7\n')
    assert.equal(
      await countDrafts(place),
      1,
      'what is on main needs no draft; the old one is left to its age',
    )
  })

  test('the files of a failed build are ignored once main has changed, or after two weeks', async () => {
    leaves({
      events: {
        'ticket.updated': 2,
        'project.reverted': 1,
        'ticket.build.failed': 1,
        'ticket.build.succeeded': 2,
      },
      jobs: { build: 4, preview: 1 },
    })
    const place = await world.openProject([
      ...greenSteps(1),
      ...greenSteps(2),
      { toolCalls: [writePlants(7)] },
      { fault: 'http_401' },
    ])
    const one = await buildVersion(place)
    await buildVersion(place)
    await place.build()
    await revertTo(place, one)
    await place.script([{ text: 'Hello.' }])
    await place.build()
    assert.doesNotMatch(JSON.stringify((await place.calls())[0]?.request.messages), /plants = 7/)
    world.app.clock.advance(13 * DAY_MS)
    const signal = new AbortController().signal
    await purgeDrafts.run(world.app.platform, signal)
    assert.equal(await countDrafts(place), 1)
    world.app.clock.advance(DAY_MS + 1000)
    await purgeDrafts.run(world.app.platform, signal)
    assert.equal(await countDrafts(place), 0)
    assert.equal((await place.get('/source')).status, 200, 'main stays')
  })

  async function countDrafts(place: BuildProject): Promise<number> {
    const rows = await world.app.platform.db
      .selectFrom('git_refs')
      .select('oid')
      .where('project_id', '=', place.projectId)
      .where('name', 'like', 'refs/runs/%')
      .execute()
    return rows.length
  }

  async function exportRepository(place: BuildProject, head: string): Promise<string> {
    const { db } = world.app.platform
    const objects = await db
      .selectFrom('git_objects')
      .select(['oid', 'type', 'data'])
      .where('project_id', '=', place.projectId)
      .execute()
    return writeRepository(objects, head)
  }
})

interface Manifest {
  collections: Record<string, { fields: object }>
  migrations: object[]
}

const DROP = { id: '0001-done', collection: 'plants', steps: [{ op: 'drop', field: 'done' }] }
const TEST = write(
  'tests/plants.test.ts',
  "import { test } from '@slipway/app/testing'\ntest('the app is there', () => {})\n",
)

function manifestWith(fields: Record<string, string>, migrations: object[]) {
  const types = Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [name, { type: type === 'boolean' ? type : 'text' }]),
  )
  return write(
    'app.json',
    JSON.stringify({
      slipway: 1,
      name: 'Plants',
      uses: ['data'],
      pages: [{ path: '/', file: 'Home.tsx', title: 'Home', access: 'public' }],
      collections: { plants: { partition: 'app', read: 'public', write: 'nobody', fields: types } },
      migrations,
    }),
  )
}
