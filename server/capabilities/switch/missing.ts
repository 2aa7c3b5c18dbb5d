import type { Db } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import type { CompiledApp } from '../operator/activate.ts'
import { capabilitiesOf } from '../../capability-catalog/catalog.ts'
import type { Capability } from '../../capability-declaration/capability.ts'
import { readRejected, readSettings, type Settings } from '../../capability-state/settings.ts'
import { actionsOf } from './in-account.ts'

/**
 * Returns what a person still has to set for the enabled capabilities, one line for each secret and setting. Without
 * these values the app runs, but the features that need them fail. `app` is the live release, or null.
 */
export async function listMissing(
  db: Db,
  project: ProjectIds,
  app: CompiledApp | null,
): Promise<{ key: string; reason: string }[]> {
  const [rows, secrets] = await Promise.all([
    db
      .selectFrom('capabilities')
      .select(['key', 'settings'])
      .where('project_id', '=', project.id)
      .where('enabled', '=', true)
      .execute(),
    db
      .selectFrom('capability_secrets')
      .select(['key', 'name'])
      .where('org_id', '=', project.org_id)
      .where('project_id', '=', project.id)
      .execute(),
  ])
  const stored = new Set(secrets.map(({ key, name }) => `${key} ${name}`))
  const settingsOf = new Map(rows.map(({ key, settings }) => [key, settings]))
  const enabled = new Set(settingsOf.keys())
  const besides = await Promise.all(
    actionsOf(enabled).map(async ({ key, listMissing: list }) =>
      ((await list?.(db, project, app)) ?? []).map((reason) => ({ key, reason })),
    ),
  )
  const missing = capabilitiesOf(enabled).flatMap((declared) => {
    const { key } = declared
    const settings = readSettings(declared, settingsOf.get(key))
    const unset = Object.entries(declared.secrets(settings))
      .filter(([name, { isOptional }]) => isOptional !== true && !stored.has(`${key} ${name}`))
      .map(([, { title }]) => `${title} is not set.`)
    const lacking = app === null ? [] : declared.lacks(settings, app.manifest)
    return [...unset, ...listRejected(declared, settingsOf.get(key)), ...lacking].map((reason) => ({
      key,
      reason,
    }))
  })
  return [...missing, ...besides.flat()]
}

const listRejected = (declared: Capability, stored: JsonText<Settings> | undefined): string[] =>
  readRejected(declared, stored).map(({ field, problem }) => {
    const title = declared.settings.shape[field]?.meta()?.title ?? field
    return `${title}: ${problem}. Its default applies until it is set again.`
  })
