import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { Store } from './store.ts'

const TABLE = 'CREATE TABLE notes (text TEXT NOT NULL UNIQUE)'

describe('the store of the stand-ins', () => {
  let dir: string
  let path: string
  let store: Store
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-store-'))
    path = join(dir, 'world.sqlite')
    store = new Store(path, [TABLE])
  })
  afterEach(() => {
    store.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const add = (text: string) => store.run('INSERT INTO notes VALUES (?)', text)
  const notes = (from = store) =>
    from.all<{ text: string }>('SELECT text FROM notes ORDER BY text').map(({ text }) => text)

  test("a failed transaction of the stand-ins' database changes nothing and throws the error", () => {
    add('a')
    const failing = () =>
      store.transact(() => {
        add('b')
        add('a')
      })
    assert.throws(failing, /UNIQUE constraint failed/)
    assert.deepEqual(notes(), ['a'])
    store.transact(() => add('c'))
    assert.deepEqual(notes(), ['a', 'c'])
  })

  test('a nested transaction is part of the outer transaction: both are stored or neither', () => {
    store.transact(() => {
      add('a')
      store.transact(() => add('b'))
    })
    const failing = () =>
      store.transact(() => {
        store.transact(() => add('c'))
        throw new Error('stopped')
      })
    assert.throws(failing, /stopped/)
    assert.deepEqual(notes(), ['a', 'b'])
  })

  test('when SQLite itself has rolled back a transaction, for example on a full disk, the original error is thrown', () => {
    store.run(`CREATE TRIGGER full BEFORE INSERT ON notes WHEN new.text = 'b'
      BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END`)
    const failing = () =>
      store.transact(() => {
        add('a')
        add('b')
      })
    assert.throws(failing, /the disk is full/)
    assert.throws(() => store.dryRun(() => void add('b')), /the disk is full/)
    store.transact(() => add('c'))
    assert.deepEqual(notes(), ['c'])
  })

  test("changes in a dry run of the stand-ins' database are visible only within it and never stored", () => {
    add('a')
    let seen: unknown[] = []
    store.dryRun(() => {
      store.transact(() => add('b'))
      seen = notes()
    })
    assert.deepEqual([seen, notes()], [['a', 'b'], ['a']])
    assert.throws(() => store.dryRun(() => void add('a')), /UNIQUE/)
    assert.deepEqual(notes(), ['a'])
  })

  test('a newer release applies only its new migrations, and a failed migration leaves the database unchanged', () => {
    add('a')
    const broken = 'CREATE TABLE more (n INTEGER); CREATE TABLE notes (n INTEGER)'
    assert.throws(() => new Store(path, [TABLE, broken]), /already exists/)
    const newer = new Store(path, [TABLE, "CREATE TABLE more (n INTEGER); INSERT INTO notes VALUES ('b')"])
    assert.deepEqual([notes(newer), newer.all('SELECT * FROM more')], [['a', 'b'], []])
    newer.close()
    const again = new Store(path, [TABLE, "CREATE TABLE more (n INTEGER); INSERT INTO notes VALUES ('b')"])
    assert.deepEqual(notes(again), ['a', 'b'])
    again.close()
  })

  test("only the owner can read the stand-ins' database files, which contain worker secrets", () => {
    add('a')
    for (const file of [path, `${path}-wal`]) assert.equal(statSync(file).mode & 0o777, 0o600)
  })
})
