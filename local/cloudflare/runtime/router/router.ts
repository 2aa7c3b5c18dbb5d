import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Log } from '../../../world/log.ts'
import type { Store } from '../../../world/store.ts'
import type { Telemetry } from '../../observability/telemetry/telemetry.ts'
import type { AppGroup, Overrun } from '../app-group.ts'
import type { Apps } from '../apps.ts'
import { findScriptByCustomHost } from '../../products/domains/store.ts'
import { trustedPeers } from './headers.ts'
import { forwardRequest, forwardUpgrade, WorkerUnreachableError } from './proxy.ts'
import { isReservedPath } from './reserved-path.ts'
import { findScriptByHost, readActiveVersion } from '../../store/scripts.ts'
import { observationOf } from '../../observability/tail/observation.ts'
import type { TailSessions } from '../../observability/tail/sessions.ts'
import type { Script } from '../../types.ts'
import { AppUnavailableError, WaitRefusedError } from '../../workerd/groups.ts'

interface RouterOptions {
  store: Store
  apps: Apps
  telemetry: Telemetry
  tails: TailSessions
  trustedProxies: string[]
  log: Log
  /** Epoch milliseconds. */
  now(): number
}

const HOSTS_MAX = 10_000

/** Serves every deployed worker by Host: a custom host name or `<worker>.<account>.localhost`. */
export function createRouter(options: RouterOptions): Server {
  const isTrusted = trustedPeers(options.trustedProxies)
  const findApp = (req: IncomingMessage) => findByHost(options, req.headers.host ?? '')

  const server = createServer((req, res) => {
    if (isReservedPath(req.url ?? '/')) return respondReserved(req, res)
    const script = findApp(req)
    if (script === null) return respondUnknown(res)
    countWhenDone(options.telemetry, script, res)
    const group = options.apps.group(script.groupId, script.accountId)
    void serveRequest(group, script, req, res, isTrusted).catch((error: unknown) => {
      if (error instanceof OverrunError) reportOverrun(options, script, req, error.overrun)
      respondFailure(res, error, options.log)
    })
  })
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const script = isReservedPath(req.url ?? '/') ? null : findApp(req)
    if (script === null) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const group = options.apps.group(script.groupId, script.accountId)
    options.telemetry.countRequest(script.accountId, script.name, Date.now(), 0)
    void upgradeSocket(group, script, { req, socket, head }, isTrusted)
  })
  return server
}

/** Counts a request when its response has ended, because the duration is known only then. */
function countWhenDone(telemetry: Telemetry, { accountId, name }: Script, res: ServerResponse): void {
  const [at, startedAt] = [Date.now(), performance.now()]
  res.once('close', () => telemetry.countRequest(accountId, name, at, performance.now() - startedAt))
}

/** Whether a request waits for the group, runs in it, or only streams its response, which counts as a socket. */
type RequestPhase = 'waiting' | 'running' | 'streaming'

async function serveRequest(
  group: AppGroup,
  script: Script,
  req: IncomingMessage,
  res: ServerResponse,
  isTrusted: (address: string) => boolean,
): Promise<void> {
  const isRepeatable = (req.method === 'GET' || req.method === 'HEAD') && !hasBody(req)
  let phase: RequestPhase = 'waiting'
  const becomeStream = () => {
    if (phase !== 'running') return
    phase = 'streaming'
    group.countSocket(1)
    group.leave()
  }
  try {
    for (let attempt = 0; ; attempt++) {
      await group.enter(script.name)
      phase = 'running'
      // The caller may have disconnected during the wait.
      if (res.closed) return
      const { overruns } = group
      const sentAt = performance.now()
      try {
        const socket = await group.socket(script.name, pathnameOf(req))
        const { generation } = group
        return await forwardRequest(req, res, { socket, generation, isTrusted, onStream: becomeStream })
      } catch (error) {
        const isWorthIt =
          error instanceof WorkerUnreachableError && isRepeatable && attempt < retriesOf(error)
        const overrun = group.overruns === overruns ? null : group.lastOverrun
        if (overrun !== null && !(isWorthIt && sentAt > overrun.causedBefore)) throw new OverrunError(overrun)
        if (!isWorthIt || res.headersSent || res.closed) throw error
        // Call `leave` first: the restart waits for all running requests, and this request waits for the restart.
        phase = 'waiting'
        group.leave()
        await group.waitForRespawn()
      }
    }
  } finally {
    releaseGroup(group, phase)
  }
}

/**
 * Thrown when the process was killed for its CPU time or memory during the request. The request may be the
 * cause, so it is not retried.
 */
class OverrunError extends AppUnavailableError {
  readonly overrun: Overrun
  constructor(overrun: Overrun) {
    super(overrun.reason, 1)
    this.overrun = overrun
  }
}

const OVERRUN_MESSAGES: Record<Overrun['outcome'], string> = {
  exceededCpu: 'Worker exceeded CPU time limit.',
  exceededMemory: 'Worker exceeded memory limit.',
}

/** Writes to the app's logs that the process exceeded CPU time or memory, because the killed process cannot write that itself. */
function reportOverrun(
  { store, tails }: RouterOptions,
  script: Script,
  { method = 'GET', url = '/', headers: { host = '' } }: IncomingMessage,
  { outcome }: Overrun,
): void {
  const content = readActiveVersion(store, script.id)?.content
  const isObserved = content !== undefined && observationOf(script, content) !== 'nothing'
  const timestamp = Date.now()
  const item = {
    outcome,
    truncated: false,
    executionModel: 'stateless',
    eventTimestamp: timestamp,
    event: { request: { url: `http://${host}${url}`, method, headers: {} } },
    logs: [],
    exceptions: [{ name: 'Error', message: OVERRUN_MESSAGES[outcome], timestamp }],
  }
  tails.receive(script.accountId, [{ script: script.name, isObserved, item }])
}

function releaseGroup(group: AppGroup, phase: RequestPhase): void {
  if (phase === 'running') group.leave()
  if (phase === 'streaming') group.countSocket(-1)
}

/** Returns the number of retries: one when the request reached the process, else three. */
function retriesOf(error: WorkerUnreachableError): number {
  return error.wasSent ? 1 : 3
}

/** Returns the path as the asset router parses it. A malformed path becomes empty, so the asset router handles the request. */
function pathnameOf({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? (URL.parse(`http://app${url}`)?.pathname ?? '') : ''
}

function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}

async function upgradeSocket(
  group: AppGroup,
  script: Script,
  peer: { req: IncomingMessage; socket: Duplex; head: Buffer },
  isTrusted: (address: string) => boolean,
): Promise<void> {
  peer.socket.on('error', () => peer.socket.destroy())
  try {
    await group.enter(script.name)
    // Calls `leave` while the WebSocket is still open, so that a restart does not wait for it.
    const upstream = await group.socket(script.name, pathnameOf(peer.req)).finally(() => group.leave())
    if (peer.socket.destroyed) return
    group.countSocket(1)
    peer.socket.once('close', () => group.countSocket(-1))
    forwardUpgrade(peer, { socket: upstream, isTrusted })
  } catch {
    peer.socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n')
  }
}

function findByHost(options: RouterOptions, hostHeader: string): Script | null {
  const host = hostHeader.replace(/:\d+$/, '').toLowerCase()
  const known = options.apps.hosts.get(host)
  if (known !== undefined) return known
  const script = findScriptByCustomHost(options.store, host, options.now()) ?? findOnSubdomain(options, host)
  // Clients can send any Host, so the cache is bounded.
  if (options.apps.hosts.size >= HOSTS_MAX) options.apps.hosts.clear()
  options.apps.hosts.set(host, script)
  return script
}

function findOnSubdomain({ store }: RouterOptions, host: string): Script | null {
  const match = /^([^.]+)\.([^.]+)\.localhost$/.exec(host)
  return match === null ? null : findScriptByHost(store, match[1] ?? '', match[2] ?? '')
}

function respondReserved(req: IncomingMessage, res: ServerResponse): void {
  if (req.url !== '/cdn-cgi/trace') {
    respondText(res, 404, 'Not found.')
    return
  }
  const address = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const agent = req.headers['user-agent'] ?? ''
  respondText(
    res,
    200,
    `h=${req.headers.host}\nip=${address}\nts=${Date.now() / 1000}\nuag=${agent}\ncolo=LOC\n`,
  )
}

function respondUnknown(res: ServerResponse): void {
  respondText(res, 404, 'There is no app at this address.\n')
}

function respondFailure(res: ServerResponse, error: unknown, log: Log): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (error instanceof AppUnavailableError || error instanceof WaitRefusedError) {
    const seconds = error instanceof AppUnavailableError ? error.retryAfterSeconds : 1
    res.setHeader('Retry-After', String(seconds))
    respondText(res, 503, `The app is not available: ${error.message}.\n`)
    return
  }
  if (!(error instanceof WorkerUnreachableError))
    log.warn('a request to an app failed', { error: String(error) })
  respondText(
    res,
    error instanceof WorkerUnreachableError && error.status !== null ? error.status : 502,
    'The app did not respond.\n',
  )
}

function respondText(res: ServerResponse, status: number, text: string): void {
  res
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(text)
}
