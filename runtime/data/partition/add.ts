import type { Actor } from '../../kernel/access/actor.ts'
import { ApiError, type Failure, toFailure } from '../../kernel/errors.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { StoredRecord } from '../frames.ts'
import { applyMutation, applyOps, type MutationOutcome } from './mutate.ts'
import type { LogEntry, PartitionStore } from './store.ts'

/**
 * Records that the operator adds. The caller chooses the ids, so an interrupted call can be repeated without
 * creating a record twice.
 */
export interface AddCall {
  collection: string
  records: { id: string; fields: Record<string, unknown> }[]
  /** With true, the call validates everything and stores nothing. */
  isTrial: boolean
}

export type AddResult = { id: string; record: StoredRecord } | { id: string; error: Failure }

interface JudgedCall {
  manifest: Manifest
  actor: Actor
  partition: string
  now: Date
}

/**
 * Creates each record separately: a rejected record does not stop the others. A record that an earlier call created under the same id is
 * returned again, so an interrupted call can be repeated. With `isTrial`, each record is validated as if the records before it were stored.
 */
export function addRecords(
  store: PartitionStore,
  judged: JudgedCall,
  call: AddCall,
): { added: AddResult[]; log: LogEntry[] } {
  const log: LogEntry[] = []
  const addAll = () =>
    call.records.map(({ id, fields }): AddResult => {
      try {
        const ops = [{ op: 'create' as const, collection: call.collection, id, fields }]
        const outcome = call.isTrial
          ? applyOps(store, judged, ops)
          : applyMutation(store, judged, { mutationId: `op-${id}`, ops })
        log.push(...outcome.log)
        return { id, record: onlyRecord(outcome) }
      } catch (error) {
        if (error instanceof ApiError) return { id, error: toFailure(error) }
        throw error
      }
    })
  return call.isTrial ? { added: runAndRollBack(store, addAll), log: [] } : { added: addAll(), log }
}

function onlyRecord({ result }: MutationOutcome): StoredRecord {
  const [record] = result.records
  if (record === undefined || record === null) throw new Error('a created record is returned')
  return record
}

/** Runs `work`, rolls back everything it stored, and returns its result. */
function runAndRollBack<T>(store: PartitionStore, work: () => T): T {
  const trial: { result?: T } = {}
  const TAKEN_BACK = new Error('only a trial')
  try {
    store.transact(() => {
      trial.result = work()
      throw TAKEN_BACK
    })
  } catch (error) {
    if (error !== TAKEN_BACK) throw error
  }
  return trial.result as T
}
