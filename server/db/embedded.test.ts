import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { silentLog } from '../testing/database.ts'
import { undoAfter } from '../testing/undo.ts'
import { isAlive } from './embedded/owner.ts'
import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './embedded.ts'

// The data directory of all tests except tests that need a new one, because creating a database is slow.
let dataDir: string
let removeDataDir: () => Promise<void>
/** Returns a path that does not exist yet, in a new folder with this mode, and a function that removes both. */
async function makeDir(name: string, mode: number): Promise<[string, () => Promise<void>]> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-embedded-'))
  await chmod(dir, mode)
  return [join(dir, name), () => rm(dir, { recursive: true, force: true, maxRetries: 20 })]
}

async function tempDir(t: TestContext, name: string, mode = 0o711): Promise<string> {
  const [dir, remove] = await makeDir(name, mode)
  undoAfter(t, remove)
  return dir
}

async function startDatabase(
  t: TestContext,
  dataDir: string,
  rest: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedDatabase> {
  const embedded = await startEmbedded({ dataDir, log: silentLog, ...rest })
  undoAfter(t, () => embedded.stop())
  return embedded
}

async function queryRows<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Starts the database in a separate process, which the test can kill. */
async function startOwner(
  t: TestContext,
  dataDir: string,
  { isReaped = true }: { isReaped?: boolean } = {},
): Promise<{ url: string; pid: number; kill(): Promise<void> }> {
  const script = `
    import { pino } from 'pino'
    import { startEmbedded } from ${JSON.stringify(import.meta.resolve('./embedded.ts'))}
    const { url } = await startEmbedded({ dataDir: process.env.TEST_DIR, log: pino({ level: 'silent' }) })
    process.stdout.write(process.pid + ' ' + url)
    setInterval(() => {}, 1000)`
  // The parent process is a `sleep`, which never waits for its children. So a killed owner remains in the process table.
  const unreaped = ['sh', '-c', '"$0" "$@" & exec sleep 600', process.execPath]
  const [program = '', ...args] = isReaped ? [process.execPath] : unreaped
  const child = spawn(program, [...args, '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TEST_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const endServer = async () => {
    child.kill('SIGKILL')
    await ended
  }
  undoAfter(t, endServer)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const [pid, url = ''] = [Number.parseInt(said.toString(), 10), said.toString().split(' ')[1]]
  const killServer = async () => {
    process.kill(pid, 'SIGKILL')
    if (isReaped) await ended
    else while (isAlive(pid)) await sleep(10)
  }
  return { url, pid, kill: killServer }
}

const pidFile = (dataDir: string) => join(dataDir, 'postgres/18/postmaster.pid')

/**
 * Inserts numbers until the connection is lost, and collects those that Postgres acknowledged, because none of them
 * may be lost.
 */
async function writeUntilBroken(url: string, writer: number, acknowledged: number[]): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    for (let n = writer * 1_000_000; ; n++) {
      await client.query('insert into written values ($1)', [n])
      acknowledged.push(n)
    }
  } catch {
    client.end().catch(() => {})
  }
}

async function askUntilAnswered<Row>(url: string, statement: string): Promise<Row[]> {
  const begun = performance.now()
  for (;;) {
    try {
      return await queryRows<Row>(url, statement)
    } catch (error) {
      if (performance.now() - begun > 10_000) throw error
      await sleep(20)
    }
  }
}

/**
 * Returns the server's process id. Waits, because after a restart clients can connect before the service has noticed
 * that the server is ready. Until then `pid()` is null.
 */
async function pidOf(embedded: EmbeddedDatabase): Promise<number> {
  for (const begun = performance.now(); performance.now() - begun < 10_000; await sleep(20)) {
    const pid = embedded.pid()
    if (pid !== null) return pid
  }
  throw new Error('the server did not come back')
}

describe('the embedded database', () => {
  before(async () => {
    ;[dataDir, removeDataDir] = await makeDir('data', 0o711)
  })
  after(() => removeDataDir())

  test('the first start creates a database with fsync on, a stop shuts it down, and the next start finds its rows', async (t) => {
    const first = await startDatabase(t, dataDir)
    await queryRows(first.url, 'create table first_kept as select 42 as n')
    assert.deepEqual(await queryRows(first.url, 'show fsync'), [{ fsync: 'on' }])
    assert.deepEqual(await queryRows(first.url, 'show listen_addresses'), [{ listen_addresses: '' }])
    assert.deepEqual(
      await queryRows(first.url, `select datcollate, datlocale from pg_database where datname = 'slipway'`),
      [{ datcollate: 'C', datlocale: 'C.UTF-8' }],
    )
    const connection = JSON.parse(await readFile(join(dataDir, 'postgres/connection.json'), 'utf8')) as {
      url: string
    }
    assert.equal(connection.url, first.url)
    assert.equal((await stat(join(dataDir, 'postgres/connection.json'))).mode & 0o777, 0o600)
    const pid = first.pid()
    await first.stop()
    assert.ok(pid !== null && !isAlive(pid))
    const second = await startDatabase(t, dataDir)
    assert.deepEqual(await queryRows(second.url, 'select n from first_kept'), [{ n: 42 }])
  })

  test('a second service on the same data directory is refused, with a message that says what to do', async (t) => {
    const owner = await startDatabase(t, dataDir)
    await assert.rejects(
      startEmbedded({ dataDir, log: silentLog, ownerWaitMs: 0 }),
      /owns the embedded database.*DATABASE_URL/,
    )
    assert.equal((await queryRows(owner.url, 'select 1')).length, 1)
  })

  test('after a service is killed, the next service takes over the running database server with every acknowledged row', async (t) => {
    const owner = await startOwner(t, dataDir)
    await queryRows(owner.url, 'create table kept as select 1 as n')
    await owner.kill()
    const pid = Number.parseInt(await readFile(pidFile(dataDir), 'utf8'), 10)
    assert.ok(isAlive(pid))
    const next = await startDatabase(t, dataDir)
    assert.equal(next.pid(), pid)
    assert.deepEqual(await queryRows(next.url, 'select n from kept'), [{ n: 1 }])
    await next.stop()
    assert.ok(!isAlive(pid))
  })

  test('a killed service that is still in the process table does not block the next start', async (t) => {
    const owner = await startOwner(t, dataDir, { isReaped: false })
    await owner.kill()
    assert.match(await readFile(`/proc/${owner.pid}/stat`, 'utf8'), /\) Z /)
    const next = await startDatabase(t, dataDir)
    assert.equal((await queryRows(next.url, 'select 1')).length, 1)
    await next.stop()
  })

  test('the start of a service waits until the previous owner of the data directory has exited', async (t) => {
    const owner = await startOwner(t, dataDir)
    const next = startDatabase(t, dataDir)
    // The start rejects at the latest after `ownerWaitMs`. Until then it waits for the owner.
    assert.equal(await Promise.race([next, sleep(200, 'waiting')]), 'waiting')
    await owner.kill()
    await (await next).stop()
  })

  test("the service's database role can read no file of the machine and start no program", async (t) => {
    process.env['SLIPWAY_TEST_CANARY'] = 'canary-in-the-environment'
    const embedded = await startDatabase(t, dataDir)
    delete process.env['SLIPWAY_TEST_CANARY']
    const pid = embedded.pid()
    assert.ok(!(await readFile(`/proc/${pid}/environ`, 'utf8')).includes('canary'))
    for (const statement of [
      `select pg_read_binary_file('/proc/${pid}/environ')`,
      `select pg_read_file('/etc/passwd')`,
      `create temporary table t (line text); copy t from '/etc/passwd'`,
      `create temporary table t (line text); copy t from program 'id'`,
      `select lo_import('/etc/passwd')`,
      'create role stranger superuser',
    ])
      await assert.rejects(
        queryRows(embedded.url, statement),
        /permission denied|must be superuser/,
        statement,
      )
    await embedded.stop()
  })

  test("a database whose tables belong to the superuser is transferred to the service's role, even when a first attempt was killed midway", async (t) => {
    const dataDir = await tempDir(t, 'data')
    const first = await startDatabase(t, dataDir, { durable: false })
    await queryRows(
      first.adminUrl,
      `create schema pgboss; create table pgboss.job (id serial primary key); create table kept (n integer);
       create view shown as select n from kept; create type mood as enum ('ok');
       create function add_one(n integer) returns integer language sql as 'select n + 1';
       alter database slipway owner to slipway; insert into kept values (1)`,
    )
    await first.stop()
    const second = await startDatabase(t, dataDir, { durable: false })
    await queryRows(
      second.url,
      `alter table kept add column more text; alter table pgboss.job add column more text;
       drop view shown; alter type mood add value 'bad'; drop function add_one(integer); create schema own`,
    )
    assert.deepEqual(await queryRows(second.url, 'select n from kept'), [{ n: 1 }])
    await queryRows(
      second.url,
      'create extension if not exists pg_trgm; create extension if not exists btree_gin',
    )
    await second.stop()
  })

  test('a pid file that names a dead process or another program does not block the start', async (t) => {
    const first = await startDatabase(t, dataDir)
    const content = await readFile(pidFile(dataDir), 'utf8')
    await first.stop()
    for (const pid of [process.pid, 4_194_300]) {
      await writeFile(pidFile(dataDir), content.replace(/^\d+/, String(pid)))
      const next = await startDatabase(t, dataDir)
      assert.notEqual(next.pid(), pid)
      await next.stop()
    }
  })

  test('a database server killed during eight concurrent writers restarts with every acknowledged row', async (t) => {
    const embedded = await startDatabase(t, dataDir)
    const { url } = embedded
    for (let round = 0; round < 2; round++) {
      await queryRows(url, 'drop table if exists written; create table written (n integer primary key)')
      const acknowledged: number[] = []
      const writers = Array.from({ length: 8 }, (_, writer) => writeUntilBroken(url, writer, acknowledged))
      const pid = await pidOf(embedded)
      while (acknowledged.length < 80) await sleep(10)
      process.kill(pid, 'SIGKILL')
      await Promise.all(writers)
      const rows = await askUntilAnswered<{ n: number }>(url, 'select n from written')
      const stored = new Set(rows.map((row) => row.n))
      assert.deepEqual(
        acknowledged.filter((n) => !stored.has(n)),
        [],
      )
      // Each of the 8 writers may have one insert that was stored but not acknowledged.
      assert.ok(stored.size <= acknowledged.length + 8)
      assert.notEqual(await pidOf(embedded), pid)
    }
  })

  test('the next start removes the partial database files of a first start that was killed', async (t) => {
    const dataDir = await tempDir(t, 'data')
    await mkdir(join(dataDir, 'postgres/18.new-1'), { recursive: true })
    await writeFile(join(dataDir, 'postgres/18.new-1/PG_VERSION'), '18')
    await startDatabase(t, dataDir, { durable: false })
    const names = await readdir(join(dataDir, 'postgres'))
    assert.deepEqual(
      names.filter((name) => name.includes('new')),
      [],
    )
  })

  test('the database starts even when the path of the data directory is too long for a socket', async (t) => {
    const dataDir = await tempDir(t, `${'deep/'.repeat(18)}data`)
    const embedded = await startDatabase(t, dataDir, { durable: false })
    assert.equal((await queryRows(embedded.url, 'select 1')).length, 1)
    const socketDir = new URL(embedded.url).searchParams.get('host') ?? ''
    assert.ok(!socketDir.startsWith(dataDir) && Buffer.byteLength(socketDir) < 90)
    undoAfter(t, () => rm(socketDir, { recursive: true, force: true }))
  })

  test(
    'as root, the database is in a fallback folder, named by a file, when the Postgres user cannot access the data directory',
    { skip: process.getuid?.() !== 0 },
    async (t) => {
      const dataDir = await tempDir(t, 'data', 0o700)
      const fallbackDir = await tempDir(t, 'lib')
      const embedded = await startDatabase(t, dataDir, { durable: false, fallbackDir })
      assert.equal((await queryRows(embedded.url, 'select 1')).length, 1)
      const location = (await readFile(join(dataDir, 'postgres/location'), 'utf8')).trim()
      assert.ok(location.startsWith(fallbackDir))
      assert.ok(existsSync(join(location, '18/PG_VERSION')))
      await embedded.stop()
      await rm(location, { recursive: true })
      await assert.rejects(startEmbedded({ dataDir, log: silentLog, fallbackDir }), /it does not exist/)
    },
  )
})
