import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildQueue, Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { BuildProgress } from '../follow/build-follower.ts'
import { decideBuild } from './decide-build.ts'

const ticket = (state: Ticket['build']['state'], part: Partial<Ticket> = {}) =>
  ({
    id: 'tkt_1',
    type: 'task',
    build: { state, runId: null, outcome: null, refused: null },
    ...part,
  }) as Ticket
const running = (ticketId: string) => ({ ticketId, title: 'A ticket', runId: 'run_1' })
const waiting = (ticketId: string, position: number) => ({
  ticketId,
  title: 'A ticket',
  position,
  queuedAt: '',
  waiting: null,
})
const free: BuildQueue = { running: null, queued: [] }
const busy: BuildQueue = { running: running('tkt_2'), queued: [waiting('tkt_3', 1)] }

interface Row {
  when: string
  ticket: Ticket | null
  followed?: BuildProgress
  queue?: BuildQueue | undefined
  /** The expected action, or a pattern for the reason why Build is disabled. */
  does: 'build' | 'answer' | 'queue' | RegExp
}

const ROWS: Row[] = [
  { when: 'no ticket is chosen', ticket: null, does: /Choose a ticket/ },
  { when: 'the project builds nothing', ticket: ticket('idle'), does: 'build' },
  { when: 'the queue was not read yet', ticket: ticket('idle'), queue: undefined, does: 'build' },
  { when: 'its last build is over', ticket: ticket('idle'), followed: 'over', does: 'build' },
  { when: 'another ticket is being built', ticket: ticket('idle'), queue: busy, does: 'queue' },
  { when: 'this tab follows its build', ticket: ticket('idle'), followed: 'building', does: /running/ },
  { when: 'the ticket says that it is being built', ticket: ticket('running'), does: /running/ },
  { when: 'the queue says so', ticket: ticket('idle', { id: 'tkt_2' }), queue: busy, does: /running/ },
  { when: 'it is an epic', ticket: ticket('idle', { type: 'epic' }), does: /epic/ },
  {
    when: 'it waits in the queue',
    ticket: ticket('idle', { id: 'tkt_3' }),
    queue: busy,
    does: /Number 1 of 1/,
  },
  {
    when: 'the followed build asks',
    ticket: ticket('idle'),
    followed: 'asking',
    queue: busy,
    does: 'answer',
  },
  { when: 'the ticket waits for an answer', ticket: ticket('awaiting'), queue: busy, does: 'answer' },
  {
    when: 'its answers were sent from this tab',
    ticket: ticket('awaiting'),
    followed: 'building',
    does: /running/,
  },
  { when: 'its questions were settled', ticket: ticket('awaiting'), followed: 'over', does: 'build' },
]

describe('the action of Build', () => {
  for (const row of ROWS) {
    const { when, does, followed = null } = row
    test(`Build when ${when}: ${does instanceof RegExp ? `nothing, and says ${does.source}` : does}`, () => {
      const { kind, reason } = decideBuild(row.ticket, followed, 'queue' in row ? row.queue : free)
      if (does instanceof RegExp) assert.match(reason ?? '', does)
      else assert.deepEqual({ kind, reason }, { kind: does, reason: null })
    })
  }
})
