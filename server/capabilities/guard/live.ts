import { createHash } from 'node:crypto'
import type { Binding } from '../../cloudflare/products/upload.ts'
import type { Core } from '../../core.ts'
import type { AccountWorkerParts } from '../../capability-declaration/capability.ts'
import { findResource } from '../../resources/registry.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { parseSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { GuardSettings, widgetName } from './declaration.ts'

/**
 * The lowest number that the service uses as the namespace of a rate limit. High, because other workers of the
 * account probably use low numbers.
 */
const NAMESPACE_FIRST = 700_000_000
const RATE_LIMIT_NAMESPACES = 100_000_000

/** Returns the live worker's settings for bot protection. */
export async function readLiveGuard(
  { db }: Core,
  project: Pick<ProjectRef, 'id' | 'org_id' | 'slug'>,
  accountId: string,
): Promise<AccountWorkerParts> {
  const key = { orgId: project.org_id, projectId: project.id, accountId }
  const [stored, widget] = await Promise.all([
    readStoredSettings(db, project.id, 'guard'),
    findResource(db, { ...key, kind: 'widget', name: widgetName(project) }),
  ])
  const { limits } = parseSettings(GuardSettings, stored)
  return {
    variables: { GUARD_SITE_KEY: widget?.provider_id ?? '' },
    bindings: limits.map(({ name, limit, period }, at): Binding => ({
      type: 'ratelimit',
      name: `GUARD_LIMIT_${at}`,
      namespace_id: namespaceOf(project.id, name),
      simple: { limit, period },
    })),
  }
}

/**
 * Returns the namespace of a rate limit, a number that depends only on the project and the name of the limit. Two
 * projects may get the same number by chance. This does no harm, because the projects count different keys.
 */
function namespaceOf(projectId: string, name: string): string {
  const hash = createHash('sha256').update(`${projectId} ${name}`).digest()
  return String(NAMESPACE_FIRST + (hash.readUInt32BE(0) % RATE_LIMIT_NAMESPACES))
}
