import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { isUnavailable, transact } from '../../db/database.ts'
import type { Needs } from '../../platform.ts'
import { type CapabilityOwner, type DeclaredChange, saveCapabilities } from './save.ts'

interface Waiting extends DeclaredChange {
  settle: PromiseWithResolvers<CapabilityKey[]>
}

/** By project: changes that arrived since its transaction began. No entry means that none is running. */
const waiting = new Map<string, Waiting[]>()

/**
 * Saves a change like `saveCapability`. Changes of one project that arrive in this process during a commit share the next commit:
 * separately they would wait for each other's lock, each with a connection.
 */
export async function saveTogether(
  platform: Needs<'keyring' | 'jobs'>,
  project: CapabilityOwner,
  one: DeclaredChange,
): Promise<CapabilityKey[]> {
  const mine = { ...one, settle: Promise.withResolvers<CapabilityKey[]>() }
  const others = waiting.get(project.id)
  if (others === undefined) {
    waiting.set(project.id, [mine])
    void saveAll(platform, project)
  } else {
    others.push(mine)
  }
  return await mine.settle.promise
}

async function saveAll(platform: Needs<'keyring' | 'jobs'>, project: CapabilityOwner): Promise<void> {
  for (;;) {
    const batch = waiting.get(project.id) ?? []
    if (batch.length === 0) break
    waiting.set(project.id, [])
    await saveBatch(platform, project, batch)
  }
  waiting.delete(project.id)
}

async function saveBatch(
  platform: Needs<'keyring' | 'jobs'>,
  project: CapabilityOwner,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const saved = await transact(platform.db, (trx) => saveCapabilities(platform, trx, project, batch))
    for (const [index, { settle }] of batch.entries()) settle.resolve(saved[index] ?? [])
  } catch (error) {
    // A change that is refused must not refuse the others, so each is saved alone. Without a database that would only repeat the
    // wait.
    if (batch.length > 1 && !isUnavailable(error))
      for (const one of batch) await saveBatch(platform, project, [one])
    else for (const { settle } of batch) settle.reject(error)
  }
}
