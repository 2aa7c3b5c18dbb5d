import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type * as z from 'zod'
import type { FaultRule } from '../../local/faults/faults.ts'
import { freePorts } from '../../server/testing/ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const READY_MS_MAX = 30_000

/** Services that are not disposed yet. When a test fails in its set-up, its service is ended with this process. */
const runningServices = new Set<ServiceProcess>()
process.once('exit', () => runningServices.forEach((service) => service.abandon()))

/** The real service in a separate process, with free ports and a separate data directory. */
export class ServiceProcess {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'slipway-service-'))
  readonly env: Record<string, string>
  readonly url: string
  readonly localUrl: string
  #child: ChildProcess | null = null
  #output = ''

  private constructor(ports: { service: number; local: number; apps: number }, env: Record<string, string>) {
    this.url = `http://localhost:${ports.service}`
    this.localUrl = `http://127.0.0.1:${ports.local}`
    this.env = {
      PATH: process.env['PATH'] ?? '',
      // Cache compiled TypeScript: compiling takes a third of the CPU time of a start.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      SLIPWAY_DATA_DIR: this.dataDir,
      SLIPWAY_PORT: String(ports.service),
      SLIPWAY_LOCAL_PORT: String(ports.local),
      SLIPWAY_APPS_PORT: String(ports.apps),
      SLIPWAY_LOCAL_CONTROL: 'on',
      // Skip the phase of a build's check that opens the app's pages, because it takes a second. `check/browser` has separate tests.
      SLIPWAY_SEE_PAGES: 'off',
      SLIPWAY_OUTBOUND_ALLOW: '127.0.0.1',
      SLIPWAY_SESSION_LIMIT_PER_MINUTE: '100000',
      SLIPWAY_KEY_LIMIT_PER_MINUTE: '100000',
      SLIPWAY_ADDRESS_LIMIT_PER_MINUTE: '100000',
      SLIPWAY_LOG_LEVEL: 'warn',
      ...env,
    }
  }

  static async start(env: Record<string, string> = {}): Promise<ServiceProcess> {
    const made = await ServiceProcess.prepare(env)
    await made.restart().catch((error: unknown) => {
      made.abandon()
      throw error
    })
    return made
  }

  /** Reserves ports and an empty data directory for a service that `restart` starts. */
  static async prepare(env: Record<string, string> = {}): Promise<ServiceProcess> {
    const [service = 0, local = 0, apps = 0] = await freePorts(3)
    const made = new ServiceProcess({ service, local, apps }, env)
    runningServices.add(made)
    return made
  }

  /**
   * Starts the process (also the first time), and waits until it and its provider emulators respond. Returns the
   * milliseconds until the service was healthy.
   */
  async restart(): Promise<number> {
    const began = performance.now()
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd: ROOT,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
    const waitUntil = async (isThere: () => Promise<boolean>) => {
      while (!(await isThere())) {
        if (child.exitCode !== null) throw new Error(`the service ended at its start:\n${this.#output}`)
        if (performance.now() - began > READY_MS_MAX)
          throw new Error(`the service is not ready:\n${this.#output}`)
        await sleep(20)
      }
    }
    await waitUntil(() => this.isHealthy())
    const tookMs = performance.now() - began
    await waitUntil(() => this.hasWorld())
    return tookMs
  }

  isHealthy(): Promise<boolean> {
    return isOk(`${this.url}/health`)
  }

  /** Returns whether the provider emulators run. The service starts without waiting for them; until they run, calls to providers fail. */
  hasWorld(): Promise<boolean> {
    return this.env['SLIPWAY_LOCAL_WORLD'] === 'off'
      ? Promise.resolve(true)
      : isOk(`${this.localUrl}/model/v1/models`)
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get databaseUrl(): string {
    const place = join(this.dataDir, 'postgres/connection.json')
    return (JSON.parse(readFileSync(place, 'utf8')) as { url: string }).url
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.databaseUrl })
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  /**
   * Sets, reads or removes the faults of the local provider emulators (local/faults/faults.ts). Throws when the emulators refuse the
   * request.
   */
  async controlFaults(
    method: 'GET' | 'POST' | 'DELETE',
    rule?: z.input<typeof FaultRule>,
  ): Promise<{ faults: { hits: number }[] }> {
    const token = readFileSync(join(this.dataDir, 'local', 'control.token'), 'utf8').trim()
    const answer = await fetch(`${this.localUrl}/_control/faults`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(rule !== undefined && { body: JSON.stringify(rule) }),
    })
    if (!answer.ok) throw new Error(`the faults answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { faults: { hits: number }[] }
  }

  get output(): string {
    return this.#output
  }

  /** Sends SIGKILL, as in a loss of power. Resolves when the process has ended. */
  async kill(): Promise<void> {
    await this.#endProcess('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#endProcess('SIGTERM')
  }

  async #endProcess(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  /** Stops the service, kills the processes that it did not stop itself, and deletes the data. */
  async dispose(): Promise<void> {
    await this.stop()
    // A service that was killed leaves its Postgres running. SIGQUIT ends Postgres within milliseconds and, unlike SIGKILL, lets it free
    // its shared memory.
    for (const { pid } of this.#databaseProcesses()) killQuietly(pid, 'SIGQUIT')
    for (let tries = 0; tries < 100 && this.#databaseProcesses().length > 0; tries++) await sleep(20)
    this.abandon()
  }

  #databaseProcesses() {
    return this.processes().filter(({ command }) => command.includes('postgres -D'))
  }

  /** Kills all processes at once and deletes the data, because an `exit` handler cannot wait for the service to stop. */
  abandon(): void {
    runningServices.delete(this)
    for (const { pid } of this.processes()) killQuietly(pid, 'SIGKILL')
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  /**
   * Returns the running processes of this data directory: Postgres, the provider emulators, and the workerd
   * processes of apps.
   */
  processes(): { pid: number; command: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map((name) => ({ pid: Number(name), command: commandOf(name), environment: environmentOf(name) }))
      .filter(
        ({ command, environment }) => command.includes(this.dataDir) || environment.includes(this.dataDir),
      )
      .map(({ pid, command }) => ({ pid, command }))
  }
}

const isOk = (url: string) =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  )

const commandOf = (pid: string) => readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
const environmentOf = (pid: string) => readProc(`/proc/${pid}/environ`)

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function killQuietly(pid: number, signal: 'SIGQUIT' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended already.
  }
}
