import { type Options, SEED_SIZES } from '../harness/benchmark.ts'
import type { Goal, MeasuredFigure } from '../harness/figure.ts'
import { measureLoad } from '../harness/load.ts'
import type { Load } from '../harness/load-run.ts'
import { startServer } from '../harness/postgres.ts'
import { loadFigures, measureRounds, type Target } from '../harness/rounds.ts'
import { ensureTemplate } from '../seed.ts'
import { AUTHORIZATION, requireSameResponse, type Side, startCeiling, startProduct } from './sides.ts'

/**
 * Compares reads of the product with reads of `ceilings/hono-pg.ts`, the least code for the same requests. Both read the same rows of one
 * database server.
 */
export async function compareReads(
  options: Options,
  { paths, requests, cpu }: { paths: (rows: number) => string[]; requests: Goal; cpu: Goal | null },
): Promise<MeasuredFigure[]> {
  const rows = SEED_SIZES[options.rows]
  const server = await startServer()
  const started: Side[] = []
  try {
    const copy = await server.copy(await ensureTemplate(server, options.rows))
    started.push(await startProduct(copy.url), await startCeiling('hono-pg', copy.url))
    const load: Load = { method: 'GET', paths: paths(rows), headers: AUTHORIZATION }
    await requireSameResponse(started, load.paths[0] ?? '/')
    const target = (name: string, side: Side | undefined): Target => ({
      name,
      measure: () =>
        measureLoad(side?.url ?? '', load, {
          seconds: options.seconds,
          pids: [side?.pid ?? 0, server.pid()],
        }),
    })
    const targets: [Target, Target] = [target('slipway', started[0]), target('hono-pg', started[1])]
    const series = await measureRounds(targets, options.rounds ?? 5)
    return loadFigures(series, { targets, rows, requests, cpu })
  } finally {
    for (const side of started) await side.stop()
    await server.stop()
  }
}
