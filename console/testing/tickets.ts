import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketStatus } from '../api/types.ts'
import { MarkStore } from '../state/tickets/mark-store.ts'
import type { Overlay, PaneState } from '../state/tickets/pane-context.ts'

export const testTicket = (id: string, part: Partial<Ticket> = {}): Ticket => ({
  id,
  projectId: 'prj_1',
  title: `Ticket ${id}`,
  body: '',
  status: 'todo',
  type: 'task',
  priority: 'none',
  dueAt: null,
  parent: null,
  labels: [],
  dependsOn: [],
  origin: null,
  source: 'human',
  url: null,
  attachments: [],
  build: { state: 'idle', runId: null, outcome: null, refused: null },
  createdBy: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...part,
})

/** The counts of a project's tickets, as the service returns them. */
export const ticketCounts = (byStatus: Partial<Record<TicketStatus, number>> = {}) => ({
  total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
  byStatus: { backlog: 0, todo: 0, in_progress: 0, in_review: 0, done: 0, cancelled: 0, ...byStatus },
  byType: {},
  byPriority: {},
})

/** Returns the state of a tickets pane for a component that is shown without the pane, and what the component did with that state. */
export function testPane(part: Partial<PaneState> = {}) {
  const chosen: string[] = []
  const overlays: Overlay[] = []
  const spoken: string[] = []
  const pane: PaneState = {
    projectId: 'prj_1',
    chosen: null,
    detailed: null,
    filter: {},
    marks: new MarkStore(),
    order: { current: () => [] },
    choose: ({ id }) => void chosen.push(id),
    open: (overlay) => void overlays.push(overlay),
    announce: (words) => void spoken.push(words),
    ...part,
  }
  return { pane, chosen, overlays, spoken }
}
