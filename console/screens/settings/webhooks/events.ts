import type { EventName } from '../../../api/types.ts'
import { declaredKeys } from '../../../lib/fields.ts'

export type OneEvent = Exclude<EventName, '*'>

const SAMPLE_TICKET = 'tkt_01kaq3v9m5e4h8d2c7b6a5z4y3'
const SAMPLE_RUN = 'run_01kaq3w2n7f6j9e3d8c7b6a5z4'
const SAMPLE_SHA = '4f2c1ab9d0e37c5a6b8f1e2d3c4b5a6978877665'

/** Example data of each event, in the order in which the events happen to a project. */
const SAMPLE_BODIES: Record<OneEvent, object> = {
  'project.created': { name: 'Office plants', slug: 'office-plants' },
  'project.renamed': { name: 'Green office', previousName: 'Office plants', slug: 'green-office' },
  'ticket.created': {
    ticketId: SAMPLE_TICKET,
    title: 'Remind me to water',
    type: 'feature',
    source: 'human',
  },
  'ticket.updated': { ticketId: SAMPLE_TICKET, changed: ['status', 'priority'] },
  'ticket.build.succeeded': {
    ticketId: SAMPLE_TICKET,
    runId: SAMPLE_RUN,
    sha: SAMPLE_SHA,
    previewUrl: 'https://office-plants-preview.example.workers.dev',
  },
  'ticket.build.failed': {
    ticketId: SAMPLE_TICKET,
    runId: SAMPLE_RUN,
    error: { kind: 'model_error', message: 'The model did not answer.' },
  },
  'project.deployed': { url: 'https://office-plants.example.workers.dev', sha: SAMPLE_SHA },
  'project.rolled_back': { resourceId: 'res_01kaq3x8p2g5k7h4f9e8d7c6b5', production: true },
  'project.reverted': { sha: SAMPLE_SHA },
  'project.archived': {},
  'project.deleted': { name: 'Office plants' },
}

/** Whether a webhook gets the event of a new ticket, such as the test ticket that the page creates. */
export const subscribesToNewTickets = ({ events }: { events: readonly EventName[] }) =>
  events.includes('*') || events.includes('ticket.created')

export const SAMPLE_EVENTS = declaredKeys(SAMPLE_BODIES)

export function exampleOf(event: OneEvent): string {
  const envelope = {
    id: 'evt_01kaq3y4r6h7m9j2g5f8e7d6c5',
    type: event,
    projectId: 'prj_01kaq3t1k4d3g7c6b5a4z3y2x1',
    createdAt: 1_795_197_600_000,
    data: SAMPLE_BODIES[event],
  }
  return JSON.stringify(envelope, null, 2)
}
