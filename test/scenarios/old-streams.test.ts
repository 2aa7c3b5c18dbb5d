import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SnapshotFrame } from '../../server/agent/frames.ts'
import { compactRunEvents } from '../../server/builds/stream/compact.ts'
import { type Frame, framesOf } from '../support/frames.ts'
import { finish, write } from '../support/scripted-model.ts'
import { type BuildWorld, type BuildProject, buildWorld, A_BUILD, A_GREEN_BUILD } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const DAY_MS = 86_400_000
const GREEN = [
  { text: 'I write a list.', toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
  { fault: 'no_finish', text: 'lost words' },
  { text: 'Done now.', toolCalls: [finish()] },
]

describe('streams of old builds', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  const compactEvents = () => compactRunEvents.run(world.app.platform, new AbortController().signal)
  const rawStream = (place: BuildProject, headers: Record<string, string>) =>
    world.person.raw(`POST ${place.route}/stream`, {
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  const collectFrames = async (answer: Response): Promise<Frame[]> => {
    const frames: Frame[] = []
    for await (const frame of framesOf(answer)) frames.push(frame)
    return frames
  }

  test("a client of a finished build's stream gets exactly the frames after the number in `after` or Last-Event-ID", async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject(GREEN)
    const all = await place.stream()
    const run = String(all[0]?.['run'])
    for (let seq = 0; seq <= all.length; seq++) {
      assert.deepEqual(await place.stream({ run, after: seq }), all.slice(seq), `after ${seq}`)
      const resumed = await rawStream(place, { 'last-event-id': `${run}:${seq}` })
      assert.deepEqual(await collectFrames(resumed), all.slice(seq), `Last-Event-ID ${seq}`)
    }
  })

  test('30 days after a build, the frames of its stream are replaced by a snapshot and the last frame', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject(GREEN)
    const all = await place.stream()
    const run = String(all[0]?.['run'])
    const end = all.at(-1)
    world.app.clock.advance(30 * DAY_MS)
    await compactEvents()
    assert.deepEqual(await place.stream({ run, after: 0 }), all, 'a month is kept')
    world.app.clock.advance(1000)
    await compactEvents()
    const [snapshot, last, ...rest] = await place.stream({ run, after: 0 })
    assert.deepEqual(last, end)
    assert.deepEqual(rest, [])
    const parsed = SnapshotFrame.parse(snapshot)
    assert.deepEqual([parsed.run, parsed.seq], [run, all.length - 1])
    assert.equal(parsed.text, 'I write a list.\n\nDone now.', 'a try that failed is no part of the text')
    assert.deepEqual(parsed.files, [{ path: 'shared/plants.ts', added: 1, removed: 0 }])
    assert.ok(parsed.checks.length > 0 && parsed.checks.every((check) => check.ok))
    assert.ok(parsed.usage.input > 0)
    for (const seq of [1, all.length - 2]) {
      assert.deepEqual(await place.stream({ run, after: seq }), [snapshot, end], 'never silence')
    }
    assert.deepEqual(await place.stream({ run, after: all.length - 1 }), [end])
    await compactEvents()
    assert.deepEqual(await place.stream({ run, after: 0 }), [snapshot, end], 'folding twice changes nothing')
    const stored = await place.get<Frame[]>(`/runs/${run}/events`)
    assert.deepEqual(stored.data, [snapshot, end])
  })

  test('the nightly compaction skips an unreadable frame, and compacts the rest of its build and all other builds', async () => {
    leaves({ events: { 'ticket.updated': 4, 'ticket.build.succeeded': 2 }, jobs: { build: 2 } })
    const builds: { place: BuildProject; run: string }[] = []
    for (const damaged of ['{"seq":2,"type":"del', '{"seq":2,"type":"delta","text":7}']) {
      const place = await world.openProject(GREEN)
      const all = await place.stream()
      const run = String(all[0]?.['run'])
      const { rowCount } = await world.app.platform.pool.query(
        `update run_events set body = $2
         where (run_id, seq) = (select run_id, min(seq) from run_events where run_id = $1 and type = 'delta' group by run_id)`,
        [run, damaged],
      )
      assert.equal(rowCount, 1)
      builds.push({ place, run })
    }
    world.app.clock.advance(30 * DAY_MS + 1000)
    await compactEvents()
    for (const { place, run } of builds) {
      const [snapshot, last, ...rest] = await place.stream({ run, after: 0 })
      assert.match(SnapshotFrame.parse(snapshot).text, /Done now\.$/, 'the readable frames')
      assert.equal(last?.type, 'done')
      assert.deepEqual(rest, [])
    }
  })

  test("the stored frames of a running build's stream are never replaced by a snapshot", async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'thinking '.repeat(50), fault: 'silence' }])
    const watched = place.stream()
    const [begun] = await place.stream({}, (frame) => frame.type === 'delta')
    world.app.clock.advance(31 * DAY_MS)
    await compactEvents()
    await place.cancel()
    const frames = await watched
    assert.deepEqual(await place.stream({ run: String(begun?.['run']), after: 0 }), frames)
  })
})
