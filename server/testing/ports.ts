import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range a system gives to outgoing connections, so that no connection takes one of these before it
 * is used.
 */
const RANGE = { from: 12_000, to: 32_000 }

/** Returns loopback ports on which nothing listens now. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(RANGE.from, RANGE.to)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
