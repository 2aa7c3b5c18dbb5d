import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { openDatabase, transact } from '../db/database.ts'
import { startEmbedded } from '../db/embedded.ts'
import { openListener } from '../db/listener.ts'
import { migrate } from '../db/migrate.ts'
import { systemClock } from '../lib/clock.ts'
import { silentLog } from '../testing/database.ts'
import { undoAfter } from '../testing/undo.ts'
import { defineJob, openJobs } from './jobs.ts'
import { startPresence } from './presence.ts'

test('jobs, notifications and the process registration recover within seconds after the database was killed', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-outage-'))
  undoAfter(t, () => rm(dataDir, { recursive: true, force: true, maxRetries: 20 }))
  const log = silentLog
  const embedded = await startEmbedded({ dataDir, log, durable: false })
  undoAfter(t, () => embedded.stop())
  const { url } = embedded
  await migrate({ url, log })
  const database = openDatabase({ url, log })
  undoAfter(t, () => database.close())
  const listener = await openListener({ url, log })
  undoAfter(t, () => listener.close())
  const ran: number[] = []
  const job = defineJob({
    name: 'outage',
    data: z.object({ n: z.number() }),
    policy: 'standard',
    retryLimit: 1,
    expireSeconds: 60,
    concurrency: 1,
    run: async (_, { data }) => void ran.push(data.n),
  })
  const jobs = await openJobs({
    url,
    log,
    definitions: [job],
  })
  undoAfter(t, () => jobs.stop())
  const presence = await startPresence({
    url,
    role: 'all',
    log,
    onAlone: () => jobs.failOrphans(),
    onLiving: () => {},
  })
  undoAfter(t, () => presence.leave())
  await jobs.work({ db: database.db, clock: systemClock, log, metrics: null })

  const before = embedded.pid()
  assert.ok(before !== null)
  process.kill(before, 'SIGKILL')
  const isBack = () =>
    database.pool.query('select 1').then(
      () => embedded.pid() !== null && embedded.pid() !== before,
      () => false,
    )
  const waitUntil = async (isTrue: () => boolean | Promise<boolean>) => {
    const begun = performance.now()
    while (!(await isTrue())) {
      assert.ok(performance.now() - begun < 20_000, `${isTrue.toString()} did not come true`)
      await sleep(50)
    }
  }
  await waitUntil(isBack)

  await transact(database.db, (trx) => jobs.send(trx, job, { n: 1 }))
  await waitUntil(() => ran.length === 1)

  let news = ''
  listener.on('anything', (payload) => (news ||= payload))
  await waitUntil(async () => {
    await database.pool.query(`select pg_notify('anything', 'heard')`)
    return news === 'heard'
  })

  await waitUntil(async () => {
    const { rowCount } = await database.pool.query(
      `select from processes join pg_locks on locktype = 'advisory' and classid = 5 and objid = processes.id`,
    )
    return rowCount === 1
  })
})
