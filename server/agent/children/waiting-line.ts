/**
 * A fair queue: one queue per owner, served in turn, each in its own order, so that an owner with a hundred requests
 * delays another owner's first request by one turn only.
 */
export class WaitingLine<T> {
  readonly #lines = new Map<string, Set<(given: T) => void>>()

  /** Resolves when it is served; rejects with the signal's reason when that comes first. */
  wait(owner: string, signal: AbortSignal | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const line = this.#lines.get(owner) ?? new Set()
    this.#lines.set(owner, line)
    const leave = () => {
      line.delete(serve)
      if (line.size === 0) this.#drop(owner, line)
      reject(signal?.reason)
    }
    const serve = (given: T) => {
      signal?.removeEventListener('abort', leave)
      resolve(given)
    }
    line.add(serve)
    signal?.addEventListener('abort', leave, { once: true })
    return promise
  }

  /** Serves the next waiter. Returns false when none waits. */
  serve(given: T): boolean {
    const [next] = this.#lines
    if (next === undefined) return false
    const [owner, line] = next
    const [serve] = line
    this.#lines.delete(owner)
    if (serve === undefined) return this.serve(given)
    line.delete(serve)
    if (line.size > 0) this.#lines.set(owner, line)
    serve(given)
    return true
  }

  #drop(owner: string, line: Set<unknown>): void {
    if (this.#lines.get(owner) === line) this.#lines.delete(owner)
  }
}
