import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ensurePassword } from './role.ts'

describe("the password of the service's database role", () => {
  let cluster: string
  beforeEach(() => {
    cluster = mkdtempSync(join(tmpdir(), 'role-'))
  })
  afterEach(() => rmSync(cluster, { recursive: true, force: true }))
  const file = () => join(cluster, 'service.password')
  const assertNew = (password: string) => {
    assert.match(password, /^[A-Za-z0-9_-]{32}$/)
    assert.equal(readFileSync(file(), 'utf8'), password)
    assert.equal(statSync(file()).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(cluster), ['service.password'])
  }

  test('the first start stores a random database password that only its owner can read, and later starts use the same password', async () => {
    const password = await ensurePassword(cluster)
    assertNew(password)
    assert.equal(await ensurePassword(cluster), password)
  })

  test('a database password file that a power failure has left empty is replaced, so that the service can connect again', async () => {
    writeFileSync(file(), '')
    assertNew(await ensurePassword(cluster))
  })

  test('a start that was killed while it stored the database password does not prevent the next start from storing a new one', async () => {
    writeFileSync(`${file()}.new`, 'half of a pass', { mode: 0o644 })
    assertNew(await ensurePassword(cluster))
  })

  test('a database password file that cannot be read causes an error and is not replaced', async () => {
    mkdirSync(file())
    await assert.rejects(ensurePassword(cluster), { code: 'EISDIR' })
    assert.ok(statSync(file()).isDirectory())
  })
})
