import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppGroup } from './app-group.ts'
import { closeConnections } from '../workerd/worker-socket.ts'

interface WorkerRequest {
  method: string
  path: string
  body: string
}

/**
 * Groups of workers without workerd: one HTTP server on a Unix socket responds for all workers. Set `answer` to the function that returns
 * each response; null breaks the connection, as when the process ends.
 */
export async function openWorkerGroups() {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-groups-'))
  const socket = join(dir, 'worker.sock')
  const requests: WorkerRequest[] = []
  const groups = new Map<string, TestGroup>()
  const world = {
    dir,
    requests,
    /** The method calls of all groups, in order, such as `one enter _data`. */
    calls: [] as string[],
    answer: (_request: WorkerRequest): Response | null => Response.json({}),
    group: (id: string): TestGroup => {
      const group = groups.get(id) ?? new TestGroup(id, socket, world.calls)
      groups.set(id, group)
      return group
    },
    stateDir: (_accountId: string, groupId: string) => join(dir, groupId),
    /** For code that takes the class `AppGroup`. */
    apps: {
      group: (id: string) => world.group(id) as unknown as AppGroup,
      stateDir: (accountId: string, groupId: string) => world.stateDir(accountId, groupId),
    },
    close: () => {
      closeConnections(dir)
      server.closeAllConnections()
      server.close()
      rmSync(dir, { recursive: true })
    },
  }
  const server: Server = createServer((req, res) => void respond(req, res))
  const respond = async (req: IncomingMessage, res: ServerResponse) => {
    const body = Buffer.concat(await req.toArray()).toString()
    const request = { method: req.method ?? '', path: req.url ?? '', body }
    requests.push(request)
    const answer = world.answer(request)
    if (answer === null) return void res.destroy()
    res
      .writeHead(answer.status, Object.fromEntries(answer.headers))
      .end(Buffer.from(await answer.arrayBuffer()))
  }
  await once(server.listen(socket), 'listening')
  return world
}

/** The methods of an `AppGroup` that callers of its workers use. Each can be replaced in a test. */
class TestGroup {
  readonly id: string
  readonly #socket: string
  readonly #calls: string[]
  /** The number of calls of `enter` without a `leave`. */
  entered = 0
  isWarm = true
  /** The number of open WebSockets and event streams. */
  sockets = 0
  generation = 0
  overruns = 0
  lastOverrun: AppGroup['lastOverrun'] = null
  /** `enter` waits for this promise before counting the call. */
  onEnter = async (): Promise<void> => {}
  /** `socket` waits for this promise before returning the socket's path. */
  onSocket = async (): Promise<void> => {}

  constructor(id: string, socket: string, calls: string[]) {
    this.id = id
    this.#socket = socket
    this.#calls = calls
  }

  async enter(worker: string): Promise<void> {
    this.#calls.push(`${this.id} enter ${worker}`)
    await this.onEnter()
    this.entered++
  }

  leave(): void {
    this.#calls.push(`${this.id} leave`)
    this.entered--
  }

  async socket(_worker: string): Promise<string> {
    await this.onSocket()
    return this.#socket
  }

  countSocket(change: 1 | -1): void {
    this.sockets += change
  }

  async waitForRespawn(): Promise<void> {
    this.#calls.push(`${this.id} respawned`)
    this.generation++
  }

  async waitForRestart(): Promise<void> {
    this.#calls.push(`${this.id} restarted`)
  }

  async runWhileStopped<T>(work: () => Promise<T>): Promise<T> {
    this.#calls.push(`${this.id} stopped`)
    try {
      return await work()
    } finally {
      this.#calls.push(`${this.id} continued`)
    }
  }
}
