import { lastUploadsName } from '../attachments/upload-place.ts'
import { capabilityOf, isCapabilityKey } from '../capabilities/catalog.ts'
import { listCapabilities } from '../capabilities/capabilities.ts'
import { openCloud } from '../connections/cloud.ts'
import type { Platform } from '../platform.ts'
import type { Owner } from './kinds/kind.ts'
import { listResources } from './list-resources.ts'
import { findAll } from './look.ts'

/** Which switched-on capabilities could serve right now; looks into the account, not only into the registry. */
export async function readReadiness(platform: Platform, project: Owner, actor: string) {
  const enabled = (await listCapabilities(platform.db, project.id)).filter((one) => one.enabled)
  const warming = enabled.filter((one) => one.provision.state === 'creating').map((one) => one.key)
  const failed = enabled
    .filter((one) => one.provision.state === 'error')
    .map((one) => ({ key: one.key, reason: one.provision.error?.message ?? 'It could not be set up.' }))
  const settled = enabled.filter((one) => one.provision.state === 'idle').map((one) => one.key)
  const missing = settled.length === 0 ? [] : await findMissing(platform, project, actor)
  const uploads = (await lastUploadsName(platform.db, project)) ?? undefined
  for (const key of settled) {
    const declared = isCapabilityKey(key) ? capabilityOf(key) : null
    const lost = declared?.resources({ ...project, uploads }).find((one) => missing.includes(one.name))
    if (lost !== undefined) failed.push({ key, reason: `${lost.name} is missing in the cloud account.` })
  }
  return { ready: warming.length === 0 && failed.length === 0, warming, failed }
}

/** Names of what the registry holds and the account does not. */
async function findMissing(platform: Platform, project: Owner, actor: string): Promise<string[]> {
  const cloud = await openCloud(platform, { orgId: project.org_id, actor, project })
  const rows = (await listResources(platform.db, project)).filter((row) => row.tier === 'shared')
  const findings = await findAll(cloud, rows)
  for (const finding of findings.values()) if (finding instanceof Error) throw finding
  return rows.filter((row) => findings.get(row.id) === 'missing').map((row) => row.name)
}
