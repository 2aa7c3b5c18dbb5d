import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import type { Db, Trx } from '../db/database.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { readSettings, type Settings } from './settings.ts'

type WorkerVariables = Record<string, string>

/** Returns the variables of all capabilities that have stored settings, whether or not they are enabled. */
export async function readLiveVariables(db: Db | Trx, projectId: string): Promise<WorkerVariables> {
  const stored = await listStoredSettings(db, projectId)
  const variables: WorkerVariables = {}
  for (const key of [...stored.keys()].toSorted()) {
    const declared = CAPABILITY_KEYS.find((one) => one === key)
    if (declared === undefined) continue
    const capability = capabilityOf(declared)
    Object.assign(variables, capability.variables(readSettings(capability, stored.get(key)), projectId))
  }
  return variables
}

/** Returns the variables of the upload worker, with defaults for settings that were never stored. */
export async function readUploadVariables(db: Db | Trx, projectId: string): Promise<WorkerVariables> {
  const stored = await listStoredSettings(db, projectId)
  const all = CAPABILITY_KEYS.map(capabilityOf)
  return Object.assign({}, ...all.map((one) => one.uploadVariables(readSettings(one, stored.get(one.key)))))
}

/** Returns the stored settings as JSON text; undefined when none are stored. */
export async function readStoredSettings(
  db: Db | Trx,
  projectId: string,
  key: string,
): Promise<JsonText<Settings> | undefined> {
  return (await listStoredSettings(db, projectId)).get(key)
}

async function listStoredSettings(db: Db | Trx, projectId: string): Promise<Map<string, JsonText<Settings>>> {
  const rows = await db
    .selectFrom('capabilities')
    .select(['key', 'settings'])
    .where('project_id', '=', projectId)
    .execute()
  return new Map(rows.map(({ key, settings }) => [key, settings]))
}
