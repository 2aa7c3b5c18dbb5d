import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildFrame, SequencedFrame } from '@slipway/sdk/frames.ts'
import { readBuildStream } from '@slipway/sdk/stream.ts'
import { type BuildState, initialBuild, reduceBuild } from './build-state.ts'

const SEEDS = 150

/** Returns a generator of random numbers from 0 to 1. Equal seeds give equal numbers. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const runFrame = (run: string, attempt: number): BuildFrame => ({
  type: 'run',
  run,
  ticketId: 'tkt_1',
  attempt,
  trigger: 'stream',
  model: 'scripted',
  generatedBy: 'test/scripted',
})

/** Returns the messages (frames) of a build stream, for one to four steps with random contents. */
function makeStory(random: () => number, run: string, attempt: number): SequencedFrame[] {
  const frames: BuildFrame[] = [runFrame(run, attempt)]
  const steps = 1 + Math.floor(random() * 4)
  for (let n = 1; n <= steps; n++) {
    frames.push({ type: 'step', n, limit: 60 })
    const events = Math.floor(random() * 8)
    for (let i = 0; i < events; i++) frames.push(makeEvent(random, n, i))
    frames.push({ type: 'usage', input: n * 100, output: n * 10, cacheRead: 0, cacheWrite: 0 })
  }
  const ends: BuildFrame[] = [
    {
      type: 'done',
      status: 'built',
      run,
      sha: 'abc1234',
      changed: [{ path: 'a0.ts', added: 1, removed: 2 }],
    },
    { type: 'done', status: 'replied', run, message: 'No need.' },
    { type: 'error', kind: 'stuck', message: 'In circles.', retryable: true },
  ]
  frames.push(ends[Math.floor(random() * ends.length)] ?? ends[0]!)
  return frames.map((frame, index) => ({ ...frame, seq: index + 1 }))
}

function makeEvent(random: () => number, step: number, i: number): BuildFrame {
  const path = `a${Math.floor(random() * 3)}.ts`
  const events: BuildFrame[] = [
    { type: 'delta', text: `word ${step}.${i} ` },
    { type: 'delta', reasoning: `thought ${step}.${i} ` },
    { type: 'delta', tool: 'write_file', path, toolChars: 40 },
    { type: 'tool', id: `c${step}.${i}`, name: 'write_file', args: { path }, ok: true, result: '', ms: 1 },
    { type: 'file', path, op: 'write', bytes: 1, added: i, removed: step },
    { type: 'check', n: step, phase: 'types', ok: random() > 0.5, ms: 1, errorCount: 0, errors: [] },
    { type: 'steer', id: `msg_${step}.${i}`, text: 'Use blue', delivery: 'delivered' },
    { type: 'retry', step, waitMs: 10, reason: 'overloaded' },
  ]
  return events[Math.floor(random() * events.length)] ?? events[0]!
}

/** A service whose connections break at any frame, repeat frames or swap two frames. */
function unreliableService(runs: Map<string, SequencedFrame[]>, first: string, random: () => number) {
  let connections = 0
  const answer = async (request: Request): Promise<Response> => {
    connections += 1
    const body = (await request.json()) as { run?: string; after?: number }
    if (random() < 0.15) throw new TypeError('fetch failed')
    if (random() < 0.1 && body.run) return new Response('', { status: 503 })
    const after = Math.max(0, (body.after ?? 0) - Math.floor(random() * 3))
    const frames = framesAfter(runs, body.run ?? first, after)
    const swapAt = random() < 0.3 ? Math.floor(random() * (frames.length - 1)) : -1
    if (swapAt >= 0) frames.splice(swapAt, 2, ...frames.slice(swapAt, swapAt + 2).toReversed())
    // A request without `run` starts the build. Its response names the run in the first frame, which is never
    // cut off here, because the reader could not resume without it.
    const least = body.run ? 0 : 1
    const cut = random() < 0.7 ? least + Math.floor(random() * frames.length) : frames.length
    const text = frames.slice(0, cut).map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
    return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } })
  }
  return { answer, connections: () => connections }
}

/**
 * Returns what the service sends to a reader that has the frames of `run` up to the sequence number `after`:
 * the other frames of that run, then all frames of each later run of the same build.
 */
function framesAfter(runs: Map<string, SequencedFrame[]>, run: string, after: number): SequencedFrame[] {
  const ids = [...runs.keys()]
  const later = ids.slice(ids.indexOf(run) + 1)
  return [
    ...(runs.get(run) ?? []).filter((frame) => (frame.seq ?? 0) > after),
    ...later.flatMap((id): SequencedFrame[] => [{ type: 'resuming' }, ...(runs.get(id) ?? [])]),
  ]
}

async function followRun(service: ReturnType<typeof unreliableService>, run: string): Promise<BuildState> {
  let state = initialBuild
  const frames = readBuildStream({
    url: 'http://slipway.test/build/stream',
    body: { run, after: 0 },
    signal: new AbortController().signal,
    fetch: service.answer,
    maxTries: 1000,
    wait: () => Promise.resolve(),
  })
  for await (const frame of frames) state = reduceBuild(state, frame)
  return state
}

const reduceAll = (frames: SequencedFrame[]) => frames.reduce(reduceBuild, initialBuild)

describe('following a build over unreliable connections', () => {
  test('a build stream whose frames are lost, repeated or reordered ends in the same state as an undisturbed stream', async () => {
    let connections = 0
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomFrom(seed)
      const story = makeStory(random, 'run_1', 1)
      const service = unreliableService(new Map([['run_1', story]]), 'run_1', random)
      assert.deepEqual(await followRun(service, 'run_1'), reduceAll(story), `seed ${seed}`)
      connections += service.connections()
    }
    assert.ok(connections > SEEDS * 2, 'the connections did break')
  })

  test('when a build is restarted, its state comes only from the frames of the new attempt', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomFrom(seed * 7919)
      const broken = makeStory(random, 'run_1', 1)
      const taken = makeStory(random, 'run_2', 2)
      const lived = broken.slice(0, 1 + Math.floor(random() * (broken.length - 1)))
      const runs = new Map([
        ['run_1', lived],
        ['run_2', taken],
      ])
      const service = unreliableService(runs, 'run_1', random)
      assert.deepEqual(await followRun(service, 'run_1'), reduceAll(taken), `seed ${seed}`)
    }
  })
})
