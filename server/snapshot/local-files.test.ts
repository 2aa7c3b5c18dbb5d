import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { copyLocalWorld } from './local-files.ts'

const VALUES = 'cloud/acc/group/state/kv/shelf/blobs'
const SHELF = 'cloud/acc/group/state/kv/miniflare-KVNamespaceObject/aa.sqlite'

describe('copying the local world while it runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-local-files-'))
  const world = join(folder, 'world')
  const open: DatabaseSync[] = []
  after(() => {
    for (const database of open) database.close()
    rmSync(folder, { recursive: true })
  })

  const writeSource = (path: string, text = 'x') => {
    mkdirSync(dirname(join(world, path)), { recursive: true })
    writeFileSync(join(world, path), text)
  }
  /** Opens a database as workerd does: the database stays open, and its last commits are in the write-ahead log beside it. */
  const openDatabase = (path: string, schema: string) => {
    mkdirSync(dirname(join(world, path)), { recursive: true })
    const database = new DatabaseSync(join(world, path))
    database.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; ${schema}`)
    open.push(database)
    return database
  }

  test('the copy of the local provider emulators has committed data and every file that a database refers to, but no process files', async () => {
    const list = openDatabase('world.db', `create table t (n); insert into t values (1)`)
    const shelf = openDatabase(SHELF, `create table _mf_entries (key, blob_id)`)
    writeSource(`${VALUES}/b1`, 'one')
    shelf.exec(`insert into _mf_entries values ('a', 'b1'), ('empty', null)`)
    list.exec('begin; insert into t values (2)')
    for (const path of [
      'world.json',
      'world.lock',
      'run/1.json',
      'tmp/x',
      'home/x',
      'cloud/acc/assets/v/index.html',
    ])
      writeSource(path)
    writeSource('cloud/acc/group/state/cache/x.sqlite')
    writeSource('github/acme/shop.git/packed-refs')
    writeSource('github/acme/shop.git/objects/pack/p.pack')
    const copied = await copyLocalWorld(world, join(folder, 'copy'))
    list.exec('commit')
    assert.deepEqual(copied, [
      SHELF,
      `${VALUES}/b1`,
      'github/acme/shop.git/objects/pack/p.pack',
      'github/acme/shop.git/packed-refs',
      'world.db',
    ])
    const copy = new DatabaseSync(join(folder, 'copy/world.db'))
    assert.deepEqual(
      copy
        .prepare('select n from t')
        .all()
        .map(({ n }) => n),
      [1],
    )
    copy.close()
  })

  test("copying the local provider emulators fails with the database's name when a file that the database refers to stays missing", async () => {
    open[1]?.exec(`insert into _mf_entries values ('b', 'gone')`)
    await assert.rejects(
      copyLocalWorld(world, join(folder, 'torn')),
      /changes too quickly: cloud\/acc\/.*aa\.sqlite was rewritten during each of 5 copies/,
    )
  })
})
