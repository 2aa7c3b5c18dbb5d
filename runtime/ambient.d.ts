// Types for the part of the Workers runtime that the platform code uses. The code that is written for one app has no access to bindings.
declare module '*.css'

declare module 'cloudflare:workers' {
  interface SqlCursor<Row> {
    toArray(): Row[]
    /** Returns each row as an array in column order, at half the cost of rows as objects. */
    raw(): { toArray(): unknown[][] }
    readonly rowsWritten: number
  }
  /** Synchronous storage: several calls can run in one transaction. */
  export interface SyncStorage {
    /** `Row` is the type of the selected rows, which is not checked. Without it, their columns cannot be read. */
    sql: { exec<Row = unknown>(query: string, ...bindings: unknown[]): SqlCursor<Row> }
    transactionSync<T>(work: () => T): T
  }
  export interface ObjectStorage extends SyncStorage {
    setAlarm(at: number): Promise<void>
    deleteAll(): Promise<void>
  }
  export interface ServerSocket extends WebSocket {
    serializeAttachment(value: unknown): void
    deserializeAttachment(): unknown
  }
  export interface ObjectState {
    /** The object's name. It is also set when an alarm starts the object. */
    id: { name?: string }
    waitUntil(work: Promise<unknown>): void
    storage: ObjectStorage
    acceptWebSocket(socket: WebSocket, tags?: string[]): void
    getWebSockets(tag?: string): ServerSocket[]
    setWebSocketAutoResponse(pair?: WebSocketRequestResponsePair): void
    blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>
  }
  export interface ObjectNamespace<Stub> {
    getByName(name: string): Stub
  }
  export class DurableObject<Env = unknown> {
    protected ctx: ObjectState
    protected env: Env
    constructor(ctx: ObjectState, env: Env)
  }
  export class WorkerEntrypoint<Env = unknown> {
    protected env: Env
    constructor(ctx: unknown, env: Env)
  }
  export interface WorkflowEvent<Params> {
    payload: Params
  }
  /** The steps of a workflow. Times are in milliseconds. */
  export interface WorkflowStep {
    do(
      name: string,
      config: {
        retries: { limit: number; delay: number; backoff: 'exponential' }
        timeout: number
      },
      work: () => Promise<unknown>,
    ): Promise<unknown>
    sleep(name: string, ms: number): Promise<void>
    waitForEvent(name: string, of: { type: string; timeout: number }): Promise<{ payload: unknown }>
  }
  export class WorkflowEntrypoint<Env = unknown> {
    protected env: Env
    constructor(ctx: unknown, env: Env)
  }
  export const env: Record<string, unknown>
  /** Keeps the current request alive until `work` settles, even after its response. */
  export function waitUntil(work: Promise<unknown>): void
}

/** A stream of known length, the only kind of stream that an R2 bucket accepts. */
declare class FixedLengthStream {
  constructor(sizeBytes: number)
  readonly readable: ReadableStream
  readonly writable: WritableStream
}

declare class WebSocketPair {
  readonly 0: WebSocket
  readonly 1: WebSocket
}
declare class WebSocketRequestResponsePair {
  constructor(request: string, response: string)
  getRequest(): string
}
interface ResponseInit {
  webSocket?: WebSocket | null
}
interface Response {
  readonly webSocket?: WebSocket | null
}
