import { atLeast, type Benchmark, type Options, SEED_SIZES } from '../harness/benchmark.ts'
import { cpuTimeUs } from '../harness/cpu.ts'
import type { MeasuredFigure } from '../harness/figure.ts'
import { type Server, startServer } from '../harness/postgres.ts'
import { loadFigures, measureRounds, type Sample, type Target } from '../harness/rounds.ts'
import { ensureTemplate } from '../seed.ts'
import { EVENT_BODY, type Receiver, startDeliverySide, startReceiver } from '../worlds/delivery-world.ts'
import { startCeiling } from '../worlds/sides.ts'

const EVENT_COUNT = 5000
const WARM_UP = 500
/**
 * The concurrency of both sides: the number of the product's database connections that commit events, and of the parallel requests of
 * `ceilings/delivery-loop.ts`.
 */
const AT_ONCE = 16

export const delivery: Benchmark = {
  id: 'P8',
  name: 'delivery',
  measures:
    'events committed one by one and delivered, to 1 and 1,000 endpoints, against a naive durable loop',
  goals: ['1 endpoint >= 0.5 of the loop', '1,000 endpoints >= 0.5 of the loop'],
  tools: [],
  run: compareDelivery,
}

async function compareDelivery(options: Options): Promise<MeasuredFigure[]> {
  const server = await startServer()
  try {
    const figures: MeasuredFigure[] = []
    for (const endpoints of [1, 1000]) {
      const targets: [Target, Target] = [
        { name: 'slipway', measure: () => measureProduct(server, options, endpoints) },
        { name: 'loop', measure: () => measureLoop(server, options, endpoints) },
      ]
      const series = await measureRounds(targets, options.rounds ?? 5)
      const shape = { targets, rows: SEED_SIZES[options.rows], requests: atLeast(0.5), cpu: null }
      const named = `${endpoints} endpoint${endpoints === 1 ? '' : 's'}`
      for (const figure of loadFigures(series, shape))
        figures.push({
          ...figure,
          figure: `${figure.figure === 'requests' ? 'events' : 'cpu'}, ${named}`,
          unit: figure.figure === 'requests' ? '1/s' : 'us/event',
        })
    }
    return figures
  } finally {
    await server.stop()
  }
}

async function measureProduct(server: Server, options: Options, endpoints: number): Promise<Sample> {
  return withDatabaseCopy(server, options, async (databaseUrl, receiver) => {
    const addresses = Array.from({ length: endpoints }, (_, n) => `${receiver.url}/${n}`)
    const side = await startDeliverySide(databaseUrl, addresses)
    try {
      const deliver = async (count: number) => {
        await Promise.all([side.fire(count, AT_ONCE), receiver.until(count)])
      }
      return await measureDeliveries([side.pid, server.pid()], receiver, deliver)
    } finally {
      await side.stop()
    }
  })
}

async function measureLoop(server: Server, options: Options, endpoints: number): Promise<Sample> {
  return withDatabaseCopy(server, options, async (databaseUrl, receiver) => {
    const env = { RECEIVER: receiver.url, ENDPOINTS: String(endpoints), BODY: EVENT_BODY }
    const side = await startCeiling('delivery-loop', databaseUrl, env)
    try {
      const deliver = async (count: number) => {
        await fetch(`${side.url}/run?events=${count}`, { method: 'POST' })
      }
      return await measureDeliveries([side.pid, server.pid()], receiver, deliver)
    } finally {
      await side.stop()
    }
  })
}

/** The time from the first commit to the last 2xx. An event that is delivered twice, or not at all, is an error. */
async function measureDeliveries(
  pids: number[],
  receiver: Receiver,
  deliver: (count: number) => Promise<void>,
): Promise<Sample> {
  await deliver(WARM_UP)
  await receiver.reset()
  const cpuUs = cpuTimeUs(pids)
  const began = performance.now()
  await deliver(EVENT_COUNT)
  const seconds = (performance.now() - began) / 1000
  const cpu = cpuTimeUs(pids) - cpuUs
  const arrivals = await receiver.arrivals()
  const distinct = new Set(arrivals.map(([id]) => id)).size
  const errors = Math.abs(EVENT_COUNT - arrivals.length) + (arrivals.length - distinct)
  return { perSecond: EVENT_COUNT / seconds, errors, p50Ms: 0, p99Ms: 0, cpuUs: cpu / EVENT_COUNT }
}

async function withDatabaseCopy<T>(
  server: Server,
  options: Options,
  work: (databaseUrl: string, receiver: Receiver) => Promise<T>,
): Promise<T> {
  const copy = await server.copy(await ensureTemplate(server, options.rows))
  const receiver = await startReceiver()
  try {
    return await work(copy.url, receiver)
  } finally {
    await receiver.stop()
    await copy.drop()
  }
}
