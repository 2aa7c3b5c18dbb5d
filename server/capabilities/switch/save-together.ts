import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { isUnavailable, transact } from '../../db/database.ts'
import type { PlatformPorts } from '../../platform.ts'
import { type CapabilityOwner, type DeclaredChange, saveCapabilities } from '../save.ts'

interface WaitingChange extends DeclaredChange {
  settle: PromiseWithResolvers<CapabilityKey[]>
}

/**
 * Changes that arrived since the running transaction of a project began, by project id. A project without an entry has no running
 * transaction.
 */
const waitingSaves = new Map<string, WaitingChange[]>()

/**
 * Saves a change like `saveCapabilities`. Changes of one project that arrive in this process during a commit share the next commit.
 * Separate commits would wait for each other's lock, each with a database connection.
 */
export async function saveTogether(
  platform: PlatformPorts<'keyring' | 'jobs'>,
  project: CapabilityOwner,
  one: DeclaredChange,
): Promise<CapabilityKey[]> {
  const mine = { ...one, settle: Promise.withResolvers<CapabilityKey[]>() }
  const others = waitingSaves.get(project.id)
  if (others === undefined) {
    waitingSaves.set(project.id, [mine])
    void saveWaitingBatches(platform, project)
  } else {
    others.push(mine)
  }
  return await mine.settle.promise
}

async function saveWaitingBatches(
  platform: PlatformPorts<'keyring' | 'jobs'>,
  project: CapabilityOwner,
): Promise<void> {
  for (;;) {
    const batch = waitingSaves.get(project.id) ?? []
    if (batch.length === 0) break
    waitingSaves.set(project.id, [])
    await saveBatch(platform, project, batch)
  }
  waitingSaves.delete(project.id)
}

async function saveBatch(
  platform: PlatformPorts<'keyring' | 'jobs'>,
  project: CapabilityOwner,
  batch: readonly WaitingChange[],
): Promise<void> {
  try {
    const saved = await transact(platform.db, (trx) => saveCapabilities(platform, trx, project, batch))
    for (const [index, { settle }] of batch.entries()) settle.resolve(saved[index] ?? [])
  } catch (error) {
    // A refused change must not prevent the other changes in the batch, so each change is saved alone. An unavailable
    // database is the exception, because each change would only wait again.
    if (batch.length > 1 && !isUnavailable(error))
      for (const one of batch) await saveBatch(platform, project, [one])
    else for (const { settle } of batch) settle.reject(error)
  }
}
