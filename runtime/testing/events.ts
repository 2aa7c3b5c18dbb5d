import { env } from 'cloudflare:workers'

/** Below the two seconds after which a test counts as stuck. */
const WAIT_MS = 1500
const PAUSE_MS = 20

export interface TestEvent {
  name: string
  /** Null: it has none, or one that is not allowed. */
  group: string | null
  value: number
  /** The path of the page as `app.json` declares it; null outside of a page. */
  path: string | null
}

interface Box {
  points(): Promise<
    { blobs: [name: string, group: string, visitor: string, path: string]; doubles: number[] }[]
  >
}

/** Events are counted after the response, so this waits for `atLeast`. */
export async function countedEvents(atLeast = 1): Promise<TestEvent[]> {
  const box = env['BOX'] as Box
  let points = await box.points()
  for (let waitedMs = 0; points.length < atLeast && waitedMs < WAIT_MS; waitedMs += PAUSE_MS) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    points = await box.points()
  }
  return points.map(({ blobs: [name, group, , path], doubles: [value = 0] }) => ({
    name,
    group: group || null,
    value,
    path: path || null,
  }))
}
