import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import { deleteUnreachable, expireRef, projectsToCollect } from '../git/collect.ts'
import { MAIN_REF, readTree, setRef, writeCommit, writeTree } from '../git/store.ts'
import { addVersion } from '../history/versions.ts'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { purgeDrafts } from './purge-drafts.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const NOW = new Date('2026-06-30T03:00:00Z')
const OLD = new Date(NOW.getTime() - 20 * DAY_MS)
const RECENT = new Date(NOW.getTime() - DAY_MS)

describe('deleting unreachable git objects', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('o', 'O', 'o', now())`,
    )
  })
  after(() => database.drop())
  beforeEach(async () => {
    await database.pool.query('delete from projects')
    await addProject('p1')
  })

  const addProject = (id: string) =>
    database.pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, created_at, updated_at)
       values ($1, 'o', $1, $1, $1, now(), now())`,
      [id],
    )

  /** Stores a tree with one file in a folder, and returns its id. */
  const addTree = (text: string, { at = OLD, projectId = 'p1' } = {}) =>
    transact(database.db, (trx) => writeTree(trx, projectId, new Map([['shared/text.ts', text]]), at))
  const addDraft = (runId: string, to: string, { at = OLD, projectId = 'p1' } = {}) =>
    transact(database.db, (trx) => setRef(trx, projectId, { name: `refs/runs/${runId}`, to, at }))
  const addRun = async (status: string, prepared: object | null = null) => {
    await database.pool.query(
      `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source, updated_at, created_at)
       values ('t1', 'o', 'p1', 'T', '', 'todo', 'task', 'none', '{}', 'human', $1, $1)`,
      [OLD],
    )
    await database.pool.query(
      `insert into runs (id, org_id, project_id, ticket_id, attempt, status, stage, trigger, scopes, lease,
         provider, model, limits, input, files, checks, usage, last_seq, created_at, deaths)
       values ('run_1', 'o', 'p1', 't1', 1, $1, 'model', 'api', '{}', 0,
         'scaffold', 'm', '{}', $2, '[]', '[]', '{}', 0, $3, 0)`,
      [status, JSON.stringify({ prepared, previewErrors: [] }), OLD],
    )
  }

  const collect = (errors: unknown[] = []) =>
    purgeDrafts.run(
      {
        db: database.db,
        clock: { now: () => NOW },
        log: { ...silentLog, error: (e: unknown) => void errors.push(e) },
      },
      new AbortController().signal,
    )
  const countObjects = async (projectId = 'p1') =>
    (await database.pool.query('select from git_objects where project_id = $1', [projectId])).rowCount
  const textOf = async (tree: string) => (await readTree(database.db, 'p1', tree)).get('shared/text.ts')

  test('the objects of an old draft are deleted, and objects of versions, newer drafts and builds that wait for answers are kept', async () => {
    const [first, second] = [await addTree('first version'), await addTree('second version')]
    await transact(database.db, async (trx) => {
      let parent: string | null = null
      for (const tree of [first, second]) {
        const parents: string[] = parent === null ? [] : [parent]
        const commit = { tree, parents, author: 'A', message: 'M', at: OLD }
        const sha = await writeCommit(trx, 'p1', commit)
        await addVersion(trx, {
          project_id: 'p1',
          sha,
          parent_sha: parent,
          run_id: null,
          ticket_id: null,
          author: 'A',
          message: 'M',
          files: 1,
          generated_by: null,
          created_at: OLD,
        })
        await setRef(trx, 'p1', { name: MAIN_REF, to: sha, at: OLD })
        parent = sha
      }
    })
    const [base, draft] = [await addTree('asked about'), await addTree('of a newer draft')]
    // An app may contain half of a surrogate pair and NUL, which the json functions of Postgres refuse.
    await addRun('awaiting', { base, start: base, instructions: '\ud83d \0' })
    await addDraft('newer', draft, { at: RECENT })
    const kept = await countObjects()
    await addDraft('old', await addTree('of an old draft'))
    await addDraft('same', first)
    assert.equal(await countObjects(), (kept ?? 0) + 3)
    const errors: unknown[] = []
    await collect(errors)
    assert.deepEqual(errors, [])
    assert.equal(await countObjects(), kept)
    assert.deepEqual(await Promise.all([first, second, base, draft].map(textOf)), [
      'first version',
      'second version',
      'asked about',
      'of a newer draft',
    ])
    assert.deepEqual(await projectsToCollect(database.db, NOW), [])
  })

  test("when a green build's draft expires, git objects younger than two weeks are kept for a later garbage collection", async () => {
    await addDraft('built', await addTree('on the way', { at: RECENT }), { at: RECENT })
    await transact(database.db, (trx) => expireRef(trx, 'p1', 'refs/runs/built'))
    await collect()
    assert.equal(await countObjects(), 3)
    assert.deepEqual(await projectsToCollect(database.db, NOW), ['p1'])
  })

  test('no git object is deleted while a build is queued or running, and the next night deletes the unreachable objects', async () => {
    await addDraft('old', await addTree('of an old draft'))
    await addRun('running')
    await collect()
    assert.equal(await countObjects(), 3)
    await database.pool.query(`update runs set status = 'failed'`)
    await collect()
    assert.equal(await countObjects(), 0)
  })

  test('git objects that a build uses again during their garbage collection are kept', async () => {
    const tree = await addTree('used again')
    await addDraft('old', tree)
    const collecting = await transact(database.db, async (trx) => {
      await lockProject(trx, 'p1')
      const running = collect()
      for (let tries = 0; (await waitingLocks()) === 0; tries++) {
        assert.ok(tries < 500, 'the collection waits for the lock of the project')
        await sleep(10)
      }
      await addDraft('new', await addTree('used again', { at: NOW }), { at: NOW })
      return [running]
    })
    await Promise.all(collecting)
    assert.equal(await textOf(tree), 'used again')
    await collect()
    assert.equal(await textOf(tree), 'used again')
    assert.deepEqual(await projectsToCollect(database.db, NOW), [])
  })

  const waitingLocks = async () =>
    (await database.pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount

  test('when a process dies while it deletes unreachable git objects, the rest is deleted in the next night', async () => {
    await addDraft('old', await addTree('of an old draft'))
    await transact(database.db, (trx) => expireRef(trx, 'p1', 'refs/runs/old'))
    await database.pool.query(
      `insert into git_objects (project_id, oid, type, data, created_at)
       select 'p1', md5(n::text) || '00000000', 'blob', '', $1 from generate_series(1, 2500) n`,
      [OLD],
    )
    let batches = 0
    const collecting = deleteUnreachable(
      database.db,
      'p1',
      { reached: new Set(), before: NOW },
      async (remove) => {
        if (++batches === 2) throw new Error('killed')
        await transact(database.db, remove)
        return true
      },
    )
    await assert.rejects(collecting, /killed/)
    assert.equal(await countObjects(), 1503)
    await collect()
    assert.equal(await countObjects(), 0)
    assert.deepEqual(await projectsToCollect(database.db, NOW), [])
  })

  test('a project with a missing git tree keeps all its git objects, and unreachable git objects of other projects are deleted', async () => {
    await addDraft('broken', 'f'.repeat(40), { at: RECENT })
    await addDraft('old', await addTree('kept'))
    await addProject('p2')
    await addDraft('old', await addTree('deleted', { projectId: 'p2' }), { projectId: 'p2' })
    const errors: unknown[] = []
    await collect(errors)
    assert.deepEqual([await countObjects('p1'), await countObjects('p2')], [3, 0])
    assert.match(String((errors[0] as { err: Error }).err), /project p1 lacks commits or trees/)
  })
})
