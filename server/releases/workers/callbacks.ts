import { readManifest } from '../../agent/source/manifest.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import type { Binding } from '../../cloudflare/products/upload.ts'
import { type DeployedBinding, readBindings, readServing } from '../../cloudflare/products/workers.ts'
import { appName, type AppTier, liveName, type NamedProject } from '../../resource-names.ts'
import { capabilitiesCallingApp, capabilityOf } from '../../capability-catalog/catalog.ts'
import { readSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import type { Db } from '../../db/database.ts'
import type { ResourceWork } from '../../resources/work.ts'
import { readRelease, type Release } from '../bundle.ts'
import { boundAccountsAmong, type Deployment, latestDeployment } from '../../deployments/store.ts'

const APP_TIERS = ['production', 'preview'] as const
const BINDING_OF: Readonly<Record<AppTier, string>> = { production: 'APP', preview: 'APP_PREVIEW' }

/** The name of the variable in which the live worker finds the capabilities that may use a binding. */
const callersOfBinding = (name: string): string => `${name}_CALLERS`

/**
 * For each tier, the capabilities whose Durable Objects call the tier's app, such as schedules. A missing tier keeps
 * its current capabilities.
 */
export type Callers = Partial<Record<AppTier, readonly string[]>>

/**
 * Returns the capabilities whose Durable Objects call a release: those that are enabled and listed in `uses` of its
 * manifest. Returns none for an unreadable manifest.
 */
export async function callersOf(
  platform: ResourceWork['platform'],
  project: { id: string },
  { tier, release, enabled }: { tier: AppTier; release: Release; enabled: ReadonlySet<string> },
): Promise<string[]> {
  const read = readManifest(release.tree.get('app.json') ?? '')
  if (!read.ok) return []
  const used = enabled.intersection(new Set<string>(read.manifest.uses))
  return await readCallers(platform.db, project.id, used, tier)
}

/** Returns the enabled capabilities whose Durable Objects call the app's worker of this tier, according to their settings. */
async function readCallers(
  db: Db,
  projectId: string,
  keys: ReadonlySet<string>,
  tier: AppTier,
): Promise<string[]> {
  const calling = await Promise.all(
    capabilitiesCallingApp(keys).map(async (key) => {
      const declared = capabilityOf(key)
      const settings = readSettings(declared, await readStoredSettings(db, projectId, key))
      return declared.callsApp?.(settings, tier) === true ? [key] : []
    }),
  )
  return calling.flat()
}

/**
 * Returns the capabilities whose Durable Objects call the serving version. Includes a capability that was enabled after the
 * publication of this version only after the next deployment.
 */
export async function servingCallers(
  platform: ResourceWork['platform'],
  project: { id: string },
  live: Deployment,
  enabled: ReadonlySet<string>,
): Promise<string[]> {
  const { tier, sha } = live
  const bound = boundAccountsAmong(live, enabled)
  if (capabilitiesCallingApp(bound).length === 0) return []
  const release = await readRelease(platform, { projectId: project.id, sha, enabled })
  return await callersOf(platform, project, { tier, release, enabled: bound })
}

/**
 * Returns the bindings through which the Durable Objects call the workers of the app, and for each binding the
 * capabilities that may use it. The alarms of other capabilities do not run. `known` contains, for a tier that is being
 * deployed, the capabilities that call its next release. For other tiers, the capabilities are read from the serving
 * release. A tier that serves nothing gets no binding, because Cloudflare refuses a binding to a missing worker.
 */
export async function callbackBindings(
  work: Pick<ResourceWork, 'platform' | 'cloud' | 'project'>,
  enabled: ReadonlySet<string>,
  known: Callers,
): Promise<Binding[]> {
  if (capabilitiesCallingApp(enabled).length === 0) return []
  const bindings: Binding[] = []
  for (const tier of APP_TIERS) {
    const callers = known[tier] ?? (await callersNow(work, tier, enabled))
    if (callers.length === 0) continue
    const name = BINDING_OF[tier]
    const service = appName(work.project, tier)
    bindings.push(
      { type: 'service', name, service, entrypoint: 'Handlers' },
      { type: 'plain_text', name: callersOfBinding(name), text: JSON.stringify(callers) },
    )
  }
  return bindings
}

/** Returns whether the live worker has exactly these callback bindings. Its other bindings are not compared. */
export function hasCallbacks(bound: readonly DeployedBinding[], wanted: readonly Binding[]): boolean {
  const names = APP_TIERS.flatMap((tier) => [BINDING_OF[tier], callersOfBinding(BINDING_OF[tier])])
  const found = bound.filter(({ name }) => names.includes(name))
  const isThere = (one: Binding) =>
    found.some(
      ({ type, name, text }) =>
        type === one.type && name === one.name && (one.type !== 'plain_text' || text === one.text),
    )
  return found.length === wanted.length && wanted.every(isThere)
}

/** Returns whether the live worker has the binding to the app, according to the account. */
export async function isBoundToApp(cloud: Cloud, project: NamedProject): Promise<boolean> {
  const bound = await readBindings(cloud, liveName(project))
  return bound?.some(({ name }) => name === BINDING_OF.production) === true
}

/**
 * Returns the capabilities that call the serving worker of production or of the preview. Returns none when a person has
 * deleted this worker in the account, because Cloudflare refuses a binding to a missing worker. Reconciling the project
 * creates the worker again.
 */
async function callersNow(
  { platform, cloud, project }: Pick<ResourceWork, 'platform' | 'cloud' | 'project'>,
  tier: AppTier,
  enabled: ReadonlySet<string>,
): Promise<readonly string[]> {
  const live = await latestDeployment(platform.db, project, tier, ['live'])
  if (live === null) return []
  const callers = await servingCallers(platform, project, live, enabled)
  if (callers.length === 0) return []
  return (await readServing(cloud, appName(project, tier))) === null ? [] : callers
}
