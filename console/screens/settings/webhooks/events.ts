import type { EventName } from '../../../api/types.ts'

export type OneEvent = Exclude<EventName, '*'>

const TICKET = 'tkt_01kaq3v9m5e4h8d2c7b6a5z4y3'
const RUN = 'run_01kaq3w2n7f6j9e3d8c7b6a5z4'
const SHA = '4f2c1ab9d0e37c5a6b8f1e2d3c4b5a6978877665'

/** Example data of each event, in the order in which they happen to a project. */
const DATA: Record<OneEvent, object> = {
  'project.created': { name: 'Office plants', slug: 'office-plants' },
  'project.renamed': { name: 'Green office', previousName: 'Office plants', slug: 'green-office' },
  'ticket.created': { ticketId: TICKET, title: 'Remind me to water', type: 'feature', source: 'human' },
  'ticket.updated': { ticketId: TICKET, changed: ['status', 'priority'] },
  'ticket.build.succeeded': {
    ticketId: TICKET,
    runId: RUN,
    sha: SHA,
    previewUrl: 'https://office-plants-preview.example.workers.dev',
  },
  'ticket.build.failed': {
    ticketId: TICKET,
    runId: RUN,
    error: { kind: 'model_error', message: 'The model did not answer.' },
  },
  'project.deployed': { url: 'https://office-plants.example.workers.dev', sha: SHA },
  'project.rolled_back': { resourceId: 'res_01kaq3x8p2g5k7h4f9e8d7c6b5', production: true },
  'project.reverted': { sha: SHA },
  'project.archived': {},
  'project.deleted': { name: 'Office plants' },
}

export const EVENTS = Object.keys(DATA) as OneEvent[]

export function exampleOf(event: OneEvent): string {
  const envelope = {
    id: 'evt_01kaq3y4r6h7m9j2g5f8e7d6c5',
    type: event,
    projectId: 'prj_01kaq3t1k4d3g7c6b5a4z3y2x1',
    createdAt: 1_795_197_600_000,
    data: DATA[event],
  }
  return JSON.stringify(envelope, null, 2)
}
