import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The local emulators of all providers (`local/`), in a separate process with free ports and a temporary folder. */
export interface TestWorld {
  dir: string
  pid: number
  restUrl: string
  appsPort: number
  account: { id: string; subdomain: string; token: string }
  /** Starts the process again with the same data, after `kill` or `stop`. */
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../../local/main.ts', import.meta.url))

export async function startTestWorld(settings: Record<string, string> = {}): Promise<TestWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-world-'))
  let child: ChildProcess | null = null
  const world: TestWorld = {
    dir,
    pid: 0,
    restUrl: '',
    appsPort: 0,
    account: { id: '', subdomain: '', token: '' },
    start: async () => {
      const started = spawn(process.execPath, [MAIN], {
        env: {
          PATH: process.env['PATH'],
          // Cache compiled TypeScript, as the service does.
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          SLIPWAY_DATA_DIR: dir,
          SLIPWAY_LOCAL_PORT: '0',
          SLIPWAY_APPS_PORT: '0',
          SLIPWAY_LOCAL_CONTROL: 'on',
          ...settings,
        },
        stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
      })
      child = started
      const ready = await new Promise<{ restUrl: string; appsPort: number }>((resolve, reject) => {
        started.once('message', (message) => resolve(message as { restUrl: string; appsPort: number }))
        started.once('exit', (code) => reject(new Error(`the local world ended with ${code}`)))
      })
      Object.assign(world, { pid: started.pid, restUrl: ready.restUrl, appsPort: ready.appsPort })
    },
    kill: () => endProcess(child, 'SIGKILL'),
    stop: () => endProcess(child, 'SIGTERM'),
    remove: async () => {
      await endProcess(child, 'SIGTERM')
      rmSync(dir, { recursive: true, force: true })
    },
  }
  await world.start()
  world.account = await createAccount(world)
  return world
}

function endProcess(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

async function createAccount(world: TestWorld): Promise<TestWorld['account']> {
  const answer = await control(world, 'POST', '/accounts', { name: 'Acme' })
  const { account, token } = answer as { account: { id: string; subdomain: string }; token: string }
  return { id: account.id, subdomain: account.subdomain, token }
}

export async function control(
  world: TestWorld,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const token = readFileSync(join(world.dir, 'local', 'control.token'), 'utf8')
  const response = await fetch(`${world.restUrl}/_control${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.json()
}

/**
 * Returns how many app processes the local cloud has started. Counting running processes would miss one that ran
 * briefly.
 */
export async function countAppStarts(world: TestWorld): Promise<number> {
  return ((await control(world, 'GET', '/ready')) as { starts: number }).starts
}

/** Products that the local cloud deliberately lacks: a call to one returns 404. */
const LEFT_OUT = [/\/time_travel\//, /\/event_notifications\//, /\/workers\/dispatch\/namespaces/]

/**
 * Returns the calls for which the local cloud has no route. Throws when its journal has fewer than `fewest`
 * calls, because then the calls of the test were not recorded.
 */
export async function missingRoutes(world: TestWorld, fewest: number): Promise<string[]> {
  const { entries } = (await control(world, 'GET', '/journal')) as {
    entries: { unimplemented: boolean; method: string; path: string }[]
  }
  assert.ok(entries.length >= fewest, `the journal holds ${entries.length} calls`)
  return entries
    .filter(({ unimplemented, path }) => unimplemented && !LEFT_OUT.some((one) => one.test(path)))
    .map(({ method, path }) => `${method} ${path}`)
}

export interface ApiResponse {
  status: number
  success: boolean
  errors: { code: number; message: string }[]
  result: unknown
}

export async function api(
  world: TestWorld,
  method: string,
  path: string,
  body?: object,
): Promise<ApiResponse> {
  const response = await fetch(`${world.restUrl}/cloudflare/client/v4/accounts/${world.account.id}${path}`, {
    method,
    headers: { authorization: `Bearer ${world.account.token}` },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  return { status: response.status, ...((await response.json()) as Omit<ApiResponse, 'status'>) }
}

export function workerUpload(source: string, metadata: object = {}): FormData {
  const form = new FormData()
  const all = { main_module: 'index.js', compatibility_date: '2026-06-01', ...metadata }
  form.set('metadata', JSON.stringify(all))
  form.set('index.js', new File([source], 'index.js', { type: 'application/javascript+module' }))
  return form
}

export async function deployWorker(world: TestWorld, name: string, form: FormData): Promise<ApiResponse> {
  const answer = await api(world, 'PUT', `/workers/scripts/${name}`, form)
  if (answer.success) await api(world, 'POST', `/workers/scripts/${name}/subdomain`, { enabled: true })
  return answer
}

/**
 * Sends a request to an app with the app's Host header, because `fetch` does not resolve `*.localhost`. Sends a POST if there is a body.
 */
export function askApp(
  world: Pick<TestWorld, 'account' | 'appsPort'>,
  worker: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<{ status: number; text: string; cookie: string }> {
  const host = `${worker}.${world.account.subdomain}.localhost:${world.appsPort}`
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const asked = request(
      { port: world.appsPort, host: '127.0.0.1', method, path, headers: { ...headers, host } },
      (res) => {
        let text = ''
        res.setEncoding('utf8')
        res.on('data', (chunk: string) => (text += chunk))
        const cookie = res.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text, cookie }))
        res.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export function workerdOf(world: TestWorld): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        return environment.includes(`SLIPWAY_RUN_FILE=${world.dir}/`)
      } catch {
        return false
      }
    })
    .map(Number)
}
