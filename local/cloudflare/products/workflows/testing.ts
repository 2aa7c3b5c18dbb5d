import { openStore } from '../../../schema.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { unboundGroup } from '../../scripts/groups.ts'
import { insertScript } from '../../store/scripts.ts'
import type { LogEntry } from './instances.ts'
import { putWorkflow } from '../../store/workflows.ts'

/** Opens a store in memory with the workflow `orders` of a worker `shop`. */
export function openWorkflows(at: number) {
  const store = openStore(':memory:')
  const { id: accountId } = createAccount(store, { name: 'Acme', plan: 'paid', at })
  const groupId = unboundGroup(store, accountId)
  const { id: scriptId } = insertScript(store, { accountId, groupId, name: 'shop', at })
  const workflow = putWorkflow(
    store,
    { accountId, scriptId, name: 'orders', className: 'Orders', settings: {} },
    at,
  )
  return { store, accountId, scriptId, groupId, workflow }
}

/** Returns an instance's log with one entry a second, from 10:00:00 on. Each entry is an event, its step and its metadata. */
export const logOf = (...entries: [event: number, step?: string | null, metadata?: object][]): LogEntry[] =>
  entries.map(([event, step = null, metadata = {}], second) => ({
    timestamp: timeAt(second),
    event,
    group: step,
    target: step,
    metadata: { ...metadata },
  }))

export const timeAt = (second: number): string => `2026-06-01T10:00:${String(second).padStart(2, '0')}Z`
