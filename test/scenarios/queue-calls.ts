import { startQueued } from '../../server/builds/queue/start-queued.ts'
import { runBuild } from '../../server/builds/run/execute.ts'
import type { BuildWorld, BuildProject } from './build-world.ts'

interface Queue {
  running: { ticketId: string; title: string; runId: string } | null
  queued: {
    ticketId: string
    title: string
    position: number
    waiting: { reason: string; dependencies?: { problem: string | null }[] } | null
  }[]
}
interface Run {
  id: string
  ticketId: string
  status: string
  outcome: string | null
  trigger: string
}

export const HELLO = { text: 'Hello.', repeat: true }
const QUESTION = { id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }
export const ASK = { toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }

export const queue = (place: BuildProject, ticketIds: string[]) =>
  place.call<{ queued: string[]; skipped: object[] }>('POST /build/queue', { ticketIds })
export const readQueue = async (place: BuildProject) => (await place.get<Queue>('/build/queue')).data
/** Returns the runs of the project, oldest first. */
export const runsOf = async (place: BuildProject) =>
  (await place.get<{ items: Run[] }>('/runs')).data.items.toReversed()
export const stateOf = async (place: BuildProject, ticketId: string) =>
  (await place.get<{ build: { state: string } }>(`/tickets/${ticketId}`)).data.build.state

export async function addTickets(place: BuildProject, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await place.addTicket())
  return ids
}

/** Starts the queued builds that can start. Returns the number of started builds. */
export const startNext = async (world: BuildWorld): Promise<number> =>
  (await startQueued(world.app.platform, new AbortController().signal)).handled

/**
 * Runs the started build of a project to its end, for a service opened with `work: false`, which runs no
 * jobs.
 */
export async function buildStarted(world: BuildWorld, place: BuildProject): Promise<void> {
  const { running } = await readQueue(place)
  await runBuild(world.app.platform, running?.runId ?? '', new AbortController().signal)
}
