import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HistoryEvent } from '@slipway/sdk/client/types.gen.ts'
import { backupState } from './backup-state.ts'

const historyEvent = (type: HistoryEvent['type'], sha: string | null): HistoryEvent => ({
  id: `evt_${sha}`,
  type,
  at: '2026-11-21T06:00:00.000Z',
  actor: null,
  ticketId: null,
  runId: null,
  sha,
  detail: null,
})
const connectedHost = { status: 'connected' } as const
const versions = [{ sha: 'c' }, { sha: 'b' }, { sha: 'a' }]

describe('the state of a backup', () => {
  test('the backup state distinguishes a code host that is not connected from a code host that refuses the connection', () => {
    const history = [historyEvent('backed_up', 'c')]
    assert.deepEqual(backupState({ status: 'none' }, history, versions), { kind: 'not_connected' })
    assert.deepEqual(backupState({ status: 'needs_reconnect' }, history, versions), { kind: 'refused' })
  })

  test('a project that was never pushed has no backup', () => {
    assert.deepEqual(backupState(connectedHost, [historyEvent('built', 'c')], versions), { kind: 'none' })
  })

  test('the backup state contains how many versions are newer than the last version pushed to the code host', () => {
    const at = '2026-11-21T06:00:00.000Z'
    const pushed = (sha: string) =>
      backupState(connectedHost, [historyEvent('backed_up', sha), historyEvent('backed_up', 'x')], versions)
    assert.deepEqual(pushed('c'), { kind: 'current', sha: 'c', at })
    assert.deepEqual(pushed('a'), { kind: 'behind', sha: 'a', at, count: 2 })
    assert.deepEqual(pushed('gone'), { kind: 'behind', sha: 'gone', at, count: 3 })
  })
})
