import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { transact } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { moveRef, readCommit, readRef, readTree, writeCommit, writeTree } from './store.ts'

const at = new Date('2026-03-01T10:00:00Z')
const project = 'prj_git'
let database: Awaited<ReturnType<typeof testDatabase>>

const first = new Map([
  ['README.md', '# Plants\n'],
  ['web/pages/[id].tsx', 'export default () => null\n'],
  ['web/styles.css', ''],
  ['shared/ünïcode.txt', '🙂\n'],
])

async function exportRepository(projectId: string, head: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-git-'))
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch', 'main', folder])
  const { rows } = await database.pool.query<{ oid: string; type: string; data: Buffer }>(
    'select oid, type, data from git_objects where project_id = $1',
    [projectId],
  )
  for (const { oid, type, data } of rows) {
    mkdirSync(join(folder, 'objects', oid.slice(0, 2)), { recursive: true })
    const loose = Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])
    writeFileSync(join(folder, 'objects', oid.slice(0, 2), oid.slice(2)), deflateSync(loose))
  }
  writeFileSync(join(folder, 'refs', 'heads', 'main'), `${head}\n`)
  return folder
}

describe('the store of git objects', () => {
  before(async () => {
    database = await testDatabase()
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('o', 'O', 'o', now())`,
    )
    for (const id of [project, 'prj_other']) {
      await database.pool.query(
        `insert into projects (id, org_id, name, name_fold, slug, created_at, updated_at)
       values ($1, 'o', 'P', 'p', $1, now(), now())`,
        [id],
      )
    }
  })
  after(() => database.drop())

  test('the files that are read from a stored git tree equal the written files', async () => {
    const oid = await transact(database.db, (trx) => writeTree(trx, project, first, at))
    assert.deepEqual(new Map(await readTree(database.db, project, oid)), first)
  })

  test('writing a git tree again inserts only the missing objects', async () => {
    const countObjects = async () => {
      const { rows } = await database.pool.query<{ n: number }>('select count(*)::int as n from git_objects')
      return rows[0]?.n ?? 0
    }
    await transact(database.db, (trx) => writeTree(trx, project, first, at))
    const before = await countObjects()
    const changed = new Map(first).set('web/styles.css', 'body {}\n')
    await transact(database.db, (trx) => writeTree(trx, project, changed, at))
    assert.equal((await countObjects()) - before, 3, 'one file, its folder and the root')
  })

  test('two transactions can write the same git tree at the same time', async () => {
    const tree = new Map([['same.txt', String(Math.PI)]])
    const [one, two] = await Promise.all([
      transact(database.db, (trx) => writeTree(trx, project, tree, at)),
      transact(database.db, (trx) => writeTree(trx, project, tree, at)),
    ])
    assert.equal(one, two)
  })

  test('`git fsck` and `git log` accept an exported repository with the whole stored history', async () => {
    const { head, trees } = await transact(database.db, async (trx) => {
      const trees: string[] = []
      let parents: string[] = []
      for (const [i, text] of ['a', 'b', 'c'].entries()) {
        const tree = await writeTree(trx, project, new Map(first).set('server/routes.ts', text), at)
        trees.push(tree)
        const author = 'Ada Lovelace <ada@example.com>'
        parents = [
          await writeCommit(trx, project, {
            tree,
            parents,
            author,
            message: `Step ${i}\n\nSlipway-Run: r`,
            at,
          }),
        ]
      }
      return { head: parents[0] ?? '', trees }
    })
    const folder = await exportRepository(project, head)
    try {
      const runGit = (...args: string[]) =>
        execFileSync('git', ['--git-dir', folder, ...args], { encoding: 'utf8' })
      assert.equal(runGit('fsck', '--strict', '--full', '--no-dangling').trim(), '')
      assert.deepEqual(runGit('log', '--format=%s|%an|%ae|%T', 'main').trim().split('\n'), [
        `Step 2|Ada Lovelace|ada@example.com|${trees[2]}`,
        `Step 1|Ada Lovelace|ada@example.com|${trees[1]}`,
        `Step 0|Ada Lovelace|ada@example.com|${trees[0]}`,
      ])
      assert.equal(runGit('show', 'main:web/pages/[id].tsx'), first.get('web/pages/[id].tsx'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    const commit = await readCommit(database.db, project, head)
    assert.deepEqual([commit.tree, commit.message, commit.at], [trees[2], 'Step 2\n\nSlipway-Run: r', at])
  })

  test('a git ref is changed only when it points to the commit that the caller expects', async () => {
    const moveRunRef = (from: string | null, to: string) =>
      transact(database.db, (trx) => moveRef(trx, project, 'refs/runs/run_1', { from, to }))
    assert.equal(await readRef(database.db, project, 'refs/runs/run_1'), null)
    assert.equal(await moveRunRef('a', 'b'), false)
    assert.equal(await moveRunRef(null, 'a'), true)
    assert.equal(await moveRunRef(null, 'b'), false)
    assert.equal(await moveRunRef('a', 'b'), true)
    assert.equal(await moveRunRef('a', 'c'), false)
    assert.equal(await readRef(database.db, project, 'refs/runs/run_1'), 'b')
  })

  test('git objects of another project cannot be read by their object id', async () => {
    const oid = await transact(database.db, (trx) => writeTree(trx, project, first, at))
    await assert.rejects(readTree(database.db, 'prj_other', oid), /missing/)
  })

  test('of two simultaneous changes of a git ref exactly one succeeds', async () => {
    await transact(database.db, (trx) =>
      moveRef(trx, project, 'refs/heads/race', { from: null, to: 'start' }),
    )
    const moved = await Promise.all(
      ['x', 'y'].map((to) =>
        transact(database.db, (trx) => moveRef(trx, project, 'refs/heads/race', { from: 'start', to })),
      ),
    )
    assert.deepEqual(
      moved.toSorted((a, b) => Number(a) - Number(b)),
      [false, true],
    )
  })
})
