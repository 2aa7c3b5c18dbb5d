import assert from 'node:assert/strict'
import { join } from 'node:path'
import { loadKeyring } from '../../server/crypto/keyring.ts'
import { newSigningSecret, sign } from '../../server/crypto/signature.ts'
import { atLeast, atMost, type Benchmark, type Options, SEED_SIZES } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { seededId } from '../harness/key.ts'
import { measureLoad } from '../harness/load.ts'
import type { Load } from '../harness/load-run.ts'
import { makeFolder } from '../harness/folders.ts'
import { runStatements, type Server, startServer } from '../harness/postgres.ts'
import { loadFigures, measureRounds, type Sample, type Target } from '../harness/rounds.ts'
import { startService } from '../harness/service.ts'
import { ensureTemplate } from '../seed.ts'
import { type Side, startCeiling } from '../worlds/sides.ts'

// Enough sources that none reaches its limit of 120 posts a minute, which this benchmark does not raise.
const SOURCE_COUNT = 2000
const SIGNING_SECRET = newSigningSecret()
const IDEA_BODY = JSON.stringify({ title: 'Show the balance of every account', text: 'invoice '.repeat(50) })

export const ingest: Benchmark = {
  id: 'P7',
  name: 'ingest',
  measures: 'POST a signed idea, against a bare insert; a wrong signature, against a right one',
  goals: ['accepted >= 0.5 of hono-pg', 'refused >= 2 of accepted', 'no row for a refused post'],
  tools: ['wrk'],
  run: compareIngest,
}

async function compareIngest(options: Options): Promise<MeasuredFigure[]> {
  const server = await startServer()
  const rowsOfRefused: number[] = []
  try {
    const template = await ensureTemplate(server, options.rows)
    const { seconds } = options
    const rounds = options.rounds ?? 5
    const accept = async (side: Side) => {
      const load = loadOf(SIGNING_SECRET)
      await requireStatus(side, load, 202)
      return measureLoad(side.url, load, { seconds, pids: [side.pid, server.pid()] })
    }
    const measureRefused = async (side: Side, databaseUrl: string) => {
      const load = loadOf(newSigningSecret())
      await requireStatus(side, load, 401)
      const sample = await measureLoad(side.url, load, {
        seconds,
        pids: [side.pid, server.pid()],
        refused: true,
      })
      rowsOfRefused.push(await countIdeas(databaseUrl))
      return sample
    }
    const target = (name: string, start: Start, measure: Measure): Target => ({
      name,
      measure: () => measureOnCopy(server, template, start, measure),
    })
    const slipway = target('slipway', startProduct, accept)
    const compare = async (name: string, targets: [Target, Target], goal: number) => {
      const series = await measureRounds(targets, rounds)
      const shape = { targets, rows: SEED_SIZES[options.rows], requests: atLeast(goal), cpu: null }
      return loadFigures(series, shape).map((figure) => ({ ...figure, figure: `${name} ${figure.figure}` }))
    }
    return [
      ...(await compare('accepted', [slipway, target('hono-pg', startBare, accept)], 0.5)),
      ...(await compare('refused', [target('refused', startProduct, measureRefused), slipway], 2)),
      absolute({
        figure: 'refused rows',
        unit: 'rows',
        value: Math.max(...rowsOfRefused),
        goal: atMost(0),
        rounds,
      }),
    ]
  } finally {
    await server.stop()
  }
}

type Start = (databaseUrl: string) => Promise<Side>
type Measure = (side: Side, databaseUrl: string) => Promise<Sample>

/** Measures on a new copy of the database, because the rows of an earlier measurement would slow this one. */
async function measureOnCopy(server: Server, template: string, start: Start, measure: Measure) {
  const copy = await server.copy(template)
  try {
    const side = await start(copy.url)
    try {
      return await measure(side, copy.url)
    } finally {
      await side.stop()
    }
  } finally {
    await copy.drop()
  }
}

/** All requests have the same headers, because all sources share one secret. In a real installation each source has its own secret. */
function loadOf(secret: string): Load {
  return {
    method: 'POST',
    paths: Array.from({ length: SOURCE_COUNT }, (_, i) => `/i/${seededId('ing', i)}`),
    headers: { 'content-type': 'application/json', 'service-signature': sign(secret, IDEA_BODY, new Date()) },
    body: IDEA_BODY,
  }
}

/** Starts the product with ingest sources whose secrets are encrypted with the key in its data folder. */
async function startProduct(databaseUrl: string): Promise<Side> {
  const dataDir = makeFolder()
  const keyring = loadKeyring({ secrets: null, file: join(dataDir, 'secrets.json') })
  await addSources(databaseUrl, (id) =>
    keyring.seal(SIGNING_SECRET, { table: 'ingest_sources', id, column: 'secret', organizationId: 'org_1' }),
  )
  const service = await startService({ localWorld: false, databaseUrl, dataDir })
  return { url: service.url, pid: service.pid, stop: () => service.remove() }
}

async function startBare(databaseUrl: string): Promise<Side> {
  await addSources(databaseUrl, () => 'none')
  return startCeiling('ingest', databaseUrl, { SECRET: SIGNING_SECRET })
}

async function addSources(databaseUrl: string, sealed: (id: string) => string): Promise<void> {
  const rows = Array.from({ length: SOURCE_COUNT }, (_, i) => {
    const [id, project] = [seededId('ing', i), seededId('prj', i % 10)]
    return `('${id}', 'org_1', '${project}', '${sealed(id)}', now())`
  })
  await runStatements(databaseUrl, [
    `insert into ingest_sources (id, org_id, project_id, secret, created_at) values ${rows.join(', ')}`,
    'analyze ingest_sources',
  ])
}

/** Asserts the status of one request, so that the measured load is accepted or refused as intended. */
async function requireStatus(side: Side, load: Load, status: number): Promise<void> {
  const { method, headers, body = '' } = load
  const response = await fetch(`${side.url}${load.paths[0]}`, { method, headers, body })
  assert.equal(response.status, status, await response.text())
}

async function countIdeas(databaseUrl: string): Promise<number> {
  const [row] = await runStatements<{ n: string }>(databaseUrl, [
    `select (select count(*) from ideas) + (select count(*) from tickets where source = 'ingest') as n`,
  ])
  return Number(row?.n)
}
