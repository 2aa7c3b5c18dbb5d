import { env } from 'cloudflare:workers'

/** Below the two seconds after which a test counts as stalled. */
const WAIT_MS = 1500
const PAUSE_MS = 20

export interface TestEvent {
  name: string
  /** Null when the event has no group, or a group that is not allowed. */
  group: string | null
  value: number
  /** The page's path as declared in `app.json`; null outside of a page. */
  path: string | null
}

interface EventBox {
  points(): Promise<
    { blobs: [name: string, group: string, visitor: string, path: string]; doubles: number[] }[]
  >
}

/** Returns the counted events. Waits for `atLeast` events, because an event is counted after the response. */
export async function countedEvents(atLeast = 1): Promise<TestEvent[]> {
  const box = env['BOX'] as EventBox
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
