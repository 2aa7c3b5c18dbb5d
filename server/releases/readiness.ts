import * as z from 'zod'
import { lastUploadsName } from '../attachments/upload-place.ts'
import { type Capability, operatorDoor } from '../capabilities/capability.ts'
import { capabilityOf, isCapabilityKey } from '../capabilities/catalog.ts'
import { listCapabilities } from '../capabilities/capabilities.ts'
import { callOperator } from '../capabilities/operator/call.ts'
import { openCloud } from '../connections/cloud.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import type { Owner, Registered } from '../resources/kinds/kind.ts'
import { listResourcesIn } from '../resources/list.ts'
import { findAll } from '../resources/inspect.ts'

/** The key under which the app's own worker is listed. */
const APP = 'app'
const PATIENCE_MS = 8_000

interface Failed {
  key: string
  reason: string
}

/**
 * Whether the app and its switched-on capabilities could serve right now. Looks into the account and asks the objects;
 * what cannot be looked at or asked is not ready and has a reason, so that this never throws for the account's sake.
 */
export async function readReadiness(platform: Platform, project: Owner, actor: string) {
  const enabled = (await listCapabilities(platform.db, project.id)).filter((one) => one.enabled)
  const warming = enabled.filter((one) => one.provision.state === 'creating').map((one) => one.key)
  const failed: Failed[] = enabled
    .filter((one) => one.provision.state === 'error')
    .map((one) => ({ key: one.key, reason: one.provision.error?.message ?? 'It could not be set up.' }))
  const settled = enabled.filter((one) => one.provision.state === 'idle').map((one) => one.key)
  const signal = AbortSignal.timeout(PATIENCE_MS)
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
  /** Why things of a name do not serve. */
  lost: ReadonlyMap<string, string>
  /** What is wrong with the worker that is live. */
  app: string[]
}

/** Compares the registry with the account, or says why the account cannot be looked at. */
async function inspect(
  platform: Platform,
  project: Owner,
  by: { actor: string; signal: AbortSignal },
): Promise<Inspected | { refusal: string }> {
  try {
    const cloud = await openCloud(platform, { orgId: project.org_id, project, ...by })
    const rows = (await listResourcesIn(platform.db, project, cloud.accountId)).filter(
      (row) => row.tier !== 'preview',
    )
    const findings = await findAll(cloud, rows)
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

/** The settled capabilities that lack something, or whose objects do not answer. */
async function findUnwell(
  platform: Platform,
  project: Owner,
  { settled, lost, signal }: { settled: string[]; lost: ReadonlyMap<string, string>; signal: AbortSignal },
): Promise<Failed[]> {
  const uploads = (await lastUploadsName(platform.db, project)) ?? undefined
  const declared = settled.filter(isCapabilityKey).map(capabilityOf)
  const named = { ...project, uploads }
  const reasons = declared.map((one) => {
    const reason = one.resources(named).flatMap(({ name }) => lost.get(name) ?? [])[0] ?? null
    return { one, reason }
  })
  const asked = reasons.some(({ one, reason }) => reason === null && hasObjects(one))
  const silence = asked ? await askObjects(platform, project, signal) : null
  return reasons.flatMap(({ one, reason }) => {
    const told = reason ?? (hasObjects(one) ? silence : null)
    return told === null ? [] : [{ key: one.key, reason: told }]
  })
}

/** Whether the operator's worker can ask the objects of a capability. */
const hasObjects = (one: Capability): boolean => {
  const kinds = one.resources({ slug: '' })
  const door = operatorDoor({ slug: '' })
  return kinds.some(({ kind }) => kind === 'object_namespace') && kinds.some(({ name }) => name === door.name)
}

/** Why the objects do not answer, or null when they do; the cheapest read that reaches one. */
async function askObjects(platform: Platform, project: Owner, signal: AbortSignal): Promise<string | null> {
  try {
    await callOperator(platform, project, {
      tier: 'production',
      method: 'GET',
      path: '/data/collections',
      result: z.array(z.unknown()),
      signal,
    })
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
