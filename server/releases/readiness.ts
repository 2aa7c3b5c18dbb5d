import { openCloud } from '../connections/cloud.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { inspectAll } from '../resources/inspect.ts'
import type { Registered } from '../resources/kinds/kind.ts'
import { listResourcesIn } from '../resources/list.ts'
import { adminName } from '../resources/names.ts'
import { type Need, parts } from '../resources/parts.ts'
import { lastUploadsName } from '../resources/uploads-name.ts'
import type { ProjectRef } from '../resources/work.ts'

/** The key under which the app's own worker is listed. */
const APP = 'app'
const WAIT_MS_MAX = 8_000

interface Failed {
  key: string
  reason: string
}

/**
 * Returns whether the app and its enabled capabilities could serve now. Inspects the account and pings the objects. A
 * failed call to the account is a reason in `failed`, never an exception.
 */
export async function readReadiness(platform: Platform, project: ProjectRef, actor: string) {
  const enabled = await parts().capabilities.states(platform.db, project.id)
  const warming = enabled.filter((one) => one.state === 'creating').map((one) => one.key)
  const failed: Failed[] = enabled
    .filter((one) => one.state === 'error')
    .map((one) => ({ key: one.key, reason: one.error?.message ?? 'It could not be set up.' }))
  const settled = enabled.filter((one) => one.state === 'idle').map((one) => one.key)
  const signal = AbortSignal.timeout(WAIT_MS_MAX)
  const account = await inspect(platform, project, { actor, signal })
  if ('refusal' in account) {
    // Without capabilities there is only the app to name.
    const keys = settled.length === 0 ? [APP] : settled
    failed.push(...keys.map((key) => ({ key, reason: account.refusal })))
  } else {
    failed.push(...account.app.map((reason) => ({ key: APP, reason })))
    failed.push(...(await findUnwell(platform, project, { settled, lost: account.lost, signal })))
  }
  return { ready: warming.length === 0 && failed.length === 0, warming, failed }
}

interface Inspected {
  /** By name of a resource, why it cannot be used. */
  lost: ReadonlyMap<string, string>
  /** What is wrong with the live worker. */
  app: string[]
}

/** Compares the registry with the account, or returns why it cannot be compared. */
async function inspect(
  platform: Platform,
  project: ProjectRef,
  by: { actor: string; signal: AbortSignal },
): Promise<Inspected | { refusal: string }> {
  try {
    const cloud = await openCloud(platform, { orgId: project.org_id, project, ...by })
    const rows = (await listResourcesIn(platform.db, project, cloud.accountId)).filter(
      (row) => row.tier !== 'preview',
    )
    const findings = await inspectAll(cloud, rows)
    const reasonOf = (row: Registered): string | null => {
      const finding = findings.get(row.id)
      if (finding === undefined) return `${row.name} belongs to a cloud account that is not connected.`
      if (finding instanceof ProviderError) return finding.message
      return finding === 'missing' ? `${row.name} is missing in the cloud account.` : null
    }
    const judged = rows.map((row) => ({ row, reason: reasonOf(row) }))
    const isLost = (one: (typeof judged)[number]): one is { row: Registered; reason: string } =>
      one.reason !== null
    const lost = judged.filter(isLost)
    return {
      lost: new Map(
        lost.filter(({ row }) => row.tier === 'shared').map(({ row, reason }) => [row.name, reason]),
      ),
      app: lost.filter(({ row }) => row.tier === 'production').map(({ reason }) => reason),
    }
  } catch (error) {
    return { refusal: refusalOf(error, by.signal) }
  }
}

/** Returns the settled capabilities that lack a resource or whose objects do not reply. */
async function findUnwell(
  platform: Platform,
  project: ProjectRef,
  { settled, lost, signal }: { settled: string[]; lost: ReadonlyMap<string, string>; signal: AbortSignal },
): Promise<Failed[]> {
  const uploads = (await lastUploadsName(platform.db, project)) ?? undefined
  const judged = parts()
    .capabilities.needs(settled, { ...project, uploads })
    .map((need) => ({
      key: need.key,
      hasObjects: hasObjects(need, project),
      reason: need.resources.flatMap(({ name }) => lost.get(name) ?? [])[0] ?? null,
    }))
  const isAsked = judged.some((one) => one.reason === null && one.hasObjects)
  const silence = isAsked ? await pingObjects(platform, project, signal) : null
  return judged.flatMap((one) => {
    const reason = one.reason ?? (one.hasObjects ? silence : null)
    return reason === null ? [] : [{ key: one.key, reason }]
  })
}

/** Whether the admin worker can reach the objects of a capability. */
const hasObjects = ({ resources }: Need, project: ProjectRef): boolean =>
  resources.some(({ kind }) => kind === 'object_namespace') &&
  resources.some(({ name }) => name === adminName(project))

/** Returns why the objects do not reply, or null when they do. */
async function pingObjects(
  platform: Platform,
  project: ProjectRef,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await parts().capabilities.ping(platform, project, signal)
    return null
  } catch (error) {
    return refusalOf(error, signal)
  }
}

function refusalOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The cloud account did not answer in time.'
  if (error instanceof ApiError || error instanceof ProviderError) return error.message
  throw error
}
