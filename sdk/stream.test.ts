import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, SlipwayError } from './errors.ts'
import type { SequencedFrame } from './frames.ts'
import { type BuildStreamOptions, readBuildStream, type StreamPosition } from './stream.ts'

const runFrame = (run: string): SequencedFrame => ({
  type: 'run',
  run,
  ticketId: 'tkt_1',
  attempt: 1,
  trigger: 'stream',
  model: 'm',
  generatedBy: 'scaffold/m',
  seq: 1,
})
const deltaFrame = (seq: number): SequencedFrame => ({ type: 'delta', text: `t${seq}`, seq })
const doneFrame = (run: string, seq: number): SequencedFrame => ({ type: 'done', status: 'built', run, seq })
const framesOfRun = (run = 'run_1') => [runFrame(run), ...[2, 3, 4, 5, 6].map(deltaFrame), doneFrame(run, 7)]

const sseText = (frames: SequencedFrame[]) =>
  frames.map((frame) => `id: ${frame.seq}\ndata: ${JSON.stringify(frame)}\n\n`).join('')

/** A response that sends these bytes, and then ends or fails. */
function streamResponse(bytes: string, options: { breaks?: boolean; status?: number } = {}): Response {
  const chunks = bytes.match(/[\s\S]{1,17}/g) ?? []
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(new TextEncoder().encode(chunk))
      else if (options.breaks) controller.error(new Error('reset'))
      else controller.close()
    },
  })
  return new Response(body, { status: options.status ?? 200 })
}

interface Server {
  bodies: unknown[]
  options: BuildStreamOptions
}
/** A fake `fetch`. Each call returns the next response, which may depend on the requested position. */
function scriptedServer(
  answers: ((body: Partial<StreamPosition>) => Response)[],
  extra: Partial<BuildStreamOptions> = {},
): Server {
  const bodies: unknown[] = []
  const options: BuildStreamOptions = {
    url: 'http://localhost/api/v1/projects/p/tickets/t/build/stream',
    body: {},
    signal: new AbortController().signal,
    wait: async () => {},
    fetch: async (request) => {
      const body = (await request.json()) as Partial<StreamPosition>
      bodies.push(body)
      const answer = answers.shift()
      if (!answer) throw new TypeError('refused')
      return answer(body)
    },
    ...extra,
  }
  return { bodies, options }
}
const collectFrames = async (options: BuildStreamOptions) => {
  const frames: SequencedFrame[] = []
  for await (const frame of readBuildStream(options)) frames.push(frame)
  return frames
}
const seqsOf = (frames: SequencedFrame[]) => frames.map((frame) => frame.seq)

test('a build stream is read from its first frame to its last', async () => {
  const { options, bodies } = scriptedServer([() => streamResponse(sseText(framesOfRun()))])
  assert.deepEqual(seqsOf(await collectFrames(options)), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(bodies, [{}])
})

test('a build stream that is cut off after any byte is resumed, and yields every frame once and in order', async () => {
  const whole = sseText(framesOfRun())
  for (let cut = sseText([runFrame('run_1')]).length; cut < whole.length; cut += 13) {
    const { options } = scriptedServer([
      () => streamResponse(whole.slice(0, cut), { breaks: cut % 2 === 0 }),
      ({ after = 0 }) => streamResponse(sseText(framesOfRun().filter((frame) => (frame.seq ?? 0) > after))),
    ])
    assert.deepEqual(seqsOf(await collectFrames(options)), [1, 2, 3, 4, 5, 6, 7], `cut at ${cut}`)
  }
})

test('frames that a resumed build stream repeats are skipped', async () => {
  const { options } = scriptedServer([
    () => streamResponse(sseText(framesOfRun().slice(0, 4))),
    () => streamResponse(sseText(framesOfRun())),
  ])
  assert.deepEqual(seqsOf(await collectFrames(options)), [1, 2, 3, 4, 5, 6, 7])
})

test('after a missing frame the build stream is resumed from the last frame before the gap', async () => {
  const gap = framesOfRun().filter((frame) => frame.seq !== 4)
  const { options, bodies } = scriptedServer([
    () => streamResponse(sseText(gap)),
    ({ after = 0 }) => streamResponse(sseText(framesOfRun().filter((frame) => (frame.seq ?? 0) > after))),
  ])
  assert.deepEqual(seqsOf(await collectFrames(options)), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(bodies[1], { run: 'run_1', after: 3 })
})

test('a build stream that the service ends with a temporary error of its own is resumed, because the build may continue', async () => {
  const away: SequencedFrame = { type: 'error', kind: 'unavailable', message: 'Away.', retryable: true }
  const { options, bodies } = scriptedServer([
    () => streamResponse(sseText([...framesOfRun().slice(0, 3), away])),
    ({ after = 0 }) => streamResponse(sseText(framesOfRun().filter((frame) => (frame.seq ?? 0) > after))),
  ])
  assert.deepEqual(seqsOf(await collectFrames(options)), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(bodies[1], { run: 'run_1', after: 3 })
})

test('a build stream that the service ends because it refuses the reader throws the refusal and is not resumed', async () => {
  const refusal = { type: 'error', kind: 'unauthorized', message: 'Sign in.', retryable: false }
  const { options, bodies } = scriptedServer([
    () => streamResponse(`${sseText(framesOfRun().slice(0, 3))}data: ${JSON.stringify(refusal)}\n\n`),
  ])
  await assert.rejects(collectFrames(options), { code: 'unauthorized', message: 'Sign in.' })
  assert.equal(bodies.length, 1)
})

test('a failed build ends its stream with the error of the build', async () => {
  const failed: SequencedFrame = {
    type: 'error',
    kind: 'server_error',
    message: 'It broke.',
    retryable: true,
    seq: 4,
  }
  const { options } = scriptedServer([() => streamResponse(sseText([...framesOfRun().slice(0, 3), failed]))])
  assert.deepEqual((await collectFrames(options)).at(-1), failed)
})

test('a build that the service resumes as a new run is read from the first frame of that run', async () => {
  const resuming = `data: {"type":"resuming"}\n\n`
  const { options } = scriptedServer([
    () => streamResponse(sseText(framesOfRun().slice(0, 3)) + resuming + sseText(framesOfRun('run_2'))),
  ])
  const frames = await collectFrames(options)
  assert.deepEqual(seqsOf(frames), [1, 2, 3, undefined, 1, 2, 3, 4, 5, 6, 7])
})

test('when a build start gets no response, the reader follows the run that was started and starts no other', async () => {
  const runs = [null, 'run_1']
  const { options, bodies } = scriptedServer(
    [
      () => {
        throw new TypeError('reset')
      },
      () => streamResponse(sseText(framesOfRun())),
    ],
    { findRun: async () => runs.shift() ?? null },
  )
  assert.equal((await collectFrames(options)).length, 7)
  assert.deepEqual(bodies, [{}, { run: 'run_1', after: 0 }])
})

test('when a build start gets no response and no new run is found, a connection error is thrown', async () => {
  const { options, bodies } = scriptedServer([], { findRun: async () => 'run_of_yesterday' })
  await assert.rejects(collectFrames(options), ConnectionError)
  assert.equal(bodies.length, 1)
})

test('when a build start gets no response and the lookup of its run fails, the error of the lookup is thrown', async () => {
  const refused = new ConnectionError('The service did not respond.')
  const looks = [async () => null, () => Promise.reject(refused)]
  const { options, bodies } = scriptedServer([], {
    findRun: () => looks.shift()?.() ?? Promise.resolve(null),
  })
  await assert.rejects(collectFrames(options), (error) => error === refused)
  assert.equal(bodies.length, 1)
})

test('when a build start gets no response and runs cannot be looked up, the error says that it is unknown whether it started', async () => {
  const { options } = scriptedServer([])
  await assert.rejects(collectFrames(options), { message: /not known whether a build was started/ })
})

test('a refused start of a build is thrown with its code and not retried', async () => {
  const refusal = JSON.stringify({ ok: false, error: { code: 'conflict', message: 'A build is running.' } })
  const { options, bodies } = scriptedServer([() => new Response(refusal, { status: 409 })])
  await assert.rejects(
    collectFrames(options),
    (error) => error instanceof SlipwayError && error.code === 'conflict',
  )
  assert.equal(bodies.length, 1)
})

test('the build stream reader reports that it is waiting, and throws a connection error after its last retry', async () => {
  const waiting: boolean[] = []
  const { options, bodies } = scriptedServer([() => streamResponse(sseText(framesOfRun().slice(0, 2)))], {
    maxTries: 3,
    onWaiting: (isWaiting) => waiting.push(isWaiting),
  })
  await assert.rejects(collectFrames(options), ConnectionError)
  assert.equal(bodies.length, 4)
  assert.equal(waiting.at(-1), true)
})

test('the random wait before a build stream reader reconnects doubles up to eight seconds, and at least half of it is fixed', async (t) => {
  let random = 0
  t.mock.method(Math, 'random', () => random)
  const waitsAt = async (next: number) => {
    random = next
    const waited: number[] = []
    const start = () => streamResponse(sseText(framesOfRun().slice(0, 2)))
    const { options } = scriptedServer([start], { maxTries: 6, wait: async (ms) => void waited.push(ms) })
    await assert.rejects(collectFrames(options), ConnectionError)
    return waited
  }
  assert.deepEqual(await waitsAt(0), [250, 500, 1000, 2000, 4000, 4000])
  assert.deepEqual(await waitsAt(0.5), [375, 750, 1500, 3000, 6000, 6000])
})

test('a build stream reader that loses its connection reports once that it waits and once that frames arrive again', async () => {
  const waiting: boolean[] = []
  const refused = () => new Response('', { status: 503 })
  const rest = () => streamResponse(sseText(framesOfRun().slice(3)))
  const { options } = scriptedServer(
    [() => streamResponse(sseText(framesOfRun().slice(0, 3))), refused, refused, rest],
    {
      onWaiting: (isWaiting) => waiting.push(isWaiting),
    },
  )
  assert.deepEqual(seqsOf(await collectFrames(options)), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(waiting, [true, false])
})

test('a build stream that sends nothing for longer than the time limit is treated as a lost connection and resumed', async () => {
  const hanging = () =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode(sseText(framesOfRun().slice(0, 2)))),
      }),
    )
  const { options } = scriptedServer(
    [
      hanging,
      ({ after = 0 }) => streamResponse(sseText(framesOfRun().filter((frame) => (frame.seq ?? 0) > after))),
    ],
    { silenceMs: 20 },
  )
  assert.deepEqual(seqsOf(await collectFrames(options)), [1, 2, 3, 4, 5, 6, 7])
})

test('aborting ends the build stream with the given reason', async () => {
  const stop = new AbortController()
  const { options } = scriptedServer([() => streamResponse(sseText(framesOfRun().slice(0, 3)))], {
    signal: stop.signal,
    onWaiting: (isWaiting) => isWaiting && stop.abort(new Error('left')),
  })
  await assert.rejects(collectFrames(options), /left/)
})
