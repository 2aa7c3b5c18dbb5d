import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { serialize } from 'node:v8'
import type { ObjectStorage, ServerSocket } from 'cloudflare:workers'
import type { Actor } from '../../kernel/access/actor.ts'
import type { OperatorBinding } from '../../kernel/objects/admin.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { AppObjectStub, Objects, Tier } from '../../kernel/objects/objects.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../../kernel/objects/workerd.test.fixture.ts'

export const importObjects = () =>
  importInWorkerd(async () => {
    const [{ AppObject }, tiers, { Operator }, { erasePerson }, { default: admin }, { AppFlow: PausedFlow }] =
      await Promise.all([
        import('../../workers/live/object.ts'),
        import('../../workers/live/tiers.ts'),
        import('../../workers/live/operator.ts'),
        import('../../workers/live/erase.ts'),
        import('../../workers/admin/worker.ts'),
        import('../../flow/paused.ts'),
        // The code under test loads these on first use, when `cloudflare:workers` is no longer replaced, so load them now.
        import('../../workers/live/lazy-parts.ts'),
        import('../../workers/live/rpc.ts'),
      ])
    return { AppObject, Operator, PausedFlow, admin, erasePerson, ...tiers }
  })

export type ObjectModules = Awaited<ReturnType<typeof importObjects>>

export const NOW = Date.parse('2026-11-20T10:30:00Z')
/** The maximum number of bytes that a Durable Object can store with a socket. */
const ATTACHMENT_BYTES_MAX = 2048

/** The server's end of a socket. */
export class TestSocket {
  readyState: number = WebSocket.OPEN
  readonly frames: Record<string, unknown>[] = []
  closed: { code: number; reason: string } | null = null
  tags: string[] = []
  #attachment: unknown = null

  send(text: string): void {
    if (this.readyState !== WebSocket.OPEN) throw new TypeError('The socket is closing.')
    this.frames.push(JSON.parse(text) as Record<string, unknown>)
  }

  close(code = 1000, reason = ''): void {
    if (code < 1000 || code > 4999 || [1004, 1005, 1006, 1015].includes(code))
      throw new TypeError(`Invalid WebSocket close code: ${code}.`)
    if (this.readyState !== WebSocket.OPEN) return
    this.readyState = WebSocket.CLOSING
    this.closed = { code, reason }
  }

  serializeAttachment(value: unknown): void {
    if (serialize(value).length > ATTACHMENT_BYTES_MAX) throw new Error('The attachment is too large.')
    this.#attachment = structuredClone(value)
  }

  deserializeAttachment(): unknown {
    return structuredClone(this.#attachment)
  }

  /** Removes and returns the frames of one type. */
  take(type: string): Record<string, unknown>[] {
    const taken = this.frames.filter((frame) => frame['type'] === type)
    this.frames.splice(0, Infinity, ...this.frames.filter((frame) => frame['type'] !== type))
    return taken
  }
}

const NodeResponse = Response

/** A response that may have status 101, which the constructor of Node's `Response` rejects. */
class PlatformResponse extends Response {
  readonly socket: TestSocket | undefined

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    const { webSocket, ...rest } = init
    super(body, rest.status === 101 ? { ...rest, status: 200 } : rest)
    this.socket = webSocket as unknown as TestSocket | undefined
    if (rest.status === 101) Object.defineProperty(this, 'status', { value: 101 })
  }
}

type Instance = InstanceType<ObjectModules['AppObject']>
type Methods = Record<string, (...given: unknown[]) => unknown>

interface HostedObject {
  storage: ObjectStorage
  sockets: TestSocket[]
  alarmAt: number | null
  instance: Instance | null
  /** How many instances of this object were ended. An ended instance can use neither the storage nor the sockets. */
  starts: number
  /** The promise of `blockConcurrencyWhile`. Calls to the object wait until it settles. */
  gate: Promise<unknown>
}

/** Returns the list to which every error that the code under test logs is added. Call it after `ObjectWorld.install`. */
export function recordErrors(): { message: string; route: string }[] {
  const logged: { message: string; route: string }[] = []
  mock.method(console, 'error', (line: string) => {
    const { message, route } = JSON.parse(line) as { message: string; route: string }
    logged.push({ message, route })
  })
  return logged
}

/** The Durable Objects of an app and the entrypoints that call them, in one process and on simulated time. */
export class ObjectWorld {
  readonly env: Record<string, unknown>
  readonly calls: { object: string; method: string; kind: unknown }[] = []
  /** Called before each call between objects. May throw, or return a promise that the call waits for. */
  before: (object: string, method: string, kind: unknown) => unknown = () => {}
  readonly #modules: ObjectModules
  readonly #hosted = new Map<string, HostedObject>()
  #pending = 0

  constructor(modules: ObjectModules, env: Record<string, unknown> = {}) {
    this.#modules = modules
    const objects = { getByName: (name: string) => this.stub(name) } as Objects
    this.env = { ...env, OBJECTS: objects }
  }

  /** Replaces the clock and the classes that only workerd has, until `mock.reset()`. */
  static install(): void {
    ObjectWorld.uninstall()
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: NOW })
    class WebSocketPair {
      /** The two ends are the same socket, so a test can get the server's end from the response. */
      readonly 0 = new TestSocket()
      readonly 1 = this[0]
    }
    Object.assign(globalThis, { WebSocketPair, WebSocketRequestResponsePair: Object })
    globalThis.Response = PlatformResponse
    mock.method(console, 'error', () => {})
  }

  static uninstall(): void {
    mock.timers.reset()
    mock.restoreAll()
    globalThis.Response = NodeResponse
    for (const name of ['WebSocketPair', 'WebSocketRequestResponsePair'])
      Reflect.deleteProperty(globalThis, name)
  }

  /** The names of the objects that were ever called. */
  get names(): string[] {
    return [...this.#hosted.keys()].toSorted()
  }

  tablesOf(name: string): string[] {
    const sql = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
    const rows = this.#host(name).storage.sql.exec<{ name: string }>(sql).toArray()
    return rows.map((row) => row.name).toSorted()
  }

  rowsOf(name: string, sql: string): Record<string, unknown>[] {
    return this.#host(name).storage.sql.exec<Record<string, unknown>>(sql).toArray()
  }

  alarmOf(name: string): number | null {
    return this.#host(name).alarmAt
  }

  stub(name: string): AppObjectStub {
    const call = async (method: string, given: unknown[]) => {
      this.#pending++
      try {
        this.calls.push({ object: name, method, kind: given[0] })
        await this.before(name, method, given[0])
        if (method === 'fetch') return await this.#call(name, (it) => it.fetch(given[0] as Request))
        const copy = structuredClone(given)
        const result = this.#call(name, (it) => (it as unknown as Methods)[method]?.(...copy))
        return structuredClone(await result)
      } finally {
        this.#pending--
      }
    }
    return new Proxy({} as AppObjectStub, {
      get: (_, method) =>
        method === 'then' ? undefined : (...given: unknown[]) => call(String(method), given),
    })
  }

  tier(tier: Tier = 'production') {
    const Entrypoint = tier === 'preview' ? this.#modules.Preview : this.#modules.Production
    return new Entrypoint(null, this.env as never)
  }

  /** Returns the entrypoint of the live worker that the admin worker calls. */
  operator(): OperatorBinding {
    return new this.#modules.Operator(null, this.env as never) as unknown as OperatorBinding
  }

  /** Ends an object's instance and drops its unfinished work. Its storage and its open sockets stay for the next instance. */
  restart(name: string): void {
    const host = this.#host(name)
    host.instance = null
    host.starts++
  }

  /** Prepares a release in the app's partition and in the directory, and makes it the live release. */
  async release(hash: string, manifest: Manifest, tier: Tier = 'production'): Promise<void> {
    await this.run(this.tier(tier).prepare(hash, manifest))
    await this.run(this.stub(tier === 'preview' ? 'pv:dir' : 'dir').dirActivate(hash))
  }

  /** Creates an account and returns its session. */
  async person(
    userId: string,
    { role = 'member', tier = 'production' }: PersonOptions = {},
  ): Promise<string> {
    const prefix = tier === 'preview' ? 'pv:' : ''
    const user = {
      email: `${userId}@example.test`,
      emailVerified: true,
      name: 'A person',
      role,
      createdAt: new Date(NOW).toISOString(),
    }
    await this.run(this.stub(`${prefix}dir`).users('reserve', { id: userId, ...user }))
    await this.run(this.stub(`${prefix}dir`).users('activate', { id: userId }))
    const own = this.stub(`${prefix}data:${userId}`)
    await this.run(own.account('create', { ...user, password: null }))
    const { sessionId, secret } = await this.run(own.account('open', { device: 'desk', days: 300 }))
    return `${userId}.${sessionId}.${secret}`
  }

  /** Opens a socket to a Durable Object, as the live worker does. */
  async socket(
    name: string,
    path: string,
    actor: Actor,
    headers: Record<string, string> = {},
  ): Promise<TestSocket> {
    const all = { upgrade: 'websocket', 'slipway-actor': JSON.stringify(actor), ...headers }
    const response = await this.run(
      this.stub(name).fetch(new Request(`https://app.example.test${path}`, { headers: all })),
    )
    const { socket } = response as PlatformResponse
    assert.ok(socket, `${response.status} ${await response.text()}`)
    return socket
  }

  /** Delivers a frame of a page to a Durable Object. */
  async deliver(name: string, socket: TestSocket, frame: unknown): Promise<void> {
    const text = typeof frame === 'string' || frame instanceof ArrayBuffer ? frame : JSON.stringify(frame)
    await this.#call(name, (it) => it.webSocketMessage(socket as unknown as ServerSocket, text))
  }

  /** Closes a socket as its page does. The default code 1005 means that the page sent no code. */
  async leave(name: string, socket: TestSocket, code = 1005): Promise<void> {
    socket.readyState = WebSocket.CLOSING
    const host = this.#host(name)
    host.sockets = host.sockets.filter((one) => one !== socket)
    await this.#call(name, (it) => it.webSocketClose(socket as unknown as ServerSocket, code))
    socket.readyState = WebSocket.CLOSED
  }

  /** Lets time pass until the alarm of a Durable Object, and runs the alarm. */
  async alarm(name: string): Promise<void> {
    const host = this.#host(name)
    assert.ok(host.alarmAt !== null, `${name} has set no alarm`)
    mock.timers.tick(Math.max(0, host.alarmAt - Date.now()))
    host.alarmAt = null
    await this.run(this.#call(name, (it) => it.alarm()))
  }

  /** Lets simulated time pass until `work` settles. */
  async run<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false }
    const done = async () => {
      await Promise.allSettled([work])
      state.isDone = true
    }
    void done()
    while (!state.isDone) await this.#step()
    return await work
  }

  /** Lets a tenth of a second pass. */
  async pass(): Promise<void> {
    for (let ms = 0; ms < 100; ms++) await this.#step()
  }

  /** Lets a tenth of a second pass, and waits for the calls that are then in progress. */
  async settle(): Promise<void> {
    await this.pass()
    while (this.#pending > 0) await this.#step()
  }

  /** Calls an instance once no `blockConcurrencyWhile` is running. */
  async #call<T>(name: string, work: (instance: Instance) => T): Promise<Awaited<T>> {
    const host = this.#host(name)
    for (let gate: unknown = null; gate !== host.gate;) await (gate = host.gate)
    return await work(this.#instance(name))
  }

  async #step(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    mock.timers.tick(1)
  }

  #instance(name: string): Instance {
    const host = this.#host(name)
    host.instance ??= new this.#modules.AppObject(this.#contextOf(name, host) as never, this.env as never)
    return host.instance
  }

  #contextOf(name: string, host: HostedObject) {
    const { starts, storage } = host
    const isEnded = () => host.starts !== starts
    const exec: ObjectStorage['sql']['exec'] = (...given) => {
      if (isEnded()) throw new Error('The instance has ended.')
      return storage.sql.exec(...given)
    }
    return {
      id: { name },
      storage: { ...storage, sql: { exec } },
      waitUntil: async (work: Promise<unknown>) => {
        this.#pending++
        await Promise.allSettled([work])
        this.#pending--
      },
      acceptWebSocket: (socket: TestSocket, tags: string[] = []) => {
        socket.tags = tags
        host.sockets.push(socket)
      },
      getWebSockets: (tag?: string) =>
        host.sockets.filter(({ tags }) => !isEnded() && (tag === undefined || tags.includes(tag))),
      setWebSocketAutoResponse: () => {},
      blockConcurrencyWhile: (work: () => Promise<unknown>) => {
        const blocked = work()
        host.gate = blocked.catch(() => {})
        return blocked
      },
    }
  }

  #host(name: string): HostedObject {
    const known = this.#hosted.get(name)
    if (known !== undefined) return known
    const { sql, transactionSync } = memoryStorage()
    const host: HostedObject = {
      storage: {
        sql,
        transactionSync,
        setAlarm: async (at) => {
          host.alarmAt = at
        },
        deleteAll: async () => {
          const select = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
            order by sql not like 'create virtual%'`
          for (const row of sql.exec<{ name: string }>(select).toArray())
            sql.exec(`drop table if exists "${row.name}"`)
        },
      },
      sockets: [],
      alarmAt: null,
      instance: null,
      starts: 0,
      gate: Promise.resolve(),
    }
    this.#hosted.set(name, host)
    return host
  }
}

interface PersonOptions {
  role?: 'member' | 'staff'
  tier?: Tier
}

/** Returns the id of a test person, team or record: the letter 26 times. */
export const userId = (letter: string): string => `u_${letter.repeat(26)}`
export const teamId = (letter: string): string => `t_${letter.repeat(26)}`
