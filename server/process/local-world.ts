import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import * as z from 'zod'
import { ConfigError } from '../config.ts'

export interface LocalWorldOptions {
  dataDir: string
  /**
   * The port of the local world, a process that emulates all providers. With 0 the process chooses a free port once and keeps this port
   * after each restart.
   */
  port: number
  appsPort: number
  control: boolean
  timeScale?: number
  baseUrl?: string
  /**
   * How long the service waits for the local world before it starts without it. Applies only when both ports are given. Otherwise the local
   * world chooses the ports, and the service must wait, because it needs the addresses.
   */
  readyMs?: number
  log: Logger
}

/**
 * The local emulators of all providers. They run in a separate process, so that a crash of the emulators has the effect of a provider's
 * outage.
 */
export interface LocalWorld {
  restUrl: string
  appsPort: number
  /**
   * The token for the control routes, with which tests cause faults. Empty when the control routes are disabled or the local world has not
   * started.
   */
  readonly controlToken: string
  stop(): Promise<void>
}

/** Thrown when another program uses the port, because calls for the local world would reach that program. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
}

const READY_MS = 10_000
const CHOSEN_READY_MS = 60_000
/** How long to retry when a port is in use. A local world that is exiting may use the port for a moment longer. */
const PORT_LIMIT_MS = 4000
const STOP_LIMIT_MS = 8000
const RESTART_MS = { first: 500, max: 30_000 }
/** Once the local world has run this long, the pause before the next restart is reset to the shortest. */
const STABLE_AFTER_MS = 60_000
const PING_MS_MAX = 1000

const WorldAddress = z.object({ restUrl: z.string(), appsPort: z.number() })
const Message = z.discriminatedUnion('type', [
  WorldAddress.extend({ type: z.literal('ready') }),
  z.object({ type: z.literal('taken') }),
  z.object({ type: z.literal('misconfigured'), message: z.string() }),
])
type WorldAddress = z.output<typeof WorldAddress>

const LOCAL_MAIN = fileURLToPath(new URL('../../local/main.ts', import.meta.url))

/**
 * Starts the local world, and restarts it whenever it dies. While another service process on the same data directory
 * runs a local world, that local world is used instead. Throws `ConfigError` for an invalid setting of the local world.
 */
export async function startLocalWorld(options: LocalWorldOptions): Promise<LocalWorld> {
  const keeper = new LocalWorldProcess(options)
  const address = await keeper.start()
  return {
    ...address,
    get controlToken() {
      return options.control ? readControlToken(options.dataDir) : ''
    },
    stop: () => keeper.stop(),
  }
}

function readControlToken(dataDir: string): string {
  const path = join(dataDir, 'local', 'control.token')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

class LocalWorldProcess {
  readonly #options: LocalWorldOptions
  #ports: { port: number; appsPort: number }
  #child: ChildProcess | null = null
  #timer: NodeJS.Timeout | null = null
  #restartMs = RESTART_MS.first
  #isStopping = false
  #onAddress: (address: WorldAddress) => void = () => {}
  #onTaken: (reason: string) => void = () => {}
  #onMisconfigured: (problem: string) => void = () => {}

  constructor(options: LocalWorldOptions) {
    this.#options = options
    this.#ports = { port: options.port, appsPort: options.appsPort }
  }

  async start(): Promise<WorldAddress> {
    let limit: NodeJS.Timeout | undefined
    const { port, appsPort } = this.#ports
    const isKnown = port !== 0 && appsPort !== 0
    const readyMs = isKnown ? (this.#options.readyMs ?? READY_MS) : CHOSEN_READY_MS
    const address = new Promise<WorldAddress>((resolve, reject) => {
      this.#onAddress = resolve
      const until = performance.now() + PORT_LIMIT_MS
      this.#onTaken = (reason) => {
        if (performance.now() > until) reject(new PortTakenError(explainPort(reason)))
      }
      this.#onMisconfigured = (problem) => reject(new ConfigError(problem))
      limit = setTimeout(() => {
        // The ports are known, so the service can start. Until the local world runs, calls fail as in a provider's outage.
        if (isKnown) resolve({ restUrl: `http://127.0.0.1:${port}`, appsPort })
        else reject(new Error(`the local world did not start within ${readyMs / 1000} seconds`))
      }, readyMs)
    })
    this.#spawnChild()
    try {
      return await address
    } catch (error) {
      await this.stop()
      throw error
    } finally {
      clearTimeout(limit)
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const child = this.#child
    if (child === null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    // stdin is not closed, because that would end the child at once. SIGTERM lets it finish the requests to apps.
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await gone
    clearTimeout(limit)
  }

  #spawnChild(): void {
    const startedAt = performance.now()
    const child = spawn(process.execPath, [LOCAL_MAIN], {
      env: cleanEnvironment(this.#options, this.#ports),
      // A separate process group, so that Ctrl-C stops only the service, which then stops the local world.
      detached: true,
      // When this process ends, even by a crash, stdin is closed, which ends the child.
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    child.stdin?.on('error', () => {})
    child.on('error', (error) => this.#options.log.error({ err: error }, 'the local world cannot be started'))
    child.on('message', (message) => this.#handleMessage(message))
    if (child.stderr !== null) {
      createInterface({ input: child.stderr }).on('line', (line) => this.#logLine(line))
    }
    child.once('exit', (code, signal) => {
      this.#child = null
      if (this.#isStopping || this.#timer !== null) return
      if (performance.now() - startedAt > STABLE_AFTER_MS) this.#restartMs = RESTART_MS.first
      this.#options.log.warn(
        { code, signal, restartMs: this.#restartMs },
        'the local world ended and is started again',
      )
      this.#timer = setTimeout(() => {
        this.#timer = null
        this.#spawnChild()
      }, this.#restartMs)
      this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MS.max)
    })
  }

  #handleMessage(message: unknown): void {
    const read = Message.safeParse(message)
    if (!read.success) return
    if (read.data.type === 'misconfigured') return this.#onMisconfigured(read.data.message)
    const isOurs = read.data.type === 'ready'
    const address = read.data.type === 'ready' ? read.data : this.#readForeign()
    // The child exited because the local world of another service process held the data directory. That local world has just ended too, so
    // the next child can take the data directory.
    if (address === null) return
    // After a restart the local world uses the same ports, because the service and the URLs of the apps contain them.
    this.#ports = { port: Number(new URL(address.restUrl).port), appsPort: address.appsPort }
    this.#onAddress({ restUrl: address.restUrl, appsPort: address.appsPort })
    if (!isOurs) this.#watchForeign(address)
  }

  #readForeign(): WorldAddress | null {
    const path = join(this.#options.dataDir, 'local', 'world.json')
    return existsSync(path) ? WorldAddress.parse(JSON.parse(readFileSync(path, 'utf8'))) : null
  }

  /** Polls the local world of another process. Starts a local world for this process once the polled one has ended. */
  #watchForeign(address: WorldAddress): void {
    if (this.#isStopping) return
    this.#timer = setTimeout(async () => {
      const isThere = await fetch(address.restUrl, { signal: AbortSignal.timeout(PING_MS_MAX) }).then(
        () => true,
        () => false,
      )
      this.#timer = null
      if (this.#isStopping) return
      if (isThere) this.#watchForeign(address)
      else this.#spawnChild()
    }, PING_MS_MAX).unref()
  }

  #logLine(line: string): void {
    const entry = parseLine(line)
    const { level, message, ...fields } = entry
    const reason = String(fields['reason'] ?? '')
    if (reason.includes('EADDRINUSE')) this.#onTaken(reason)
    if (level === 'info') this.#options.log.info(fields, message)
    else this.#options.log.warn(fields, message)
  }
}

function explainPort(reason: string): string {
  const port = /:(\d+)$/.exec(reason)?.[1] ?? 'of the local world'
  return `Port ${port} is in use by another program. Set SLIPWAY_LOCAL_PORT or SLIPWAY_APPS_PORT to a free one.`
}

const Line = z.looseObject({ level: z.string(), message: z.string() })

function parseLine(line: string): z.output<typeof Line> {
  try {
    return Line.parse(JSON.parse(line))
  } catch {
    return { level: 'warn', message: line }
  }
}

/** Returns the variables that the local world reads. The database address and the keys of the service are not passed on. */
function cleanEnvironment(
  options: LocalWorldOptions,
  ports: { port: number; appsPort: number },
): Record<string, string> {
  const own = process.env
  const ours = ['SLIPWAY_APPS_HOST', 'SLIPWAY_TRUSTED_PROXIES', 'SLIPWAY_CHROMIUM']
  const kept = ['PATH', 'LANG', 'TZ', 'NODE_COMPILE_CACHE', ...ours]
  const passed = Object.entries(own).filter(
    ([name]) => kept.includes(name) || name.startsWith('SLIPWAY_LOCAL_'),
  )
  return {
    ...Object.fromEntries(passed.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    SLIPWAY_DATA_DIR: options.dataDir,
    SLIPWAY_LOCAL_PORT: String(ports.port),
    SLIPWAY_APPS_PORT: String(ports.appsPort),
    SLIPWAY_LOCAL_CONTROL: options.control ? 'on' : 'off',
    ...(options.timeScale === undefined ? {} : { SLIPWAY_LOCAL_TIME_SCALE: String(options.timeScale) }),
    ...(options.baseUrl === undefined ? {} : { SLIPWAY_BASE_URL: options.baseUrl }),
  }
}
