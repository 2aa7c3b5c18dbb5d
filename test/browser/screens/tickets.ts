import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

const TICKET = { name: /^Track the plants/ }

/** The views of a project's tickets, one of which was built. */
export const ticketScreens = (projectId: string): Screen[] => [
  {
    name: 'tickets-board',
    path: href.project(projectId, { view: 'board', status: 'in_review', pane: 'tickets' }),
    ready: (page) =>
      page.getByRole('group', { name: 'Board', exact: true }).getByRole('button', TICKET).waitFor(),
  },
  {
    name: 'tickets-tree',
    path: href.project(projectId, { view: 'tree', pane: 'tickets' }),
    ready: (page) => page.getByRole('treegrid').getByRole('button', TICKET).first().waitFor(),
  },
  {
    name: 'tickets-none-found',
    path: href.project(projectId, { q: 'zebra', label: 'none', pane: 'tickets' }),
    ready: seen('heading', 'No ticket matches'),
  },
  {
    name: 'ticket-missing',
    reports: /404/,
    path: href.project(projectId, { ticket: 'tkt_unknown', tab: 'ticket' }),
    ready: seen('heading', 'This ticket was not found'),
  },
]
