import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { isStored, linkFiles, removeFiles, sweepFiles } from './files.ts'

// A KV namespace, and the name of the file in which a running Miniflare stored it: the id that workerd gives the
// Durable Object of this namespace.
const NAMESPACE = { kind: 'kv' as const, id: 'b2f5ff47436671b6e533d8dc3614845d' }
const NAMESPACE_FILE = 'd344cde0d32e65638f75b955b8edab5a5fb67d8f7a900ad73b0abaea5b7118d6'

describe('files of a resource', () => {
  let from: string
  let to: string
  beforeEach(() => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-files-'))
    from = join(dir, 'from')
    to = join(dir, 'to')
  })
  afterEach(() => rmSync(dirname(from), { recursive: true, force: true }))

  const sqlitePath = (dir: string) => join(dir, 'kv/miniflare-KVNamespaceObject', `${NAMESPACE_FILE}.sqlite`)
  const blobPath = (dir: string) => join(dir, 'kv', NAMESPACE.id, 'blobs/deep/one')
  function writeText(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  function fillNamespace(dir: string): void {
    writeText(sqlitePath(dir), 'rows')
    writeText(`${sqlitePath(dir)}-wal`, 'last rows')
    writeText(blobPath(dir), 'a large value')
  }

  test('a storage resource counts as stored once its files exist where Miniflare writes them', () => {
    assert.equal(isStored(from, NAMESPACE), false)
    fillNamespace(from)
    assert.equal(isStored(from, NAMESPACE), true)
  })

  test("linking a resource's files to another folder keeps the originals and replaces leftovers of an interrupted move", () => {
    fillNamespace(from)
    writeText(`${sqlitePath(to)}-shm`, 'of a move that was cut off')
    linkFiles(from, to, NAMESPACE)
    assert.deepEqual(
      [sqlitePath(to), `${sqlitePath(to)}-wal`, blobPath(to), blobPath(from)].map((path) =>
        readFileSync(path, 'utf8'),
      ),
      ['rows', 'last rows', 'a large value', 'a large value'],
    )
    assert.equal(existsSync(`${sqlitePath(to)}-shm`), false)
    removeFiles(from, NAMESPACE)
    assert.deepEqual([isStored(from, NAMESPACE), existsSync(blobPath(from))], [false, false])
    assert.equal(readFileSync(blobPath(to), 'utf8'), 'a large value')
  })

  test('the clean-up of a folder deletes only files of storage resources that no longer belong to the folder', () => {
    fillNamespace(from)
    linkFiles(from, to, NAMESPACE)
    writeText(join(from, 'do/other/metadata.sqlite'), 'alarms')
    sweepFiles(from, [])
    sweepFiles(to, [NAMESPACE])
    assert.deepEqual([existsSync(sqlitePath(from)), existsSync(blobPath(from))], [false, false])
    assert.deepEqual([existsSync(sqlitePath(to)), existsSync(blobPath(to))], [true, true])
    assert.equal(existsSync(join(from, 'do/other/metadata.sqlite')), true)
    sweepFiles(join(from, 'nowhere'), [])
  })
})
