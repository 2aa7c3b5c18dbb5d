import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { type Server, startServer } from '../harness/postgres.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { ensureTemplate } from '../seed.ts'
import {
  type DeliverySide,
  type Receiver,
  startDeliverySide,
  startReceiver,
} from '../worlds/delivery-world.ts'

const EVENT_COUNT = 200
/** The pause between two events, long enough for the service to send the deliveries of the first event and to wait for the next event. */
const PAUSE_MS = 20

export const deliveryLatency: Benchmark = {
  id: 'P9',
  name: 'delivery-latency',
  measures: 'from a commit to the first byte at the receiver, idle and beside an endpoint that hangs',
  goals: ['idle p99 <= 100 ms', 'beside a hanging endpoint p50 <= 1.2 of idle'],
  tools: [],
  run: measureLatency,
}

interface Latency {
  p50Ms: number
  p99Ms: number
  errors: number
}

async function measureLatency(options: Options): Promise<MeasuredFigure[]> {
  const server = await startServer()
  const rounds = options.rounds ?? 5
  try {
    const idle: Latency[] = []
    const beside: Latency[] = []
    for (let round = 0; round < rounds; round++) {
      const turns = [
        async () => idle.push(await measureOnce(server, options, false)),
        async () => beside.push(await measureOnce(server, options, true)),
      ]
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
      progress(
        `  round ${round + 1}/${rounds}  idle ${describeLatency(idle.at(-1))}  hanging ${describeLatency(beside.at(-1))}`,
      )
    }
    const p50 = (series: Latency[]) => series.map((latency) => latency.p50Ms)
    const p99Ms = median(idle.map((latency) => latency.p99Ms))
    const errors = [...idle, ...beside].reduce((sum, latency) => sum + latency.errors, 0)
    const ratio = ratios(p50(beside), p50(idle))
    const common = { unit: 'ms', rounds, errors, steady: isSteady(ratio, p50(idle)) }
    return [
      absolute({ ...common, figure: 'idle p50', value: median(p50(idle)), goal: null }),
      absolute({ ...common, figure: 'idle p99', value: p99Ms, goal: atMost(100) }),
      absolute({
        ...common,
        figure: 'p50 beside a hanging endpoint',
        value: median(p50(beside)),
        against: 'idle',
        baseline: median(p50(idle)),
        ratio: ratio.median,
        ratioMin: ratio.min,
        ratioMax: ratio.max,
        p99Ms: median(beside.map((latency) => latency.p99Ms)),
        goal: atMost(1.2),
      }),
    ]
  } finally {
    await server.stop()
  }
}

const describeLatency = (latency: Latency | undefined) =>
  `p50 ${latency?.p50Ms.toFixed(1)} p99 ${latency?.p99Ms.toFixed(1)} ms`

async function measureOnce(server: Server, options: Options, hangs: boolean): Promise<Latency> {
  const copy = await server.copy(await ensureTemplate(server, options.rows))
  const receiver = await startReceiver()
  // Both endpoints subscribe to the same events, so each event is also sent to the endpoint that never
  // responds.
  const addresses = [`${receiver.url}/fast`, ...(hangs ? [`${receiver.url}/hang`] : [])]
  const side = await startDeliverySide(copy.url, addresses, { together: true })
  try {
    return await sampleLatency(side, receiver)
  } finally {
    await side.stop()
    await receiver.stop()
    await copy.drop()
  }
}

async function sampleLatency(side: DeliverySide, receiver: Receiver): Promise<Latency> {
  await side.fire(20, 1)
  await receiver.until(20)
  await receiver.reset()
  const committedAt = new Map<string, number>()
  for (let n = 0; n < EVENT_COUNT; n++) {
    const { id, atMs } = await side.fireOne()
    committedAt.set(id, atMs)
    await sleep(PAUSE_MS)
  }
  await receiver.until(EVENT_COUNT)
  const arrivals = await receiver.arrivals()
  const waits = arrivals.map(([id, atMs]) => atMs - (committedAt.get(id) ?? NaN)).sort((a, b) => a - b)
  const at = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99), errors: Math.abs(committedAt.size - arrivals.length) }
}
