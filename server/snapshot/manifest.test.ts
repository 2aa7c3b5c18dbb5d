import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { AdminError } from '../admin/admin-error.ts'
import {
  describeBackupFile,
  resolveInside,
  newManifest,
  readBackupManifest,
  verifyFiles,
} from './manifest.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const MANIFEST = newManifest({
  slipway: '0.1.0',
  createdAt: '2026-06-01T12:00:00.000Z',
  installId: 'i',
  migrations: [{ number: 1, name: 'first', sha256: '' }],
  jobSchema: 1,
  tables: [],
  sequences: [],
  hasLocalWorld: false,
  files: [],
})

describe('the manifest of a backup', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'manifest-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const write = (text: string) => writeFileSync(join(folder, 'manifest.json'), text)
  const refusal = (): string => {
    try {
      readBackupManifest(folder)
    } catch (error) {
      assert.ok(error instanceof AdminError, String(error))
      return error.message
    }
    return 'none'
  }

  test('the manifest of a backup is read as it was written', () => {
    write(JSON.stringify(MANIFEST))
    assert.deepEqual(readBackupManifest(folder), MANIFEST)
  })

  test('a backup manifest of any wrong form is refused with an error that says what is wrong', () => {
    for (const [text, message] of [
      ['', 'The backup is damaged: manifest.json is not JSON.'],
      ['{', 'The backup is damaged: manifest.json is not JSON.'],
      ['null', 'The backup is damaged: manifest.json has no usable content.'],
      ['[]', 'The backup is damaged: manifest.json has no usable content.'],
      ['"text"', 'The backup is damaged: manifest.json has no usable content.'],
      ['{}', 'The backup is damaged: manifest.json has no usable format.'],
      [
        JSON.stringify({ ...MANIFEST, format: '1' }),
        'The backup is damaged: manifest.json has no usable format.',
      ],
      [
        JSON.stringify({ ...MANIFEST, files: [{ path: 'a', bytes: -1, sha256: '' }] }),
        'The backup is damaged: manifest.json has no usable files.0.bytes.',
      ],
      [
        JSON.stringify({ ...MANIFEST, migrations: [] }),
        'The backup is damaged: manifest.json has no usable migrations.',
      ],
      [
        JSON.stringify({ format: 2, unknown: true }),
        'The backup has format 2 and this release reads 1: restore it with the release that wrote it.',
      ],
    ] as const) {
      write(text)
      assert.equal(refusal(), message)
    }
  })

  test("a path that leads out of the backup is refused in every form, even into a folder whose name begins with the backup's name", () => {
    for (const path of ['..', '../x', 'a/../../x', '/etc/passwd', '', '.', 'a/..', `${folder}-other/x`])
      assert.throws(() => resolveInside(folder, path), AdminError, path)
    for (const path of ['a', 'a/b', './a', 'a/../b', '..a', '...'])
      assert.ok(resolveInside(folder, path).startsWith(`${folder}/`), path)
  })

  test('verifying a backup reports the first file that is missing, changed or of another size, even an empty file or one in a folder', async () => {
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'empty'), '')
    writeFileSync(join(folder, 'postgres', 'rows'), 'abc')
    const empty = await describeBackupFile(folder, 'empty')
    const rows = await describeBackupFile(folder, 'postgres/rows')
    assert.deepEqual(
      [empty, rows],
      [
        { path: 'empty', bytes: 0, sha256: sha256('') },
        { path: 'postgres/rows', bytes: 3, sha256: sha256('abc') },
      ],
    )
    const check = () => verifyFiles(folder, { ...MANIFEST, files: [empty, rows] })
    await check()
    writeFileSync(join(folder, 'postgres', 'rows'), 'abd')
    await assert.rejects(check(), {
      message: 'The backup is damaged: postgres/rows has changed since it was written.',
    })
    writeFileSync(join(folder, 'postgres', 'rows'), 'abcd')
    await assert.rejects(check(), {
      message: 'The backup is damaged: postgres/rows has 4 bytes and should have 3.',
    })
    rmSync(join(folder, 'empty'))
    await assert.rejects(check(), { message: 'The backup is damaged: empty is missing.' })
  })
})
