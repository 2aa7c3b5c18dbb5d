/** A group of workers, which one workerd process serves. The class `AppGroup` has the process. */
export interface WorkerGroup {
  /** Counts a request to a worker. Throws `WaitRefusedError`. */
  enter(worker: string): Promise<void>
  leave(): void
  /** Returns the Unix socket of a worker, and starts the process when it is stopped. Throws `AppUnavailableError`. */
  socket(worker: string): Promise<string>
  /** Resolves when no restart is in progress. */
  waitForRestart(): Promise<void>
  runWhileStopped<T>(work: () => Promise<T>): Promise<T>
}

/** The part of the class `Apps` that products use. Products must not import `Apps`, which depends on them. */
export interface GroupFinder {
  group(groupId: string, accountId: string): WorkerGroup
  stateDir(accountId: string, groupId: string): string
}

/** Thrown when the app cannot serve requests at the moment. The router responds with 503 and `Retry-After`. */
export class AppUnavailableError extends Error {
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Thrown when too many requests wait for the restart of a process, or when the request has waited too long. */
export class WaitRefusedError extends Error {}
