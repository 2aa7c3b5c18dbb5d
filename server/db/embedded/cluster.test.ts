import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ensureCluster, runAs } from './cluster.ts'

describe('the cluster of the embedded database', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cluster-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  /** Creates the cluster. This shell script runs in place of `initdb`. */
  const ensure = (script: string, durable = true) => {
    const initdb = join(root, 'initdb')
    writeFileSync(initdb, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const folders = { home: root, root, cluster: join(root, '18'), socketDir: '', log: '' }
    return ensureCluster({ folders, account: null, initdb, durable })
  }
  const WORKING = `echo "$@" > "$2/arguments"; for a in "$@"; do case "$a" in --pwfile=*) cp "\${a#--pwfile=}" "$2/seen" ;; esac; done`
  const leftovers = () => readdirSync(root).filter((name) => name.startsWith('18.new'))

  test('a new database cluster has a random password, stored in a file that only its owner can read and passed to initdb', async () => {
    const password = await ensure(WORKING)
    assert.match(password, /^[A-Za-z0-9_-]{32}$/)
    const cluster = join(root, '18')
    assert.equal(readFileSync(join(cluster, 'seen'), 'utf8'), password)
    assert.equal(statSync(join(cluster, 'slipway.password')).mode & 0o777, 0o600)
    const given = readFileSync(join(cluster, 'arguments'), 'utf8')
    assert.match(given, / -E UTF8 .* -U slipway --auth=scram-sha-256 /)
    assert.equal(given.includes('--no-sync') || given.includes(password), false)
    assert.deepEqual(leftovers(), [])
  })

  test('an existing database cluster keeps its password, and initdb does not run again', async () => {
    const password = await ensure(WORKING)
    assert.equal(await ensure('exit 1'), password)
  })

  test('initdb runs with --no-sync for a database that need not survive a power failure', async () => {
    await ensure(WORKING, false)
    assert.match(readFileSync(join(root, '18', 'arguments'), 'utf8'), / --no-sync\n$/)
  })

  test('a failed initdb leaves no cluster, and the error message contains the error output of initdb', async () => {
    await assert.rejects(ensure('echo "  no space left  " >&2; exit 3'), {
      message: 'initdb failed (3): no space left',
    })
    assert.equal(existsSync(join(root, '18')), false)
    await ensure(WORKING)
    assert.deepEqual(leftovers(), [])
  })

  test('partial database files that a killed first start left are removed, and other folders stay', async () => {
    mkdirSync(join(root, '18.new-1', 'base'), { recursive: true })
    writeFileSync(join(root, '18.new-1.password'), 'secret')
    mkdirSync(join(root, '17'))
    await ensure(WORKING)
    assert.deepEqual(readdirSync(root).toSorted(), ['17', '18', 'initdb'])
  })

  test('a Postgres process gets only the environment variables that it needs, and no secret of the service', () => {
    process.env['SLIPWAY_TEST_SECRET'] = 'secret'
    const { env, ...ids } = runAs(null)
    delete process.env['SLIPWAY_TEST_SECRET']
    assert.deepEqual(Object.keys(env).toSorted(), ['LANG', 'LC_ALL', 'PATH', 'TZ'])
    assert.equal(env['PATH'], process.env['PATH'])
    assert.deepEqual(ids, {})
    const { uid, gid } = runAs({ name: 'nobody', uid: 65534, gid: 65533 })
    assert.deepEqual([uid, gid], [65534, 65533])
  })
})
