import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { isOpenToAll } from '../testing/open-to-all.ts'
import { chooseAccount, changeOwner } from './account.ts'
import { silentLog } from './log.ts'
import { makeSocketFolder } from './files.ts'

const isRoot = process.getuid?.() === 0
/** When other user accounts cannot enter the folder of the Node executable, apps run as root. */
const isClosed = isRoot && !isOpenToAll(process.execPath)
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('the user account that runs app code', () => {
  let outer: string
  beforeEach(() => {
    outer = mkdtempSync(join(tmpdir(), 'slipway-account-'))
  })
  afterEach(() => rmSync(outer, { recursive: true, force: true }))

  describe('the account that runs apps', () => {
    const chooseWithReasons = (dir: string) => {
      const reasons: unknown[] = []
      const log = { ...silentLog, warn: (_message: string, fields = {}) => reasons.push(fields) }
      return { account: chooseAccount({ program: process.execPath, dir }, log), reasons }
    }

    test("apps run as an unprivileged user when the server runs as root, and otherwise as the server's own user", () => {
      chmodSync(outer, 0o755)
      const { account, reasons } = chooseWithReasons(join(outer, 'data'))
      assert.equal(account === null, !isRoot || isClosed)
      assert.ok(account === null || (account.uid > 0 && account.gid > 0))
      assert.equal(reasons.length, isClosed ? 1 : 0)
    })

    test("apps run as the server's user if other users cannot reach the data directory, and a root server logs its path", () => {
      const { account, reasons } = chooseWithReasons(join(outer, 'data'))
      assert.equal(account, null)
      const closed = isClosed ? process.execPath : outer
      assert.deepEqual(reasons, isRoot ? [{ reason: `other accounts cannot reach ${closed}` }] : [])
    })

    test(
      "changing a folder's owner also changes its contents, follows no links, and lets other users traverse its parents",
      {
        skip: process.platform !== 'linux' && 'no other system changes the account',
      },
      () => {
        const dir = join(outer, 'data')
        const folder = join(dir, 'cloud', 'state')
        mkdirSync(join(folder, 'do'), { recursive: true, mode: 0o700 })
        writeFileSync(join(folder, 'do', 'file'), 'text', { mode: 0o600 })
        writeFileSync(join(outer, 'ours'), 'text', { mode: 0o600 })
        symlinkSync(join(outer, 'ours'), join(folder, 'do', 'link'))
        symlinkSync(outer, join(folder, 'link'))
        // Only root can change the owner to another account.
        const [uid, gid] = isRoot ? [65_534, 65_534] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
        changeOwner(folder, { uid, gid, dir })
        for (const path of [folder, join(folder, 'do'), join(folder, 'do', 'file')])
          assert.deepEqual([statSync(path).uid, statSync(path).gid], [uid, gid], path)
        assert.deepEqual([join(dir, 'cloud'), dir].map(modeOf), [0o711, 0o711])
        assert.deepEqual([modeOf(folder), modeOf(outer)], [0o700, 0o700])
        for (const path of [outer, join(outer, 'ours')])
          assert.equal(statSync(path).uid, process.getuid?.(), path)
      },
    )
  })

  describe('the folder of sockets', () => {
    test('the folder of Unix sockets is in the data directory, and preparing it removes files left from an earlier run', () => {
      const folder = makeSocketFolder(outer)
      assert.equal(folder, join(outer, 'sockets'))
      writeFileSync(join(folder, 'left'), '')
      assert.equal(makeSocketFolder(outer), folder)
      assert.throws(() => statSync(join(folder, 'left')), /ENOENT/)
    })

    test('the folder of Unix sockets is in /tmp when the path of the data directory is too long for a socket', () => {
      const dir = join(outer, 'long'.repeat(30))
      mkdirSync(dir)
      const folder = makeSocketFolder(dir)
      assert.match(folder, /^\/tmp\/slipway-[0-9a-f]{16}$/)
      assert.equal(makeSocketFolder(dir), folder)
      rmSync(folder, { recursive: true })
    })
  })
})
