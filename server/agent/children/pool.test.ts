import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { canReach, chooseTenantAccount } from '../../db/embedded/account.ts'

/** Larger than any process id of Linux and macOS, so that it belongs to no process. */
const DEAD_PID = 2 ** 22 + 1

describe('the folder of the child processes', () => {
  let temp: string
  beforeEach(() => {
    temp = mkdtempSync(join(tmpdir(), 'pool-'))
    chmodSync(temp, 0o777)
  })
  afterEach(() => rmSync(temp, { recursive: true, force: true }))

  const account = chooseTenantAccount()
  const module = join(import.meta.dirname, 'pool.ts')
  const isOutOfReach = account !== null && !canReach(account, module, 4)

  /** Creates the folder in a process of an ordinary account, which cannot delete other accounts' files. Returns the folder's path. */
  const makeFolder = (): string => {
    const code = `import { makeChildrenFolder } from ${JSON.stringify(module)}\nconsole.log(makeChildrenFolder())`
    return execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      env: { PATH: process.env['PATH'], TMPDIR: temp },
      encoding: 'utf8',
      cwd: temp,
      ...(account !== null && { uid: account.uid, gid: account.gid }),
    }).trim()
  }
  const leave = (name: string) => {
    const folder = join(temp, name)
    mkdirSync(join(folder, 'c0'), { recursive: true })
    writeFileSync(join(folder, 'c0', 'file'), '')
    if (account !== null)
      for (const path of [folder, join(folder, 'c0'), join(folder, 'c0', 'file')])
        chownSync(path, account.uid, account.gid)
    return folder
  }

  test(
    'the service starts although a killed service of another system user has left files that it cannot delete',
    { skip: isOutOfReach },
    () => {
      const own = leave(`slipway-children-${DEAD_PID}-own`)
      const foreign = leave(`slipway-children-${DEAD_PID}-foreign`)
      if (account === null) chmodSync(join(foreign, 'c0'), 0o500)
      else chownSync(join(foreign, 'c0'), 0, 0)
      const made = makeFolder()
      if (account === null) chmodSync(join(foreign, 'c0'), 0o700)
      assert.ok(existsSync(made))
      assert.deepEqual([existsSync(own), existsSync(foreign)], [false, true])
    },
  )

  test(
    'a new service deletes the folders of dead processes, and neither those of a running one nor other files',
    { skip: isOutOfReach },
    () => {
      leave(`slipway-children-${DEAD_PID}-a`)
      const kept = [`slipway-children-${process.pid}-b`, 'slipway-children-', 'slipway-children-x-y', 'other']
      for (const name of kept) leave(name)
      const made = makeFolder()
      assert.deepEqual(
        readdirSync(temp)
          .filter((name) => join(temp, name) !== made)
          .toSorted(),
        kept.toSorted(),
      )
    },
  )
})
