import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test'
import type { ModelStep, ToolRecord } from '../../agent/loop/transcript.ts'
import { Workspace } from '../../agent/tools/workspace.ts'
import { NO_USAGE } from '../../agent/model/usage.ts'
import { transact } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { readRef, readTree, writeTree } from '../../git/store.ts'
import { deadlockOnce } from '../../testing/deadlock.ts'
import { AT, openQueueWorld } from '../queue/testing.ts'
import { LeaseLostError } from '../stream/events.ts'
import { draftRef, recordRun } from './recorder.ts'
import { readTranscript } from './transcript.ts'

const BASE = new Map([['app.json', '{}']])
const usage = { ...NO_USAGE, input: 100, output: 10, cacheRead: 40 }
const result = (id: string): ToolRecord => ({
  id,
  name: 'write_file',
  ok: true,
  text: 'Written.',
  code: null,
  signature: null,
  end: null,
})
const call = (id: string) => ({ id, name: 'write_file', args: {}, problem: null })
const step = (more: Partial<ModelStep> = {}): ModelStep => ({
  n: 1,
  before: [],
  message: { role: 'assistant', content: '' },
  calls: [call('c1'), call('c2')],
  results: [],
  usage,
  ...more,
})
const change = { path: 'web/a.ts', op: 'write' as const, bytes: 1, added: 1, removed: 0 }

describe('the record of a build', () => {
  let world: Awaited<ReturnType<typeof openQueueWorld>>
  before(async () => {
    world = await openQueueWorld()
  })
  after(() => world.database.drop())
  beforeEach(async () => {
    await world.clear()
    await world.addTickets('t1')
  })

  const rowOf = (id: string): Promise<RunRow> =>
    world.database.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  /** Opens the recorder of a running build whose base tree is stored and which has no steps yet. */
  async function open() {
    const { db } = world.database
    const run = await rowOf(await world.addRun('t1', 'running'))
    const tree = await transact(db, (trx) => writeTree(trx, 'p1', BASE, AT))
    const workspace = new Workspace({ base: BASE, tree: BASE, enabled: [] })
    const recorder = recordRun(world.contextOf(), run, { workspace, tree })
    return { run, tree, workspace, recorder }
  }
  const draftFiles = async (run: RunRow) => {
    const { db } = world.database
    const oid = await readRef(db, 'p1', draftRef(run.id))
    return oid === null ? null : Object.fromEntries(await readTree(db, 'p1', oid))
  }
  const deadlock = (t: TestContext) => deadlockOnce(t, world.database.pool, 'update of usage, stage on runs')

  test('a model step of a build is stored with its frames and tokens, and sets the stage of the build to `tools`', async () => {
    const { run, recorder, tree } = await open()
    await recorder.step(step(), [{ type: 'step', n: 1, limit: 60 }], [])
    const { steps, tree: stored } = await readTranscript(world.database.db, run.id)
    assert.deepEqual([steps, stored], [[step()], tree])
    const row = await rowOf(run.id)
    assert.deepEqual(
      [row.stage, row.last_seq, row.usage],
      ['tools', 1, { input: 100, output: 10, cacheRead: 40, cacheWrite: 0 }],
    )
  })

  test('the tokens of all model calls of a build are added up, including those of failed calls', async () => {
    const { run, recorder } = await open()
    await recorder.step(step(), [], [])
    await recorder.failedCall(usage)
    await recorder.step(step({ n: 2 }), [], [])
    assert.deepEqual((await rowOf(run.id)).usage, { input: 300, output: 30, cacheRead: 120, cacheWrite: 0 })
    const { rows } = await world.run(
      'select ticket_id, run_id, sum(input)::int as input, sum(counted)::int as counted from token_usage group by 1, 2',
    )
    // Each call has 60 new input tokens, 40 cached input tokens, which count a tenth each, and 10 output tokens.
    assert.deepEqual(rows, [{ ticket_id: 't1', run_id: run.id, input: 300, counted: 3 * (60 + 4 + 10) }])
  })

  test('files that tool calls of a build have changed are stored as the draft of the build', async () => {
    const { run, recorder, workspace } = await open()
    await recorder.step(step(), [], [])
    assert.equal(await draftFiles(run), null)
    workspace.set('web/a.ts', 'a')
    await recorder.tools(step({ results: [result('c1')] }), { changes: [change], report: null }, [])
    assert.deepEqual(await draftFiles(run), { 'app.json': '{}', 'web/a.ts': 'a' })
    assert.equal((await rowOf(run.id)).stage, 'tools')
    const report = { ok: false, checks: [{ name: 'types', ok: false, ms: 1.7, errors: [] }] }
    await recorder.tools(step({ results: [result('c1'), result('c2')] }), { changes: [], report }, [])
    const row = await rowOf(run.id)
    assert.deepEqual([row.stage, row.checks], ['model', [{ name: 'types', ok: false, ms: 2, errors: [] }]])
    const { steps } = await readTranscript(world.database.db, run.id)
    assert.deepEqual(steps[0]?.results, [result('c1'), result('c2')])
  })

  test('draft files that are written in a transaction that deadlocks are stored when the transaction is retried', async (t) => {
    const { run, recorder, workspace } = await open()
    await recorder.step(step(), [], [])
    workspace.set('web/a.ts', 'a')
    await recorder.tools(step({ results: [result('c1')] }), { changes: [change], report: null }, [])
    await deadlock(t)
    workspace.set('web/b.ts', 'b')
    await recorder.tools(
      step({ results: [result('c1'), result('c2')] }),
      { changes: [change], report: null },
      [],
    )
    assert.deepEqual(await draftFiles(run), { 'app.json': '{}', 'web/a.ts': 'a', 'web/b.ts': 'b' })
  })

  test('the tokens of a model call are counted once even when its transaction deadlocks and is retried', async (t) => {
    const { run, recorder } = await open()
    await deadlock(t)
    await recorder.step(step(), [{ type: 'step', n: 1, limit: 60 }], [])
    await recorder.failedCall(usage)
    const row = await rowOf(run.id)
    assert.deepEqual([row.usage.input, row.last_seq], [200, 1])
    assert.equal((await world.run('select from token_usage')).rowCount, 2)
  })

  test('a process can store nothing more for a build that another process has taken over', async () => {
    const { run, recorder, workspace } = await open()
    await recorder.step(step(), [], [])
    await world.run('update runs set lease = lease + 1 where id = $1', run.id)
    workspace.set('web/a.ts', 'a')
    const frame = { type: 'step', n: 2, limit: 60 } as const
    for (const write of [
      () => recorder.step(step({ n: 2 }), [frame], []),
      () => recorder.frames([frame]),
      () => recorder.failedCall(usage),
      () => recorder.begin(step(), 0),
      () => recorder.tools(step({ results: [result('c1')] }), { changes: [change], report: null }, [frame]),
    ])
      await assert.rejects(write(), LeaseLostError)
    const row = await rowOf(run.id)
    assert.deepEqual([row.usage.input, row.last_seq, await draftFiles(run)], [100, 0, null])
    const { steps } = await readTranscript(world.database.db, run.id)
    assert.deepEqual(steps, [step()])
  })

  test('a tool call that is about to run is recorded, so that it does not run again after a crash', async () => {
    const { run, recorder } = await open()
    await recorder.step(step(), [], [])
    await recorder.begin(step(), 1)
    const { steps } = await readTranscript(world.database.db, run.id)
    assert.deepEqual(steps, [step({ begun: 1 })])
  })
})
