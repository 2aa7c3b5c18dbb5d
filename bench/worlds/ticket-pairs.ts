import { atLeast, type Options, type Size, SEED_SIZES } from '../harness/benchmark.ts'
import type { Goal, MeasuredFigure } from '../harness/figure.ts'
import { measureLoad } from '../harness/load.ts'
import type { Load } from '../harness/load-run.ts'
import { type Server, startServer } from '../harness/postgres.ts'
import { loadFigures, measureRounds, type Target } from '../harness/rounds.ts'
import { ensureTemplate } from '../seed.ts'
import { AUTHORIZATION, type Side, startCeiling, startProduct } from './sides.ts'

export interface Ask {
  side: Side
  path: string
  /** When present, the request is a POST with this body. */
  body?: object
}

export interface Pair {
  figure: string
  ours: Ask
  theirs: Ask
  /**
   * The goal for the ratio of requests per second of `ours` to the baseline `theirs`. Null when the benchmark has no goal for the chosen
   * number of seeded tickets.
   */
  goal: Goal | null
  /** The number of concurrent requests; by default that of the load. */
  connections?: number
}

/** Starts the product, or the named program of bench/ceilings, over a copy of the seeded rows of one size. */
export type Start = (size: Size, ceiling?: string) => Promise<Side>

/** Compares the two requests of each pair, one pair after the other. Every side uses the same database server. */
export async function comparePairs(
  options: Options,
  pairsOf: (start: Start) => Promise<Pair[]>,
): Promise<MeasuredFigure[]> {
  const server = await startServer()
  const started: Side[] = []
  const copies = new Map<Size, Promise<string>>()
  const copyOf = async (size: Size) => (await server.copy(await ensureTemplate(server, size))).url
  const start: Start = async (size, ceiling) => {
    const copy = copies.get(size) ?? copyOf(size)
    copies.set(size, copy)
    const side = await (ceiling === undefined ? startProduct(await copy) : startCeiling(ceiling, await copy))
    started.push(side)
    return side
  }
  try {
    const figures: MeasuredFigure[] = []
    for (const pair of await pairsOf(start)) figures.push(...(await measurePair(server, pair, options)))
    return figures
  } finally {
    for (const side of started) await side.stop()
    await server.stop()
  }
}

async function measurePair(server: Server, pair: Pair, options: Options): Promise<MeasuredFigure[]> {
  const target = (name: string, { side, path, body }: Ask): Target => {
    const load: Load = {
      method: body === undefined ? 'GET' : 'POST',
      paths: [path],
      headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(pair.connections !== undefined && { connections: pair.connections }),
    }
    const pids = [side.pid, server.pid()]
    return { name, measure: () => measureLoad(side.url, load, { seconds: options.seconds, pids }) }
  }
  const targets: [Target, Target] = [target(pair.figure, pair.ours), target('yardstick', pair.theirs)]
  const series = await measureRounds(targets, options.rounds ?? 5)
  const goal = pair.goal ?? atLeast(0)
  const figures = loadFigures(series, { targets, rows: SEED_SIZES[options.rows], requests: goal, cpu: null })
  return figures.map((figure) => ({
    ...figure,
    figure: `${pair.figure} ${figure.figure}`,
    goal: figure.goal && pair.goal,
  }))
}

/** Sends one request, to get a cursor and to check that there is something to measure. */
export async function readOnce<T>({ side, path }: Ask): Promise<T> {
  const response = await fetch(side.url + path, { headers: AUTHORIZATION })
  const body = (await response.json()) as { data: T }
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`)
  return body.data
}
