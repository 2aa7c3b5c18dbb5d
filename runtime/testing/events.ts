import { env } from 'cloudflare:workers'

/** Below the time that a test has. */
const WAIT_MS = 1500
const PAUSE_MS = 20

/** An event that the app has counted. */
export interface TestEvent {
  name: string
  /** Null: it has none, or one that was not allowed. */
  group: string | null
  value: number
  /** The page it happened on, as `app.json` declares its path; null outside of a page. */
  path: string | null
}

interface Box {
  points(): Promise<
    { blobs: [name: string, group: string, visitor: string, path: string]; doubles: number[] }[]
  >
}

/** Returns what was counted so far. Events are counted after the response, so this waits for `atLeast` so many. */
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
