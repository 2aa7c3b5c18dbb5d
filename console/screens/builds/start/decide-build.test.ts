import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildQueue, Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { BuildProgress } from '../../../state/builds/build-follower.ts'
import { decideBuild } from './decide-build.ts'

const ticketIn = (state: Ticket['build']['state'], part: Partial<Ticket> = {}) =>
  ({
    id: 'tkt_1',
    type: 'task',
    build: { state, runId: null, outcome: null, refused: null },
    ...part,
  }) as Ticket
const runningBuild = (ticketId: string) => ({ ticketId, title: 'A ticket', runId: 'run_1' })
const queuedBuild = (ticketId: string, position: number) => ({
  ticketId,
  title: 'A ticket',
  position,
  queuedAt: '',
  waiting: null,
})
const idleQueue: BuildQueue = { running: null, queued: [] }
const busyQueue: BuildQueue = { running: runningBuild('tkt_2'), queued: [queuedBuild('tkt_3', 1)] }

interface Row {
  when: string
  ticket: Ticket | null
  followed?: BuildProgress
  queue?: BuildQueue | undefined
  /** The expected action, or a pattern that matches the reason why Build is disabled. */
  does: 'build' | 'answer' | 'queue' | RegExp
}

const ACTIONS = { build: 'starts a build', answer: 'focuses the questions', queue: 'queues the ticket' }
const ROWS: Row[] = [
  { when: 'no ticket is chosen', ticket: null, does: /Choose a ticket/ },
  { when: 'nothing else is being built', ticket: ticketIn('idle'), does: 'build' },
  { when: 'the queue is not loaded yet', ticket: ticketIn('idle'), queue: undefined, does: 'build' },
  {
    when: 'the last build of the ticket has ended',
    ticket: ticketIn('idle'),
    followed: 'over',
    does: 'build',
  },
  { when: 'another ticket is being built', ticket: ticketIn('idle'), queue: busyQueue, does: 'queue' },
  {
    when: 'this tab follows a running build of the ticket',
    ticket: ticketIn('idle'),
    followed: 'building',
    does: /running/,
  },
  { when: 'the cached ticket is being built', ticket: ticketIn('running'), does: /running/ },
  {
    when: 'the queue is building the ticket',
    ticket: ticketIn('idle', { id: 'tkt_2' }),
    queue: busyQueue,
    does: /running/,
  },
  { when: 'the ticket is an epic', ticket: ticketIn('idle', { type: 'epic' }), does: /epic/ },
  {
    when: 'the ticket is queued',
    ticket: ticketIn('idle', { id: 'tkt_3' }),
    queue: busyQueue,
    does: /Number 1 of 1/,
  },
  {
    when: 'the followed build asks questions',
    ticket: ticketIn('idle'),
    followed: 'asking',
    queue: busyQueue,
    does: 'answer',
  },
  {
    when: 'the cached ticket waits for answers',
    ticket: ticketIn('awaiting'),
    queue: busyQueue,
    does: 'answer',
  },
  {
    when: 'this tab has sent the answers to the ticket',
    ticket: ticketIn('awaiting'),
    followed: 'building',
    does: /running/,
  },
  {
    when: 'the cached ticket waits for answers, but the followed build has ended',
    ticket: ticketIn('awaiting'),
    followed: 'over',
    does: 'build',
  },
]

describe('the action of the Build button', () => {
  for (const row of ROWS) {
    const { when, does, followed = null } = row
    test(`the Build button ${does instanceof RegExp ? 'is disabled with a reason' : ACTIONS[does]} when ${when}`, () => {
      const { kind, reason } = decideBuild(row.ticket, followed, 'queue' in row ? row.queue : idleQueue)
      if (does instanceof RegExp) assert.match(reason ?? '', does)
      else assert.deepEqual({ kind, reason }, { kind: does, reason: null })
    })
  }
})
