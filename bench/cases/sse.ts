import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { cpuTimeUs } from '../harness/cpu.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { residentMb } from '../harness/memory.ts'
import { type Server, startServer } from '../harness/postgres.ts'
import { progress } from '../harness/progress.ts'
import { loadFigures, measureRounds, type Sample, type Series, type Target } from '../harness/rounds.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { ensureTemplate } from '../seed.ts'
import { Readers } from '../worlds/stream-readers.ts'
import {
  reconnectTo,
  startFanOut,
  startStreamSide,
  storeRun,
  type StreamSide,
} from '../worlds/stream-world.ts'

const WATCHER_COUNT = 1000
const WARM_UP_FRAMES = 20
const SETTLE_MS = 1500
const STORED_FRAMES = 10_000
const RECONNECT_COUNT = 40

export const sse: Benchmark = {
  id: 'P10',
  name: 'sse',
  measures: `${WATCHER_COUNT} watchers of one build, each frame stored before it is sent, against a bare fan-out`,
  goals: [
    'frames >= 0.5',
    'p99 <= 2',
    '<= 60 KB per stream',
    'reconnect over 10k stored frames p95 <= 50 ms',
  ],
  tools: [],
  run: measureStreams,
}

async function measureStreams(options: Options): Promise<MeasuredFigure[]> {
  const server = await startServer()
  try {
    const memory: Record<'slipway' | 'fan-out', number[]> = { slipway: [], 'fan-out': [] }
    const target = (
      name: keyof typeof memory,
      start: (databaseUrl: string) => Promise<StreamSide>,
    ): Target => ({
      name,
      measure: () =>
        withDatabaseCopy(server, start, (side) =>
          measureWatchers(server, side, options.seconds, memory[name]),
        ),
    })
    const targets: [Target, Target] = [target('slipway', startStreamSide), target('fan-out', startFanOut)]
    const series = await measureRounds(targets, options.rounds ?? 5)
    return [
      ...loadFigures(series, { targets, rows: WATCHER_COUNT, requests: atLeast(0.5), cpu: null }).map(
        inFrames,
      ),
      latencyFigure(series),
      absolute({
        figure: 'memory per stream',
        unit: 'KB',
        value: median(memory.slipway),
        against: 'fan-out',
        baseline: median(memory['fan-out']),
        goal: atMost(60),
        rounds: memory.slipway.length,
      }),
      ...(await measureReconnects(server)),
    ]
  } finally {
    await server.stop()
  }
}

const inFrames = (figure: MeasuredFigure): MeasuredFigure =>
  figure.figure === 'requests' ? { ...figure, figure: 'frames to readers' } : { ...figure, unit: 'us/frame' }

function latencyFigure(series: Series): MeasuredFigure {
  const latenciesOf = (name: string) => (series.get(name) ?? []).map((sample) => sample.p99Ms)
  const [ours, bare] = [latenciesOf('slipway'), latenciesOf('fan-out')]
  const ratio = ratios(ours, bare)
  return absolute({
    figure: 'sent to received, p99',
    unit: 'ms',
    rows: WATCHER_COUNT,
    value: median(ours),
    against: 'fan-out',
    baseline: median(bare),
    ratio: ratio.median,
    ratioMin: ratio.min,
    ratioMax: ratio.max,
    goal: atMost(2),
    rounds: ours.length,
    steady: isSteady(ratio, bare),
  })
}

/**
 * Sends one stream message (frame) after another, like the words of a model. Sends a frame only once every reader has received all previous
 * frames except the last, so at most two are under way.
 */
async function measureWatchers(
  server: Server,
  side: StreamSide,
  seconds: number,
  memoryKb: number[],
): Promise<Sample> {
  const sentAt: number[] = []
  const delays = new Float64Array(2_000_000)
  let measured = 0
  let isMeasuring = false
  const before = await settledKb(side)
  const readers = await Readers.open(side.watch, WATCHER_COUNT, (frame) => {
    if (isMeasuring) delays[measured++] = performance.now() - (sentAt[frame] ?? 0)
  })
  const send = async () => {
    const frame = sentAt.length === 0 ? (sentAt.push(0), 1) : sentAt.length
    sentAt[frame] = performance.now()
    await side.send([deltaOf(frame)])
    await readers.until(frame - 1)
  }
  for (let n = 0; n < WARM_UP_FRAMES; n++) await send()
  await readers.until(WARM_UP_FRAMES)
  memoryKb.push(((await settledKb(side)) - before) / WATCHER_COUNT)
  isMeasuring = true
  const pids = [side.pid, server.pid()]
  const cpuBefore = cpuTimeUs(pids)
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) await send()
  await readers.until(sentAt.length - 1)
  const took = (performance.now() - began) / 1000
  const cpuUs = (cpuTimeUs(pids) - cpuBefore) / measured
  const expected = (sentAt.length - 1 - WARM_UP_FRAMES) * WATCHER_COUNT
  const errors = readers.lost + Math.abs(expected - measured)
  readers.close()
  const sorted = delays.subarray(0, measured).sort()
  const at = (share: number) => sorted[Math.floor((measured - 1) * share)] ?? 0
  return { perSecond: measured / took, errors, p50Ms: at(0.5), p99Ms: at(0.99), cpuUs }
}

async function settledKb(side: StreamSide): Promise<number> {
  await sleep(SETTLE_MS)
  return residentMb(side.pid) * 1024
}

/**
 * Measures how long a reader that reconnects to the stream of a long build waits for the frames (stream
 * messages) that it missed: the last hundred, or all.
 */
async function measureReconnects(server: Server): Promise<MeasuredFigure[]> {
  const copy = await server.copy(await ensureTemplate(server, '10k'))
  try {
    const frames = Array.from({ length: STORED_FRAMES - 1 }, (_, n) => deltaOf(n + 1))
    const run = await storeRun(copy.url, [
      ...frames,
      { type: 'done', status: 'replied', run: '', message: '' },
    ])
    const side = await startStreamSide(copy.url)
    try {
      const figures: MeasuredFigure[] = []
      for (const missed of [100, STORED_FRAMES]) {
        const times: number[] = []
        for (let n = 0; n < RECONNECT_COUNT; n++) {
          const began = performance.now()
          const readers = await Readers.open(reconnectTo(side, run, STORED_FRAMES - missed), 1)
          await readers.until(missed)
          times.push(performance.now() - began)
          readers.close()
        }
        times.sort((a, b) => a - b)
        const p95 = times[Math.floor(RECONNECT_COUNT * 0.95) - 1] ?? 0
        progress(
          `  reconnect, ${missed} missed  p50 ${median(times).toFixed(1)} ms  p95 ${p95.toFixed(1)} ms`,
        )
        figures.push(
          absolute({
            figure: `reconnect, ${missed} of ${STORED_FRAMES} missed, p95`,
            unit: 'ms',
            value: p95,
            goal: atMost(50),
            rounds: RECONNECT_COUNT,
            p50Ms: median(times),
          }),
        )
      }
      return figures
    } finally {
      await side.stop()
    }
  } finally {
    await copy.drop()
  }
}

const deltaOf = (n: number) => ({ type: 'delta', text: `The list shows what is due next, word ${n}. ` })

async function withDatabaseCopy<T>(
  server: Server,
  start: (databaseUrl: string) => Promise<StreamSide>,
  work: (side: StreamSide) => Promise<T>,
): Promise<T> {
  const copy = await server.copy(await ensureTemplate(server, '10k'))
  try {
    const side = await start(copy.url)
    try {
      return await work(side)
    } finally {
      await side.stop()
    }
  } finally {
    await copy.drop()
  }
}
