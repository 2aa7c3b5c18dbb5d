import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { canReach } from './account.ts'

describe('whether another account can reach a file', () => {
  let top: string
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const owner = { name: 'owner', uid, gid: gid + 1 }
  const member = { name: 'member', uid: uid + 1, gid }
  const stranger = { name: 'stranger', uid: uid + 1, gid: gid + 1 }
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'account-'))
    chmodSync(top, 0o755)
    mkdirSync(join(top, 'folder'))
    writeFileSync(join(top, 'folder', 'file'), '')
  })
  afterEach(() => rmSync(top, { recursive: true, force: true }))
  const file = () => join(top, 'folder', 'file')
  const open = (folder: number, mode: number) => {
    chmodSync(file(), mode)
    chmodSync(join(top, 'folder'), folder)
  }
  const reaching = (needed: number) =>
    [owner, member, stranger].filter((account) => canReach(account, file(), needed)).map(({ name }) => name)

  test('a system user has only the rights of the first file class that applies: owner, group or others', () => {
    open(0o755, 0o754)
    assert.deepEqual(
      [reaching(4), reaching(1), reaching(5)],
      [
        ['owner', 'member', 'stranger'],
        ['owner', 'member'],
        ['owner', 'member'],
      ],
    )
    open(0o755, 0o077)
    assert.deepEqual(reaching(4), ['member', 'stranger'])
  })

  test('a file is out of reach in a folder that the system user may not traverse, whatever the mode of the file', () => {
    open(0o711, 0o777)
    assert.deepEqual(reaching(5), ['owner', 'member', 'stranger'])
    open(0o766, 0o777)
    assert.deepEqual(reaching(5), ['owner'])
    open(0o755, 0o777)
    chmodSync(top, 0o710)
    assert.deepEqual(reaching(5), ['owner', 'member'])
  })

  test("a system user can reach a symbolic link exactly when the user can reach the link's target", () => {
    open(0o700, 0o777)
    const link = join(top, 'link')
    symlinkSync(file(), link)
    assert.deepEqual([canReach(owner, link, 4), canReach(stranger, link, 4)], [true, false])
  })

  test('checking whether a system user can reach a file that does not exist throws ENOENT', () => {
    assert.throws(() => canReach(owner, join(top, 'none'), 4), { code: 'ENOENT' })
  })
})
