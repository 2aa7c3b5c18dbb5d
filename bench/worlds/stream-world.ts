import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { newRunColumns } from '../../server/builds/run/new-run.ts'
import { DEFAULT_LIMITS } from '../../server/agent/loop/run-limits.ts'
import { json } from '../../server/db/json.ts'
import { appendRunEvents, type NewFrame } from '../../server/builds/stream/events.ts'
import { type Db, openDatabase } from '../../server/db/database.ts'
import { newId } from '../../server/lib/ids.ts'
import { BENCH_KEY, seededId } from '../harness/key.ts'
import { AUTHORIZATION, startCeiling, startProduct, type Side } from './sides.ts'
import type { StreamRequest } from './stream-readers.ts'

export interface StreamSide extends Side {
  watch: StreamRequest
  /** Sends these frames (messages of the build stream) to every reader, all at once. */
  send(frames: NewFrame[]): Promise<void>
}

const [PROJECT, TICKET] = [seededId('prj', 0), seededId('tkt', 0)]
const STREAM_PATH = `/api/v1/projects/${PROJECT}/tickets/${TICKET}/build/stream`

/**
 * Starts the product with a stored build run that counts as running until the benchmark stops the service.
 */
export async function startStreamSide(databaseUrl: string): Promise<StreamSide> {
  const side = await startProduct(databaseUrl)
  const database = openDatabase({ url: databaseUrl, log: pino({ level: 'silent' }) })
  const run = await insertRun(database.db, { status: 'running', lastSeq: 0 })
  return {
    ...side,
    watch: reconnectTo(side, run.id, 0),
    send: async (frames) => void (await appendRunEvents(database.db, run, frames, new Date())),
    async stop() {
      await database.close()
      await side.stop()
    },
  }
}

/** Starts the bare fan-out of bench/ceilings/sse.ts. */
export async function startFanOut(databaseUrl: string): Promise<StreamSide> {
  const side = await startCeiling('sse', databaseUrl, {
    KEY_HASH: createHash('sha256').update(BENCH_KEY).digest('hex'),
  })
  return {
    ...side,
    watch: { url: side.url, path: '/watch', headers: AUTHORIZATION, body: {} },
    async send(frames) {
      const body = frames.map((frame) => JSON.stringify(frame)).join('\n')
      const response = await fetch(`${side.url}/frames`, { method: 'POST', headers: AUTHORIZATION, body })
      await response.arrayBuffer()
    },
  }
}

/** Stores a finished build run with these frames, the last of which has the type `done`. Returns its id. */
export async function storeRun(databaseUrl: string, frames: NewFrame[]): Promise<string> {
  const database = openDatabase({ url: databaseUrl, log: pino({ level: 'silent' }) })
  try {
    const run = await insertRun(database.db, { status: 'succeeded', lastSeq: 0 })
    await appendRunEvents(database.db, run, frames, new Date())
    return run.id
  } finally {
    await database.close()
  }
}

export const reconnectTo = (side: Side, run: string, after: number): StreamRequest => ({
  url: side.url,
  path: STREAM_PATH,
  headers: AUTHORIZATION,
  body: { run, after },
})

async function insertRun(db: Db, { status, lastSeq }: { status: 'running' | 'succeeded'; lastSeq: number }) {
  return db
    .insertInto('runs')
    .values({
      ...newRunColumns(),
      id: newId('run'),
      org_id: 'org_1',
      project_id: PROJECT,
      ticket_id: TICKET,
      resumed_from: null,
      trigger: 'stream',
      scopes: [],
      actor: null,
      connection_id: null,
      provider: 'scaffold',
      model: 'bench',
      limits: json(DEFAULT_LIMITS),
      base_sha: null,
      input: json({ prepared: null, previewErrors: [] }),
      created_at: new Date(),
      status,
      last_seq: lastSeq,
      // No process runs this build, so set its heartbeat into the future; otherwise the service would continue the build.
      heartbeat_at: new Date(Date.now() + 3_600_000),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
