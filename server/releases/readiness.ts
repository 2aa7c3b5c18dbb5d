import type { Cloud } from '../cloudflare/client.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { PlatformPorts } from '../platform.ts'
import { inspectAll } from '../resources/inspect.ts'
import type { RegisteredResource } from '../resources/kinds/kind.ts'
import { listResourcesIn } from '../resources/list.ts'
import { adminName, liveName } from '../resource-names.ts'
import { resourcesOf } from '../capability-catalog/catalog.ts'
import { type CompiledApp, pingObjects } from '../capabilities/operator/activate.ts'
import { listStates } from '../capability-state/states.ts'
import { triggersOf } from '../capabilities/switch/in-account.ts'
import { enabledCapabilities } from '../capability-state/enabled.ts'
import { listMissing } from '../capabilities/switch/missing.ts'
import { lastUploadsName } from '../resources/uploads-name.ts'
import type { ProjectRef } from '../resources/work.ts'
import { compiledApp, readRelease } from './bundle.ts'
import { boundAccountsAmong, latestDeployment } from '../deployments/store.ts'
import { callersOf, isBoundToApp } from './workers/callbacks.ts'

/** The key under which readiness lists the app's own worker. */
const APP_KEY = 'app'
const WAIT_MS_MAX = 8_000

interface FailedCapability {
  key: string
  reason: string
}

interface InspectedCapabilities {
  /** Why a resource cannot be used, keyed by the name of the resource. */
  lost: ReadonlyMap<string, string>
  app: string[]
  /** Capabilities of the serving release that are no longer connected to its worker. */
  disconnected: FailedCapability[]
}

/**
 * Returns whether the app and its enabled capabilities could serve now. `warming` lists what is still being created,
 * `failed` what does not work, and `missing` the values that a person has not set yet. Missing values do not keep the
 * app from serving. Inspects the account and pings the Durable Objects. A failed call to the account is a reason in
 * `failed`, never an exception.
 */
export async function readReadiness(platform: PlatformPorts<'accounts'>, project: ProjectRef, actor: string) {
  const [enabled, serving] = await Promise.all([
    listStates(platform.db, project.id),
    readServingRelease(platform, project),
  ])
  const warming = enabled.filter((one) => one.state === 'creating').map((one) => one.key)
  const failed: FailedCapability[] = enabled
    .filter((one) => one.state === 'error')
    .map((one) => ({ key: one.key, reason: one.error?.message ?? 'It could not be set up.' }))
  const settled = enabled.filter((one) => one.state === 'idle').map((one) => one.key)
  const signal = AbortSignal.timeout(WAIT_MS_MAX)
  const [account, missing] = await Promise.all([
    inspectAccount(platform, project, { serving, settled, actor, signal }),
    listMissing(platform.db, project, serving?.app ?? null),
  ])
  if ('refusal' in account) {
    // Without capabilities the failure is listed under the app.
    const keys = settled.length === 0 ? [APP_KEY] : settled
    failed.push(...keys.map((key) => ({ key, reason: account.refusal })))
  } else {
    failed.push(...account.app.map((reason) => ({ key: APP_KEY, reason })))
    const unwell = await findUnwell(platform, project, { settled, lost: account.lost, signal })
    const isNamed = new Set(unwell.map(({ key }) => key))
    // A capability without its resources is also disconnected, but is listed only once.
    failed.push(...unwell, ...account.disconnected.filter(({ key }) => !isNamed.has(key)))
  }
  return { ready: warming.length === 0 && failed.length === 0, warming, failed, missing }
}

/** The release that serves. `app` is null when its manifest is invalid. */
interface ServedRelease {
  app: CompiledApp | null
  bound: ReadonlySet<string>
  callers: readonly string[]
}

async function readServingRelease(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
): Promise<ServedRelease | null> {
  const live = await latestDeployment(platform.db, project, 'production', ['live'])
  if (live === null) return null
  const enabled = await enabledCapabilities(platform.db, project.id)
  const release = await readRelease(platform, { projectId: project.id, sha: live.sha, enabled })
  const bound = boundAccountsAmong(live, enabled)
  const callers = await callersOf(platform, project, { tier: 'production', release, enabled: bound })
  return { app: compiledApp(release), bound, callers }
}

/** Returns the results of inspecting the account, or `refusal` when it cannot be read. */
async function inspectAccount(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  {
    serving,
    settled,
    ...by
  }: { serving: ServedRelease | null; settled: string[]; actor: string; signal: AbortSignal },
): Promise<InspectedCapabilities | { refusal: string }> {
  try {
    const cloud = await platform.accounts.openCloud({ orgId: project.org_id, project, ...by })
    const rows = (await listResourcesIn(platform.db, project, cloud.accountId)).filter(
      (row) => row.tier !== 'preview',
    )
    const [findings, disconnected] = await Promise.all([
      inspectAll(cloud, rows, { platform, project }),
      serving === null ? [] : findDisconnectedCapabilities(cloud, project, serving, settled),
    ])
    const reasonOf = (row: RegisteredResource): string | null => {
      const finding = findings.get(row.id)
      if (finding === undefined) return `${row.name} belongs to a cloud account that is not connected.`
      if (finding instanceof ProviderError) return finding.message
      if (finding === 'missing') return `${row.name} is missing in the cloud account.`
      // A drifted worker still responds. A shared resource of another kind drifts when it is switched off or replaced by one of its name.
      const isReplaced = finding === 'drifted' && row.tier === 'shared' && row.kind !== 'worker'
      return isReplaced ? `${row.name} was replaced in the cloud account. Reconcile the project.` : null
    }
    const judged = rows.map((row) => ({ row, reason: reasonOf(row) }))
    const isLost = (one: (typeof judged)[number]): one is { row: RegisteredResource; reason: string } =>
      one.reason !== null
    const lost = judged.filter(isLost)
    return {
      lost: new Map(
        lost.filter(({ row }) => row.tier === 'shared').map(({ row, reason }) => [row.name, reason]),
      ),
      app: lost.filter(({ row }) => row.tier === 'production').map(({ reason }) => reason),
      disconnected,
    }
  } catch (error) {
    return { refusal: inspectionErrorText(error, by.signal) }
  }
}

/** Returns the capabilities whose resources exist but are not connected to the serving app. */
async function findDisconnectedCapabilities(
  cloud: Cloud,
  project: ProjectRef,
  { bound, callers }: ServedRelease,
  settled: string[],
): Promise<FailedCapability[]> {
  const calling = callers.filter((key) => settled.includes(key))
  const called = triggersOf(bound.intersection(new Set(settled)))
  const [unbound, ...uncalled] = await Promise.all([
    calling.length === 0 ? null : failureReason(() => findUnbound(cloud, project)),
    ...called.map(async ({ key, trigger }) => ({
      key,
      reason: await failureReason(() => trigger.findProblem(cloud, project)),
    })),
  ])
  return [
    ...(unbound === null ? [] : calling.map((key) => ({ key, reason: unbound }))),
    ...uncalled.flatMap(({ key, reason }) => (reason === null ? [] : [{ key, reason }])),
  ]
}

const findUnbound = async (cloud: Cloud, project: ProjectRef): Promise<string | null> =>
  (await isBoundToApp(cloud, project))
    ? null
    : `${liveName(project)} is not bound to the app, so nothing that it starts runs. Ship the project to bind it again.`

/** Returns an error of a provider as the result of this check, so that the other checks are still reported. */
async function failureReason(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ProviderError) return error.message
    throw error
  }
}

/** Returns the capabilities that lack a resource or whose Durable Objects do not respond. */
async function findUnwell(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  { settled, lost, signal }: { settled: string[]; lost: ReadonlyMap<string, string>; signal: AbortSignal },
): Promise<FailedCapability[]> {
  const uploads = (await lastUploadsName(platform.db, project)) ?? undefined
  const needs = resourcesOf(settled, { ...project, uploads })
  // One ping is enough, because all capabilities share the Durable Objects of the project.
  const isReachable = needs.some(({ resources }) => resources.some(({ name }) => name === adminName(project)))
  const judged = needs.map(({ key, resources }) => ({
    key,
    hasObjects: isReachable && resources.some(({ kind }) => kind === 'object_namespace'),
    reason: resources.flatMap(({ name }) => lost.get(name) ?? [])[0] ?? null,
  }))
  const isAsked = judged.some((one) => one.reason === null && one.hasObjects)
  const silence = isAsked ? await unreachableReason(platform, project, signal) : null
  return judged.flatMap((one) => {
    const reason = one.reason ?? (one.hasObjects ? silence : null)
    return reason === null ? [] : [{ key: one.key, reason }]
  })
}

/** Returns why the Durable Objects do not respond, or null when they do. */
async function unreachableReason(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await pingObjects(platform, project, signal)
    return null
  } catch (error) {
    return inspectionErrorText(error, signal)
  }
}

function inspectionErrorText(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The cloud account did not respond in time.'
  if (error instanceof ApiError || error instanceof ProviderError) return error.message
  throw error
}
