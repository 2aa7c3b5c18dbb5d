import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runBuild } from '../../server/builds/run/execute.ts'
import type { Frame } from '../support/frames.ts'
import { finish, write } from '../support/scripted-model.ts'
import { type BuildWorld, LONG, MIDDLE, type BuildProject, buildWorld, A_GREEN_BUILD } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

// The tests call the code of a build worker themselves. Instead of killing a process they suspend its run and
// let a second worker take it over: in the database a suspended process looks like a killed one.
let world: BuildWorld
const USAGE = { input: 1_000, output: 50 }
const WRITE = { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')], usage: USAGE }
const FINISH = { toolCalls: [finish()], usage: USAGE }
const SILENCE = { text: 'thinking about it', fault: 'silence' }

const workOn = (runId: string, signal = new AbortController().signal) =>
  runBuild(world.app.platform, runId, signal)
const seqsOf = (frames: Frame[]) => frames.flatMap((frame) => (frame.seq === undefined ? [] : [frame.seq]))
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

/** Starts a build without a worker. Returns the id of the run, and a promise of all frames that a watcher gets. */
async function startBuild(place: BuildProject): Promise<{ runId: string; watched: Promise<Frame[]> }> {
  const watched = place.stream()
  for (;;) {
    const runs = await place.get<{ items: { id: string; status: string }[] }>('/runs')
    const run = runs.data.items.find((item) => item.status === 'queued')
    if (run !== undefined) return { runId: run.id, watched }
    await sleep(10)
  }
}

/** Waits until the model has been called `count` times and the beginning of its response is stored. */
async function waitForCalls(place: BuildProject, count: number): Promise<void> {
  await place.until(async () => (await place.calls()).length >= count)
  await place.until(async () => {
    const runs = await place.get<{ items: { id: string }[] }>('/runs')
    const stored = await place.get<Frame[]>(`/runs/${runs.data.items[0]?.id}/events`)
    return stored.data.at(-1)?.type === 'delta'
  })
}

describe('builds during a restart of the service', () => {
  before(async () => {
    world = await buildWorld({ work: false })
  })
  after(() => world.close())

  test('a killed build continues after its last complete step, in a new run whose frames are numbered from 1', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([WRITE, SILENCE, FINISH])
    const { runId, watched } = await startBuild(place)
    const first = workOn(runId)
    await waitForCalls(place, 2)
    await workOn(runId)
    const frames = await watched
    await first
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
    const at = frames.findIndex((frame) => frame.type === 'resuming')
    assert.deepEqual(frames[at], { type: 'resuming' })
    assert.equal(frames.filter((frame) => frame.type === 'resuming').length, 1)
    const [old, next] = [frames.slice(0, at), frames.slice(at + 1)]
    assert.deepEqual([seqsOf(old), seqsOf(next)], [upTo(old.length), upTo(next.length)])
    assert.deepEqual([next[0]?.type, next[0]?.['attempt']], ['run', 2])
    assert.equal((await place.calls()).length, 3, 'no finished call is repeated')
    const use = await world.person.call<{ used: number }>('GET /connections/models/limits')
    assert.equal(use.data.used, 2 * (USAGE.input + USAGE.output), 'no finished call is counted twice')
    const runs = await place.get<{ items: Record<string, unknown>[] }>('/runs')
    const shown = runs.data.items.map((run) => [
      run['status'],
      run['attempt'],
      (run['error'] as Frame | null)?.['kind'],
    ])
    assert.deepEqual(shown, [
      ['succeeded', 2, undefined],
      ['failed', 1, 'interrupted'],
    ])
    assert.equal(runs.data.items[0]?.['resumedFrom'], runId)
    assert.deepEqual(
      (await place.events()).filter((type) => type.startsWith('ticket.build')),
      ['ticket.build.succeeded'],
    )
  })

  test('a client that reconnects to the stream of a killed build gets the frames of the run that continues it', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([WRITE, SILENCE, FINISH])
    const { runId, watched } = await startBuild(place)
    const first = workOn(runId)
    await waitForCalls(place, 2)
    await workOn(runId)
    const all = await watched
    await first
    assert.deepEqual(await place.stream({ run: runId, after: 2 }), all.slice(2))
  })

  test('a request that waits for a build survives the kill of the building process and returns the end of the resumed build', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([SILENCE, WRITE, FINISH])
    const answer = place.build()
    let runId: string | undefined
    while (runId === undefined)
      runId = (await place.get<{ items: { id: string }[] }>('/runs')).data.items[0]?.id
    const first = workOn(runId)
    await waitForCalls(place, 1)
    await workOn(runId)
    await first
    const built = await answer
    assert.equal(built.data['status'], 'built', JSON.stringify(built.error))
  })

  test('a suspended process no longer writes to a build that another process has taken over', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([
      WRITE,
      { ...LONG, toolCalls: [write('shared/late.ts', 'export const late = 1\n')] },
      FINISH,
    ])
    const wakeUp = place.hold(MIDDLE)
    const { runId, watched } = await startBuild(place)
    const sleeper = workOn(runId)
    await waitForCalls(place, 2)
    await workOn(runId)
    wakeUp()
    await Promise.all([watched, sleeper])
    const source = await place.get<{ files: Record<string, string> }>('/source')
    assert.equal(source.data.files['shared/late.ts'], undefined)
  })

  test('after three interrupted attempts a build fails as interrupted, and the project can build again', async () => {
    leaves({ events: { 'ticket.updated': 1, 'ticket.build.failed': 1 }, jobs: { build: 2 } })
    const place = await world.openProject([{ ...SILENCE, repeat: true }])
    const { runId, watched } = await startBuild(place)
    const attempts = []
    for (let n = 1; n <= 3; n++) {
      attempts.push(workOn(runId))
      await waitForCalls(place, n)
    }
    await workOn(runId)
    const frames = await watched
    await Promise.all(attempts)
    assert.deepEqual([frames.at(-1)?.type, frames.at(-1)?.['kind']], ['error', 'interrupted'])
    assert.deepEqual(
      (await place.events()).filter((type) => type.startsWith('ticket.build')),
      ['ticket.build.failed'],
    )
    await place.script([{ text: 'hello' }])
    const again = await startBuild(place)
    await workOn(again.runId)
    assert.equal((await again.watched).at(-1)?.['status'], 'replied')
  })

  test('a build that was killed while publishing is published without being built again', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([WRITE, FINISH])
    const { runId, watched } = await startBuild(place)
    await workOn(runId)
    await watched
    const { db } = world.app.platform
    const done = await place.get<Frame[]>(`/runs/${runId}/events`)
    const cut = done.data.findIndex((frame) => frame.type === 'preview')
    await db.deleteFrom('run_events').where('run_id', '=', runId).where('seq', '>', cut).execute()
    await db
      .deleteFrom('events')
      .where('project_id', '=', place.projectId)
      .where('type', '=', 'ticket.build.succeeded')
      .execute()
    await db
      .updateTable('runs')
      .set({ status: 'running', outcome: null, finished_at: null, last_seq: cut })
      .where('id', '=', runId)
      .where('org_id', '=', world.person.organizationId)
      .execute()
    const again = place.stream({ run: runId, after: cut })
    await workOn(runId)
    assert.equal((await again).at(-1)?.['status'], 'built')
    assert.equal((await place.calls()).length, 2)
    assert.equal((await place.get<unknown[]>('/versions')).data.length, 1)
  })

  const CHECK = { toolCalls: [{ name: 'check', args: {} }] }
  /** Returns a function that reports whether a check of the run has started. */
  const isChecking = (runId: string) => async () => {
    const { db } = world.app.platform
    const step = await db
      .selectFrom('run_steps')
      .select('run_id')
      .where('run_id', '=', runId)
      .where('begun', 'is not', null)
      .executeTakeFirst()
    return step !== undefined
  }
  const checksIn = (frames: Frame[]) =>
    frames.filter(({ type, name }) => type === 'tool' && name === 'check').map(({ error }) => error)

  test('an app check during which the service was killed is not repeated, and the build continues', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([WRITE, CHECK, FINISH])
    const { runId, watched } = await startBuild(place)
    const first = workOn(runId)
    await place.until(isChecking(runId))
    await workOn(runId)
    const frames = await watched
    await first
    assert.deepEqual(checksIn(frames), ['interrupted'])
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
    assert.match(JSON.stringify((await place.calls()).at(-1)), /the service stopped while check was running/)
  })

  test('an app check that a graceful stop interrupted is repeated by the next process', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([WRITE, CHECK, FINISH])
    const { runId, watched } = await startBuild(place)
    const stopping = new AbortController()
    const handed = workOn(runId, stopping.signal)
    await place.until(isChecking(runId))
    stopping.abort(new Error('the service is stopping'))
    await assert.rejects(handed, /stopping/)
    await workOn(runId)
    const frames = await watched
    assert.deepEqual(checksIn(frames), [undefined])
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
  })

  test('a process that stops gracefully releases its build, and clients of its stream get a resuming frame immediately', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([SILENCE, WRITE, FINISH])
    const { runId, watched } = await startBuild(place)
    const stopping = new AbortController()
    const handed = workOn(runId, stopping.signal)
    await waitForCalls(place, 1)
    const told = place.stream({ run: runId, after: 0 }, (frame) => frame.type === 'resuming')
    stopping.abort(new Error('the service is stopping'))
    await assert.rejects(handed, /stopping/)
    assert.equal((await told).at(-1)?.type, 'resuming')
    await workOn(runId)
    assert.equal((await watched).at(-1)?.['status'], 'built')
  })
})
