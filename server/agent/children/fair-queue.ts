/**
 * A fair queue: one queue per owner, served in turn, each in its own order. An owner with a hundred requests delays another
 * owner's first request by one turn only.
 */
export class FairQueue<T> {
  readonly #queues = new Map<string, Set<(given: T) => void>>()

  /** Waits in the owner's queue and resolves to what `serve` gives. When `signal` aborts first, leaves the queue and rejects. */
  wait(owner: string, signal: AbortSignal | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const queue = this.#queues.get(owner) ?? new Set()
    this.#queues.set(owner, queue)
    const leave = () => {
      queue.delete(serve)
      if (queue.size === 0) this.#removeQueue(owner, queue)
      reject(signal?.reason)
    }
    const serve = (given: T) => {
      signal?.removeEventListener('abort', leave)
      resolve(given)
    }
    queue.add(serve)
    signal?.addEventListener('abort', leave, { once: true })
    return promise
  }

  /** Resolves the next waiting call with `given`. Returns false when none waits. */
  serve(given: T): boolean {
    const [next] = this.#queues
    if (next === undefined) return false
    const [owner, queue] = next
    const [serve] = queue
    this.#queues.delete(owner)
    if (serve === undefined) return this.serve(given)
    queue.delete(serve)
    if (queue.size > 0) this.#queues.set(owner, queue)
    serve(given)
    return true
  }

  #removeQueue(owner: string, queue: Set<unknown>): void {
    if (this.#queues.get(owner) === queue) this.#queues.delete(owner)
  }
}
