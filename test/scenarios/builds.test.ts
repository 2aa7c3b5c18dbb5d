import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BuildFrame } from '../../server/agent/frames.ts'
import { LeaseLostError, appendRunEvents } from '../../server/builds/stream/events.ts'
import type { Frame } from '../support/frames.ts'
import { finish, write } from '../support/scripted-model.ts'
import {
  type BuildWorld,
  buildWorld,
  A_BUILD,
  A_FAILED_BUILD,
  A_GREEN_BUILD,
  LONG,
  MIDDLE,
} from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

let world: BuildWorld
const GREEN = [
  { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
  { toolCalls: [finish()] },
]

const seqsOf = (frames: Frame[]) => frames.flatMap((frame) => (frame.seq === undefined ? [] : [frame.seq]))
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

const QUESTION = { id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }
const ASK = { toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }

describe('builds', () => {
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  test('a successful build makes a commit on main, moves the ticket to in review and fires one event', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject(GREEN)
    const built = await place.build<{
      status: string
      sha: string
      files: Record<string, string>
      generatedBy: string
    }>()
    assert.equal(built.status, 200, JSON.stringify(built.error))
    assert.equal(built.data.status, 'built')
    assert.equal(built.data.files['shared/plants.ts'], 'export const plants = 3\n')
    assert.equal(built.data.generatedBy, 'openai-compatible/scripted')
    const source = await place.get<{ files: object }>('/source')
    assert.deepEqual(source.data.files, built.data.files)
    const versions = await place.get<{ sha: string; current: boolean }[]>('/versions')
    assert.deepEqual(
      versions.data.map((version) => [version.sha, version.current]),
      [[built.data.sha, true]],
    )
    const project = await place.get<{ slugLocked: boolean }>('')
    assert.equal(project.data.slugLocked, true)
    const ticket = await place.get<{ status: string }>(`/tickets/${place.ticketId}`)
    assert.equal(ticket.data.status, 'in_review')
    assert.deepEqual(
      (await place.events()).filter((type) => type.startsWith('ticket.build')),
      ['ticket.build.succeeded'],
    )
  })

  test("a caller who waits for a build gets the files of the build's commit, even when main has changed meanwhile", async () => {
    leaves({ events: { 'ticket.updated': 2, 'ticket.build.succeeded': 2 }, jobs: { build: 2 } })
    const place = await world.openProject([
      ...GREEN,
      { toolCalls: [write('shared/plants.ts', 'export const plants = 4\n')] },
      { toolCalls: [finish()] },
    ])
    const first = await place.build<{ sha: string }>()
    // Stands for a person who reverts to the first version at the moment at which the second build settles.
    const { pool } = world.app.platform
    await pool.query(`create function revert_main() returns trigger language plpgsql as $$ begin
      update projects set head_sha = '${first.data.sha}' where id = new.project_id; return null; end $$`)
    await pool.query(`create trigger revert_main after update on runs for each row
      when (new.project_id = '${place.projectId}' and new.status = 'succeeded') execute function revert_main()`)
    const second = await place.build<{ sha: string; files: Record<string, string> }>()
    await pool.query('drop function revert_main cascade')
    assert.equal(
      (await place.get<{ sha: string; current: boolean }[]>('/versions')).data.find(({ current }) => current)
        ?.sha,
      first.data.sha,
    )
    assert.notEqual(second.data.sha, first.data.sha)
    assert.equal(second.data.files['shared/plants.ts'], 'export const plants = 4\n')
  })

  test("a run's record contains its result, and runs are listed newest first with their total number", async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject(GREEN)
    await place.build()
    const runs = await place.get<{ items: { id: string }[]; total: number; nextCursor: null }>('/runs')
    assert.deepEqual([runs.data.total, runs.data.nextCursor], [1, null])
    const run = await place.get<Record<string, unknown>>(`/runs/${runs.data.items[0]?.id}`)
    assert.equal(run.data['status'], 'succeeded')
    assert.equal(run.data['outcome'], 'built')
    assert.deepEqual(run.data['files'], [{ path: 'shared/plants.ts', added: 1, removed: 0 }])
    assert.ok((run.data['checks'] as { ok: boolean }[]).every((check) => check.ok))
    assert.ok((run.data['usage'] as { input: number }).input > 0)
  })

  test('the stream of a build numbers its frames from 1 without a gap and ends with one done frame', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject(GREEN)
    const frames = await place.stream()
    assert.deepEqual(seqsOf(frames), upTo(frames.length))
    assert.equal(frames[0]?.type, 'run')
    for (const frame of frames) assert.ok(BuildFrame.safeParse(frame).success, JSON.stringify(frame))
    assert.deepEqual(frames.filter((frame) => frame.type === 'done' || frame.type === 'error').length, 1)
    assert.equal(frames.at(-1)?.['status'], 'built')
    assert.equal(frames.filter((frame) => frame.type === 'tool').length, 2)
    const phases = frames.filter((frame) => frame.type === 'check').map((frame) => frame['phase'])
    assert.ok(phases.includes('types') && phases.includes('boot'), phases.join())
  })

  test("a client that reconnects after any frame of a build's stream gets exactly the remaining frames", async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject(GREEN)
    const all = await place.stream()
    const run = String(all[0]?.['run'])
    for (const seq of [0, 1, 3, all.length - 1, all.length]) {
      assert.deepEqual(await place.stream({ run, after: seq }), all.slice(seq))
    }
    const stored = await place.get<Frame[]>(`/runs/${run}/events?after=2`)
    assert.deepEqual(stored.data, all.slice(2))
  })

  test('a build whose model calls the tool finish ends only once the app check passes', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([
      { toolCalls: [write('shared/plants.ts', 'export const plants: string = 3\n')] },
      { toolCalls: [finish()] },
      {
        toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')],
        expect: { lastResult: 'check_failed' },
      },
      { toolCalls: [finish()] },
    ])
    const frames = await place.stream()
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
    const red = frames.find((frame) => frame.type === 'check' && frame['ok'] === false)
    assert.equal(red?.['phase'], 'types')
  })

  test('a build whose model only replies with text ends with the status replied, without a commit or a build event', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'It already does that.' }])
    const answer = await place.build()
    assert.deepEqual(answer.data['status'], 'replied')
    assert.equal(answer.data['message'], 'It already does that.')
    assert.equal((await place.get('/source')).data, null)
    assert.ok(!(await place.events()).some((type) => type.startsWith('ticket.build')))
  })

  test('a build with questions ends with the status awaiting, and the answers start a new build whose model reads them', async () => {
    leaves({ events: { 'ticket.updated': 2, 'ticket.build.succeeded': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([
      ASK,
      {
        toolCalls: [write('shared/plants.ts', 'export const a = 1\n')],
        expect: { lastResult: 'what: Plants' },
      },
      { toolCalls: [finish()] },
    ])
    const asked = await place.build<{ status: string; questions: object[]; runId: string }>()
    assert.equal(asked.data.status, 'awaiting')
    assert.deepEqual(asked.data.questions, [QUESTION])
    const wrong = await place.build({ answers: [{ id: 'who', value: 'me' }] })
    assert.equal(wrong.error?.code, 'invalid_request')
    assert.match(wrong.error?.message ?? '', /^answers: /)
    const built = await place.build<{ status: string; runId: string }>({
      answers: [{ id: 'what', value: 'Plants' }],
    })
    assert.equal(built.data.status, 'built', JSON.stringify(built.error))
    const run = await place.get<{ resumedFrom: string }>(`/runs/${built.data.runId}`)
    assert.equal(run.data.resumedFrom, asked.data.runId)
    const first = await place.get<{ status: string; outcome: string }>(`/runs/${asked.data.runId}`)
    assert.deepEqual([first.data.status, first.data.outcome], ['succeeded', 'awaiting'])
  })

  test('a request with answers can be repeated when its build failed or was cancelled before the model responded', async () => {
    leaves({ events: { 'ticket.updated': 1, 'ticket.build.failed': 1 }, jobs: { build: 4 } })
    const place = await world.openProject([
      ASK,
      { fault: 'http_401' },
      { ...LONG, fault: 'silence' },
      { text: 'Plants it is.', expect: { lastResult: 'what: Plants' } },
    ])
    const answers = [{ id: 'what', value: 'Plants' }]
    const asked = await place.build<{ runId: string }>()
    assert.equal((await place.build({ answers })).error?.code, 'model_error')
    const cancelled = place.build({ answers })
    await Promise.race([cancelled, place.until(async () => (await place.calls()).length === 3)])
    assert.equal((await place.cancel()).status, 200)
    assert.equal((await cancelled).status, 409)
    const done = await place.build<{ message: string; runId: string }>({ answers })
    assert.equal(done.data.message, 'Plants it is.', String(done.error?.message))
    const run = await place.get<{ resumedFrom: string }>(`/runs/${done.data.runId}`)
    assert.equal(run.data.resumedFrom, asked.data.runId)
    const late = await place.build({ answers })
    assert.deepEqual([late.status, late.error?.message], [400, 'answers: this ticket has no open question'])
  })

  test('a build with an open question requires answers, and uses the defaults for an empty list of answers', async () => {
    leaves({ events: { 'ticket.updated': 1 }, jobs: { build: 2 } })
    const taken = 'what: Tasks (not answered, default taken)'
    const place = await world.openProject([
      ASK,
      { ...ASK, expect: { lastResult: taken } },
      { text: 'Nothing to do.', expect: { lastResult: 'too_late' } },
    ])
    await place.build()
    for (const refused of [await place.build(), await place.build({ attachments: [] })]) {
      assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
      assert.match(refused.error?.message ?? '', /what: Track what/)
    }
    assert.equal((await place.calls()).length, 1, 'the model was not asked again')
    assert.equal((await place.build({ answers: [] })).data['status'], 'replied')
  })

  test('a request for a build stream with `after` but without `run` is refused with an error for the field `run`', async () => {
    const place = await world.openProject([{ text: 'done' }])
    const refused = await place.call(`POST /tickets/${place.ticketId}/build/stream`, { after: 5 })
    assert.equal(refused.status, 400)
    assert.match(refused.error?.message ?? '', /^run: /)
    assert.equal((await place.get<{ total: number }>('/runs')).data.total, 0)
  })

  test('two answers to one question are refused with an error for the field answers', async () => {
    const place = await world.openProject([{ text: 'done' }])
    const answers = [
      { id: 'what', value: 'Plants' },
      { id: 'what', value: 'Tasks' },
    ]
    for (const refused of [
      await place.build({ answers }),
      await place.call(`POST /tickets/${place.ticketId}/build/stream`, { answers }),
    ]) {
      assert.deepEqual([refused.status, refused.error?.code], [400, 'invalid_request'])
      assert.equal(refused.error?.message, 'answers: must not have two answers with one id')
    }
  })

  test('a build request with answers but without an open question is a 400', async () => {
    const place = await world.openProject(GREEN)
    const answer = await place.build({ answers: [{ id: 'what', value: 'x' }] })
    assert.deepEqual([answer.status, answer.error?.code], [400, 'invalid_request'])
  })

  test('a second concurrent build request in the same project gets a conflict', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'done' }])
    const goOn = place.hold(1)
    const both = [place.build(), place.build()]
    await Promise.race(both)
    goOn()
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).toSorted(), [200, 409])
  })

  test('building an unknown ticket is a 404, and an epic cannot be built', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const place = await world.openProject(GREEN)
    const unknown = await world.person.call(`POST /projects/${place.projectId}/tickets/tkt_0/build`, {})
    assert.deepEqual([unknown.status, unknown.error?.code], [404, 'not_found'])
    const epic = await world.person.call<{ id: string }>(`POST /projects/${place.projectId}/tickets`, {
      title: 'All of it',
      type: 'epic',
    })
    for (const path of ['build', 'build/stream']) {
      const refused = await place.call(`POST /tickets/${epic.data.id}/${path}`, {})
      assert.equal(refused.error?.code, 'conflict', path)
    }
  })

  test('a build without a connected model is a 412', async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 1 } })
    const stranger = await world.app.signUp()
    const project = await stranger.call<{ id: string }>('POST /projects', {})
    const ticket = await stranger.call<{ id: string }>(`POST /projects/${project.data.id}/tickets`, {
      title: 'x',
    })
    const answer = await stranger.call(
      `POST /projects/${project.data.id}/tickets/${ticket.data.id}/build`,
      {},
    )
    assert.deepEqual([answer.status, answer.error?.code], [412, 'model_required'])
  })

  test('cancelling a build ends the model call, leaves the main branch unchanged and fires no event', async () => {
    leaves({ events: { 'ticket.updated': 2, 'ticket.build.succeeded': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([{ text: 'thinking '.repeat(50), fault: 'silence' }])
    const waiting = place.build()
    const frames = place.stream({}, (frame) => frame.type === 'delta')
    await frames
    const cancelled = await place.cancel()
    assert.equal(cancelled.status, 200)
    const answer = await waiting
    assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'])
    const rest = await place.stream({ run: String((await frames)[0]?.['run']), after: 0 })
    assert.equal(rest.at(-1)?.['status'], 'cancelled')
    assert.deepEqual(seqsOf(rest), upTo(rest.length))
    assert.equal((await place.get('/source')).data, null)
    assert.equal((await place.cancel()).error?.code, 'conflict', 'there is nothing left to cancel')
    await place.script(GREEN)
    assert.equal((await place.build()).data['status'], 'built', 'the next build starts at once')
  })

  test('an API key without build:write cannot build, and without deploy:write its builds have no ship tool', async () => {
    leaves(A_BUILD)
    const reader = await world.app.keyFor(world.person, ['projects:read'])
    const closed = await world.openProject(GREEN, { client: reader })
    assert.equal((await closed.build()).error?.code, 'forbidden_scope')
    const builder = await world.app.keyFor(world.person, ['projects:read', 'build:write'])
    const place = await world.openProject(
      [{ text: 'ok', expect: { tools: ['finish'], withoutTools: ['ship', 'enable_capability'] } }],
      { client: builder },
    )
    assert.equal((await place.build()).data['status'], 'replied')
  })

  test('the build agent of an API key with deploy:write has the ship tool, which is refused without a cloud account', async () => {
    leaves(A_FAILED_BUILD)
    const shipper = await world.app.keyFor(world.person, ['projects:read', 'build:write', 'deploy:write'])
    const place = await world.openProject(
      [
        { ...GREEN[0], expect: { tools: ['ship'] } },
        { toolCalls: [{ name: 'ship', args: {} }] },
        { fault: 'http_401', expect: { lastResult: 'not_allowed' } },
      ],
      { client: shipper },
    )
    assert.equal((await place.build()).error?.code, 'model_error')
    assert.equal((await place.get('/source')).data, null)
  })

  test('a build may ship even when its organization has no settings row', async () => {
    leaves(A_FAILED_BUILD)
    const place = await world.openProject([
      GREEN[0] ?? assert.fail(),
      { toolCalls: [{ name: 'ship', args: {} }] },
      { fault: 'http_401' },
    ])
    const { db } = world.app.platform
    const settings = await db
      .deleteFrom('organization_settings')
      .where('org_id', '=', world.person.organizationId)
      .returningAll()
      .execute()
    assert.equal(settings.length, 1)
    const frames = await place.stream()
    await db.insertInto('organization_settings').values(settings).execute()
    const shipped = frames.find(({ type, name }) => type === 'tool' && name === 'ship')
    assert.match(String(shipped?.['result']), /No cloud account is connected/)
  })

  test('the build agent may rename a project only while the project has its default name', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1, 'ticket.updated': 2, 'project.renamed': 1 },
      jobs: { build: 2 },
    })
    const project = await world.person.call<{ id: string }>('POST /projects', {})
    const place = await world.openProject([{ text: 'x', expect: { withoutTools: ['rename_project'] } }])
    assert.equal((await place.build()).data['status'], 'replied', 'a project with a name offers no rename')
    const { modelConnectionId } = place
    await place.script([
      { toolCalls: [{ name: 'rename_project', args: { name: 'Office plants' } }] },
      { text: 'done' },
    ])
    await world.person.call(`PUT /projects/${project.data.id}/model`, {
      connectionId: modelConnectionId,
      model: 'scripted',
    })
    const ticket = await world.person.call<{ id: string }>(`POST /projects/${project.data.id}/tickets`, {
      title: 'x',
    })
    await world.person.call(`POST /projects/${project.data.id}/tickets/${ticket.data.id}/build`, {})
    const renamed = await world.person.call(`GET /projects/${project.data.id}`)
    assert.deepEqual([renamed.data['name'], renamed.data['slug']], ['Office plants', 'office-plants'])
  })

  test('a client that disconnects while it waits for a build causes no internal error, and the build continues', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([LONG])
    const goOn = place.hold(MIDDLE)
    const client = new AbortController()
    const waiting = world.person.raw(`POST ${place.route}`, {
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: client.signal,
    })
    await place.until(async () => (await place.calls()).length > 0)
    client.abort()
    assert.equal((await waiting).status, 409)
    goOn()
    await place.until(async () => {
      const { data } = await place.get<{ items: { outcome: string | null }[] }>('/runs')
      return data.items[0]?.outcome === 'replied'
    })
  })

  test('a name that a person gives to a project during a build is not replaced by the build agent', async () => {
    leaves({ events: { 'project.renamed': 2, 'ticket.updated': 1 }, jobs: { build: 1 } })
    const place = await world.openProject([
      { ...LONG, toolCalls: [{ name: 'rename_project', args: { name: 'Office plants' } }] },
      { text: 'done', expect: { lastResult: 'the project was named "Greenhouse" and keeps this name' } },
    ])
    await place.call('PATCH ', { name: 'Untitled project' })
    const goOn = place.hold(MIDDLE)
    const building = place.build()
    await place.until(async () => (await place.calls()).length > 0)
    await place.call('PATCH ', { name: 'Greenhouse' })
    goOn()
    const built = await building
    assert.equal(built.status, 200, String(built.error?.message))
    const named = await place.get<{ name: string; slug: string }>('')
    assert.deepEqual([named.data.name, named.data.slug], ['Greenhouse', 'greenhouse'])
  })

  test("a build beyond the plan's builds per hour is a 429 that names the waiting time", async () => {
    leaves({ events: { 'ticket.updated': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([{ text: 'hello', repeat: true }])
    await place.build()
    const { db } = world.app.platform
    const [run] = await db.selectFrom('runs').selectAll().where('project_id', '=', place.projectId).execute()
    assert.ok(run)
    const { org_id, created_at } = run
    await db
      .insertInto('build_starts')
      .values(Array.from({ length: 99 }, () => ({ org_id, created_at })))
      .execute()
    const setPlan = (plan: 'free' | 'enterprise') =>
      db.updateTable('organization_settings').set({ plan }).where('org_id', '=', run.org_id).execute()
    await setPlan('free')
    const answer = await place.build()
    assert.deepEqual([answer.status, answer.error?.code], [429, 'rate_limited'])
    assert.match(answer.error?.message ?? '', /100 builds an hour.*60 minutes/)
    assert.equal(answer.headers.get('retry-after'), '3600')
    const streamed = await place.call(`POST /tickets/${place.ticketId}/build/stream`, {})
    assert.deepEqual([streamed.status, streamed.error?.code], [429, 'rate_limited'])
    await setPlan('enterprise')
    assert.equal((await place.build()).status, 200)
  })

  test("a worker cannot append frames to a build's stream after its last frame", async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'There is nothing to do.' }])
    const run = String((await place.stream())[0]?.['run'])
    const { db } = world.app.platform
    // The lease number of the worker that ended the run: it is 1 when a run is created, and 2 after the first claim.
    const worker = { id: run, lease: 2 }
    await assert.rejects(
      appendRunEvents(db, worker, [{ type: 'delta', text: 'late' }], new Date()),
      (error) => error instanceof LeaseLostError,
    )
    const stored = await place.get<Frame[]>(`/runs/${run}/events`)
    assert.equal(stored.data.at(-1)?.type, 'done')
  })
})
