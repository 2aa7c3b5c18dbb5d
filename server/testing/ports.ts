import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The ports for tests. They are below the range from which operating systems choose ports for outgoing connections, so that no connection
 * takes a free port before the test listens on it.
 */
const RANGE = { from: 12_000, to: 32_000 }

/** Returns loopback ports that are free at the moment. */
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
