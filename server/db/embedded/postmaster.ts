import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { hasCode } from './system-error.ts'
import type { SystemAccount } from './account.ts'
import { runAs, SUPERUSER_NAME } from './cluster.ts'
import { isAlive } from './owner.ts'
import type { DatabaseFolders } from './folders.ts'

/** The process of a Postgres server that this service started or took over from a killed service. */
export interface Postmaster {
  pid: number
  /** Resolves when the server process has ended. */
  ended: Promise<void>
}

export const POSTMASTER_SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  random_page_cost: '1.1',
  log_min_duration_statement: '500',
}

const LOG_BYTES_MAX = 10 * 1024 * 1024
const STOP_MS_MAX = 10_000
// The maximum duration of a start with crash recovery after a long time without a checkpoint. A start without
// recovery takes a tenth of a second.
const START_MS_MAX = 120_000
const POLL_MS = 20
const WATCH_INTERVAL_MS = 250

export function urlOfDatabase(
  folders: DatabaseFolders,
  { role, password }: { role: string; password: string },
  database: string,
): string {
  const host = encodeURIComponent(folders.socketDir)
  return `postgresql://${role}:${encodeURIComponent(password)}@localhost/${database}?host=${host}`
}

/** Returns a server of this cluster that a killed service left running. Removes stale files of a server that no longer runs. */
export async function findRunning(folders: DatabaseFolders, password: string): Promise<Postmaster | null> {
  const pid = readPid(folders)
  if (pid === null) return null
  if (isAlive(pid) && commandOf(pid).includes(folders.cluster)) {
    const dataDirectory = await waitForDataDirectory(folders, password, () => isAlive(pid), STOP_MS_MAX)
    if (dataDirectory === folders.cluster) return watchForeignProcess(pid)
    if (dataDirectory === null) await stopPostmaster({ pid, ended: watchForeignProcess(pid).ended })
  }
  rmSync(join(folders.cluster, 'postmaster.pid'), { force: true })
  for (const suffix of ['', '.lock'])
    rmSync(join(folders.socketDir, `.s.PGSQL.5432${suffix}`), { force: true })
  return null
}

/** Starts the server in its own process group. So Ctrl-C in the terminal ends only the service, which then stops the server. */
export async function startPostmaster(options: {
  folders: DatabaseFolders
  account: SystemAccount | null
  program: string
  password: string
  settings: Readonly<Record<string, string>>
}): Promise<Postmaster> {
  const { folders } = options
  const begun = performance.now()
  for (;;) {
    const log = openLog(folders.log)
    const args = ['-D', folders.cluster, '-k', folders.socketDir, '-c', 'listen_addresses=']
    for (const [name, value] of Object.entries(options.settings)) args.push('-c', `${name}=${value}`)
    const child = spawn(options.program, args, {
      cwd: folders.cluster,
      detached: true,
      stdio: ['ignore', log, log],
      ...runAs(options.account),
    })
    closeSync(log)
    child.unref()
    const ended = new Promise<void>((resolve) => {
      child.on('error', () => resolve())
      child.on('exit', () => resolve())
    })
    const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
    const dataDirectory = await waitForDataDirectory(folders, options.password, isRunning, START_MS_MAX)
    if (dataDirectory !== null && child.pid !== undefined) return { pid: child.pid, ended }
    // Child processes of a killed server may still hold its shared memory; they exit within moments, so try again.
    if (performance.now() - begun > STOP_MS_MAX || !logTail(folders).includes('shared memory block')) {
      if (child.pid !== undefined && isRunning()) await stopPostmaster({ pid: child.pid, ended })
      throw new Error(`The embedded database did not start:\n${logTail(folders)}`)
    }
    await sleep(100)
  }
}

/** Stops the server with a fast shutdown (SIGINT). With SIGTERM the server would wait for every client to disconnect. */
export async function stopPostmaster(server: Postmaster): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(server.pid, signal)
    } catch (error) {
      if (hasCode(error, 'ESRCH')) return
      throw error
    }
    const timeout = new AbortController()
    const late = sleep(STOP_MS_MAX, 'late', { signal: timeout.signal }).catch(() => 'late')
    const result = await Promise.race([server.ended, late])
    timeout.abort()
    if (result !== 'late') return
  }
}

// Watches a server that was taken over. It is not a child of this process, so only polling shows that it has ended.
function watchForeignProcess(pid: number): Postmaster {
  const ended = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return
      clearInterval(timer)
      resolve()
    }, WATCH_INTERVAL_MS)
    timer.unref()
  })
  return { pid, ended }
}

// Waits until a server accepts connections. Resolves to the data directory that the server reports, or to null when
// no server responds in time.
async function waitForDataDirectory(
  folders: DatabaseFolders,
  password: string,
  isWorthIt: () => boolean,
  waitMs: number,
): Promise<string | null> {
  const deadline = performance.now() + waitMs
  do {
    const client = new Client({
      connectionString: urlOfDatabase(folders, { role: SUPERUSER_NAME, password }, 'postgres'),
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ data_directory: string }>('show data_directory')
      return rows[0]?.data_directory ?? null
    } catch {
      await sleep(POLL_MS)
    } finally {
      client.end().catch(() => {})
    }
  } while (isWorthIt() && performance.now() < deadline)
  return null
}

function readPid(folders: DatabaseFolders): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(folders.cluster, 'postmaster.pid'), 'utf8'), 10)
    return pid > 0 ? pid : null
  } catch {
    return null
  }
}

// Returns the command line of a process, which shows whether the process is the server of this folder. No other process
// may be stopped, and another program, even another Postgres, may have the server's former process id.
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function openLog(path: string): number {
  mkdirSync(join(path, '..'), { recursive: true })
  try {
    if (statSync(path).size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  return openSync(path, 'a', 0o600)
}

function logTail(folders: DatabaseFolders): string {
  return readFileSync(folders.log, 'utf8').slice(-2000)
}
