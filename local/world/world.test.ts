import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { takeLock, waitForLock } from './lock.ts'
import { isAlive, readProcess, readResidentBytes } from './processes.ts'
import { checkVersionStamp } from './stamp.ts'
import { Store } from './store.ts'
import { sweepOrphans } from './sweep.ts'

const dir = mkdtempSync(join(tmpdir(), 'slipway-parts-'))

describe('locks, stores and processes of the local services', () => {
  after(() => rmSync(dir, { recursive: true, force: true }))

  test('only one process can lock a data directory, and the lock is free again after release', async () => {
    const path = join(dir, 'lock')
    const lock = takeLock(path)
    assert.ok(lock !== null)
    assert.equal(takeLock(path), null)
    assert.equal(await waitForLock(path, () => false, 1000), null)
    lock.release()
    const next = takeLock(path)
    assert.ok(next !== null)
    next.release()
  })

  test('a failed transaction changes nothing, and a committed transaction survives reopening the store', () => {
    const path = join(dir, 'store.db')
    const steps = ['CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT']
    const store = new Store(path, steps)
    const addSecret = (name: string) =>
      store.run('INSERT INTO secrets (name, value) VALUES (?, ?)', name, 'x')
    assert.throws(() =>
      store.transact(() => {
        addSecret('lost')
        throw new Error('no')
      }),
    )
    store.transact(() => addSecret('kept'))
    store.close()
    const again = new Store(path, steps)
    assert.deepEqual(
      again.all<{ name: string }>('SELECT name FROM secrets').map(({ name }) => name),
      ['kept'],
    )
    again.close()
  })

  test('cleaning up orphans kills a process with a recorded id only if it is workerd and has the recorded start time', async () => {
    const [run, temporary] = [join(dir, 'run'), join(dir, 'tmp')]
    for (const folder of [run, join(temporary, 'miniflare-x')]) mkdirSync(folder, { recursive: true })
    // Simulates workerd: the sweep searches the command line for this word.
    const spawnNamed = (word: string) => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', word])
    const [orphan, stranger, other] = [spawnNamed('workerd'), spawnNamed('workerd'), spawnNamed('something')]
    const writeRunFile = (name: string, pid: number | undefined, startedAt: string | undefined) =>
      writeFileSync(join(run, name), JSON.stringify({ pid, startedAt }))
    writeRunFile('a.json', orphan.pid, readProcess(orphan.pid ?? 0)?.startedAt)
    writeRunFile('b.json', stranger.pid, 'another time')
    writeRunFile('c.json', other.pid, readProcess(other.pid ?? 0)?.startedAt)
    writeFileSync(join(run, 'd.json'), '{"pid":')
    try {
      assert.equal(await sweepOrphans(run, temporary), 1)
      assert.deepEqual(
        [orphan, stranger, other].map(({ pid }) => readProcess(pid ?? 0) !== null),
        [false, true, true],
      )
      assert.equal(existsSync(join(temporary, 'miniflare-x')), false)
    } finally {
      for (const child of [stranger, other]) child.kill('SIGKILL')
    }
  })

  test('the state of a process contains its start time, CPU time and memory', () => {
    const own = readProcess(process.pid)
    assert.ok(own !== null && own.startedAt !== '' && own.cpuSeconds > 0)
    if (process.platform === 'linux') assert.ok(readResidentBytes(process.pid) > 1_000_000)
    assert.equal(isAlive(process.pid), true)
    assert.equal(readProcess(2 ** 22 + 1), null)
  })

  test('an interrupted backup of app data is repeated at the next start, and a finished one is never replaced', () => {
    const world = mkdtempSync(join(dir, 'stamp-'))
    const group = join(world, 'cloud', 'account', 'group')
    const backup = join(group, 'state.bak-1.20261117.1')
    mkdirSync(join(group, 'state'), { recursive: true })
    checkVersionStamp(world, '1.20261117.1')
    writeFileSync(join(group, 'state', 'data'), 'before')
    // A process that is killed while it copies leaves a folder like this.
    mkdirSync(`${backup}.part`)
    writeFileSync(join(`${backup}.part`, 'half'), 'cut off')
    checkVersionStamp(world, '1.20261201.0')
    assert.deepEqual(readdirSync(backup), ['data'])
    assert.deepEqual(readdirSync(group).toSorted(), ['state', 'state.bak-1.20261117.1'])
    // Simulates a crash before the new version is stored: the state may already be of the new version.
    writeFileSync(join(group, 'state', 'data'), 'after')
    writeFileSync(join(world, 'workerd-version'), '1.20261117.1')
    checkVersionStamp(world, '1.20261201.0')
    assert.equal(readFileSync(join(backup, 'data'), 'utf8'), 'before')
  })

  test('a file such as .DS_Store among the app data does not prevent the backup', () => {
    const world = mkdtempSync(join(dir, 'stamp-'))
    const account = join(world, 'cloud', 'account')
    mkdirSync(join(account, 'group', 'state'), { recursive: true })
    for (const folder of [join(world, 'cloud'), account]) writeFileSync(join(folder, '.DS_Store'), '')
    checkVersionStamp(world, '1.20261117.1')
    checkVersionStamp(world, '1.20261201.0')
    assert.ok(existsSync(join(account, 'group', 'state.bak-1.20261117.1')))
  })

  test('workerd versions are compared number by number, and a missing part counts as 0', () => {
    const world = mkdtempSync(join(dir, 'stamp-'))
    mkdirSync(join(world, 'cloud'))
    for (const version of ['1.9', '1.10', '1.10.0', '2']) checkVersionStamp(world, version)
    for (const older of ['1.99.99', '1', '0.3']) assert.throws(() => checkVersionStamp(world, older), /older/)
  })

  test('app data that a newer workerd wrote is refused, and data of an older one is backed up before use', () => {
    const world = mkdtempSync(join(dir, 'stamp-'))
    const state = join(world, 'cloud', 'account', 'group', 'state')
    mkdirSync(state, { recursive: true })
    checkVersionStamp(world, '1.20261117.1')
    checkVersionStamp(world, '1.20261201.0')
    assert.ok(existsSync(`${state}.bak-1.20261117.1`))
    assert.throws(() => checkVersionStamp(world, '1.20261117.1'), /older and cannot read it/)
  })
})
