import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transact } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { moveRef, writeCommit, writeTree } from '../git/store.ts'
import type { ApiError } from '../http/errors.ts'
import { testDatabase } from '../testing/database.ts'
import { textWorkerPool } from '../testing/text-workers.ts'
import { diffVersion } from './diff.ts'
import { listFiles, readSource, zipSource } from '../source/source.ts'
import { listHistory } from './history.ts'
import { listVersions } from './versions.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let ctx: Context<'textWorkers'>
let stranger: Context<'textWorkers'>
const shas: string[] = []

const trees = [
  new Map([
    ['app.json', '{}\n'],
    ['package.json', '{}\n'],
    ['platform/web/start.tsx', 'start\n'],
    ['web/App.tsx', 'one\ntwo\nthree\n'],
  ]),
  new Map([
    ['web/App.tsx', 'one\n2\nthree\nfour\n'],
    ['web/pages/Home.tsx', 'home\n'],
  ]),
]

async function commitTree(index: number, files: ReadonlyMap<string, string>): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1 + index))
  const parent = shas.at(-1) ?? null
  await transact(database.db, async (trx) => {
    const tree = await writeTree(trx, 'prj_built', files, at)
    const parents = parent === null ? [] : [parent]
    const message = `Version ${index}`
    const sha = await writeCommit(trx, 'prj_built', { tree, parents, author: 'scaffold', message, at })
    await moveRef(trx, 'prj_built', 'refs/heads/main', { from: parent, to: sha })
    await trx
      .insertInto('versions')
      .values({
        project_id: 'prj_built',
        sha,
        parent_sha: parent,
        run_id: null,
        ticket_id: null,
        author: 'scaffold',
        message,
        files: files.size,
        generated_by: `scaffold/scaffold-${index}`,
        created_at: at,
      })
      .execute()
    await trx.updateTable('projects').set({ head_sha: sha }).where('id', '=', 'prj_built').execute()
    shas.push(sha)
  })
}

describe('versions', () => {
  before(async () => {
    database = await testDatabase()
    for (const org of ['a', 'b']) {
      await database.pool.query(
        `insert into organization (id, name, slug, "createdAt") values ($1, $1, $1, now())`,
        [org],
      )
    }
    for (const id of ['prj_built', 'prj_empty']) {
      await database.pool.query(
        `insert into projects (id, org_id, name, name_fold, slug, created_at, updated_at)
       values ($1, 'a', 'P', 'p', $1, now(), now())`,
        [id],
      )
    }
    const contextOf = (organizationId: string) =>
      ({
        db: database.db,
        pool: database.pool,
        textWorkers: textWorkerPool,
        caller: { organizationId },
      }) as unknown as Context<'textWorkers'>
    ctx = contextOf('a')
    stranger = contextOf('b')
    for (const [i, files] of trees.entries()) await commitTree(i, files)
  })
  after(() => database.drop())

  test('the source of a project is all files of its newest version, with the name of the model that generated these files', async () => {
    assert.deepEqual(await readSource(ctx, 'prj_built'), {
      files: Object.fromEntries(trees[1] ?? []),
      generatedBy: 'scaffold/scaffold-1',
    })
  })

  test('before the first build the source of a project is null and has no paths', async () => {
    assert.equal(await readSource(ctx, 'prj_empty'), null)
    assert.deepEqual(await listFiles(ctx, 'prj_empty'), { paths: [] })
    assert.deepEqual(await listVersions(ctx, 'prj_empty'), [])
  })

  test("the paths of a project's source are returned in sorted order", async () => {
    assert.deepEqual(await listFiles(ctx, 'prj_built'), { paths: ['web/App.tsx', 'web/pages/Home.tsx'] })
  })

  test("the list of a project's versions is newest first and marks the current version", async () => {
    const versions = await listVersions(ctx, 'prj_built')
    assert.deepEqual(
      versions.map(({ sha, files, current, createdAt }) => ({ sha, files, current, createdAt })),
      [
        { sha: shas[1], files: 2, current: true, createdAt: '2026-01-02T00:00:00.000Z' },
        { sha: shas[0], files: 4, current: false, createdAt: '2026-01-01T00:00:00.000Z' },
      ],
    )
  })

  test('the newest ten thousand versions and history entries of a project are listed, so that a program that makes more fills no memory', async () => {
    await database.pool.query(
      `insert into versions (project_id, sha, author, message, files, created_at)
       select 'prj_empty', lpad(to_hex(n), 40, '0'), 'scaffold', 'Version ' || n, 1, now() + n * interval '1 second'
       from generate_series(0, 10000) n`,
    )
    await database.pool.query(
      `insert into history_events (id, org_id, project_id, type, detail, created_at)
       select 'his_' || n, 'a', 'prj_empty', 'renamed', 'Name ' || n, now() + n * interval '1 second'
       from generate_series(0, 10000) n`,
    )
    const versions = await listVersions(ctx, 'prj_empty')
    const history = await listHistory(ctx, 'prj_empty')
    await database.pool.query(`delete from versions where project_id = 'prj_empty'`)
    await database.pool.query(`delete from history_events where project_id = 'prj_empty'`)
    assert.deepEqual([versions.length, history.length], [10_000, 10_000])
    assert.deepEqual([versions[0]?.message, versions.at(-1)?.message], ['Version 10000', 'Version 1'])
    assert.deepEqual([history[0]?.detail, history.at(-1)?.detail], ['Name 10000', 'Name 1'])
  })

  test('the diff of a version is against its parent version unless the request names another base', async () => {
    const { base, files } = await diffVersion(ctx, 'prj_built', shas[1] ?? '', undefined)
    assert.equal(base, shas[0])
    assert.deepEqual(
      files.map(({ path, status, added, removed }) => ({ path, status, added, removed })),
      [
        { path: 'app.json', status: 'removed', added: 0, removed: 1 },
        { path: 'package.json', status: 'removed', added: 0, removed: 1 },
        { path: 'platform/web/start.tsx', status: 'removed', added: 0, removed: 1 },
        { path: 'web/App.tsx', status: 'modified', added: 2, removed: 1 },
        { path: 'web/pages/Home.tsx', status: 'added', added: 1, removed: 0 },
      ],
    )
    const same = await diffVersion(ctx, 'prj_built', shas[1] ?? '', shas[1])
    assert.deepEqual(same.files, [])
  })

  test('the diff of the first version lists its own files as added and leaves out the generated files', async () => {
    const { base, files } = await diffVersion(ctx, 'prj_built', shas[0] ?? '', undefined)
    assert.equal(base, null)
    assert.deepEqual(
      files.map(({ path, status, before }) => ({ path, status, before })),
      [
        { path: 'app.json', status: 'added', before: null },
        { path: 'web/App.tsx', status: 'added', before: null },
      ],
    )
  })

  test('the diff of an unknown version returns a 404, and the error for an unknown base names the parameter base', async () => {
    const unknown = '0'.repeat(40)
    await assert.rejects(diffVersion(ctx, 'prj_built', unknown, undefined), { code: 'not_found' })
    await assert.rejects(diffVersion(ctx, 'prj_built', shas[0] ?? '', unknown), (error: ApiError) => {
      return error.code === 'invalid_request' && error.message.startsWith('base:')
    })
  })

  test("a request for the versions of another organization's project gets a 404", async () => {
    await assert.rejects(readSource(stranger, 'prj_built'), { code: 'not_found' })
    await assert.rejects(diffVersion(stranger, 'prj_built', shas[0] ?? '', undefined), { code: 'not_found' })
  })

  test('reading code that an unfinished deletion has removed is a 404, and code that is missing for any other reason is an internal error', async () => {
    const reads: (() => Promise<unknown>)[] = [
      () => readSource(ctx, 'prj_built'),
      () => listFiles(ctx, 'prj_built'),
      () => zipSource(ctx, 'prj_built'),
      () => diffVersion(ctx, 'prj_built', shas[0] ?? '', undefined),
    ]
    await database.pool.query(`delete from git_objects where project_id = 'prj_built'`)
    for (const read of reads) await assert.rejects(read, /^Error: git object .* is missing$/)
    await database.pool.query(`update projects set deleting_at = now() where id = 'prj_built'`)
    for (const read of reads) await assert.rejects(read, { code: 'not_found' })
  })
})
