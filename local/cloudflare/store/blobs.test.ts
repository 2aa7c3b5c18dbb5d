import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { sha256 } from '../../world/ids.ts'
import { Blobs } from './blobs.ts'

describe('files that are stored by the hash of their content', () => {
  let dir: string
  let blobs: Blobs
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-blobs-'))
    blobs = new Blobs(dir)
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  const write = (text: string, accountId = 'acme') => blobs.write(accountId, Buffer.from(text))
  const read = async (digest: string, accountId = 'acme') =>
    Buffer.from(await blobs.read(accountId, digest)).toString()
  const listBlobs = (accountId = 'acme') => readdirSync(join(dir, accountId, 'blobs')).sort()

  test('a file with the same content is stored once, even when written simultaneously, and has the file mode 0600', async () => {
    const digests = await Promise.all([write('one'), write('one'), write('one')])
    assert.deepEqual([...digests, await write('one')], Array(4).fill(sha256('one')))
    assert.deepEqual([listBlobs(), await read(sha256('one'))], [[sha256('one')], 'one'])
    assert.equal(statSync(blobs.path('acme', sha256('one'))).mode & 0o777, 0o600)
  })

  test('an empty uploaded file is stored, and an uploaded file of another account is not found', async () => {
    assert.equal(await read(await write('')), '')
    await assert.rejects(read(sha256(''), 'other'), { code: 'ENOENT' })
  })

  test('a folder of assets has each file at its path, even when several calls build it simultaneously', async () => {
    const [one, two] = [await write('one'), await write('two')]
    const folder = join(dir, 'acme', 'assets', 'version')
    const files = [
      { path: '/index.html', digest: one },
      { path: '/a/b/c.js', digest: two },
      { path: '/copy', digest: one },
    ]
    await Promise.all([1, 2, 3].map(() => blobs.buildFolder('acme', folder, files)))
    await blobs.buildFolder('acme', folder, [])
    assert.deepEqual(
      files.map(({ path }) => readFileSync(join(folder, path), 'utf8')),
      ['one', 'two', 'one'],
    )
    assert.deepEqual(readdirSync(join(dir, 'acme', 'assets')), ['version'])
  })

  test('a folder of assets that cannot be built leaves no partial folder behind', async () => {
    const one = await write('one')
    const build = (...files: { path: string; digest: string }[]) =>
      blobs.buildFolder('acme', join(dir, 'acme', 'assets', 'version'), files)
    await assert.rejects(build({ path: '/a', digest: one }, { path: '/b', digest: sha256('lost') }), {
      code: 'ENOENT',
    })
    await assert.rejects(build({ path: '/a', digest: one }, { path: '/a/b', digest: one }), {
      code: 'EEXIST',
    })
    assert.deepEqual(readdirSync(join(dir, 'acme', 'assets')), [])
  })
})
