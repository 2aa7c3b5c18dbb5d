import type { Cloud } from '../cloudflare/client.ts'
import type { Db } from '../db/database.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { PlatformPorts } from '../platform.ts'
import type { Finding, ProjectContext, RegisteredResource } from './kinds/kind.ts'
import { RESOURCE_KINDS } from './kinds/table.ts'
import type { ProjectRef } from './work.ts'

/** A finding is trusted for this long before the resource is inspected again. */
export const FINDING_CACHE_MS = 60_000
/** The list of resources is returned after at most this time, with old findings if new ones are not ready. */
const WAIT_MS_MAX = 5_000

/** Compares rows with the account. Returns a finding for each row of this account, and none for other rows. */
export async function inspectAll(
  cloud: Cloud,
  rows: readonly RegisteredResource[],
  of: ProjectContext,
): Promise<Map<string, Finding | ProviderError>> {
  const own = rows.filter((row) => row.account_id === cloud.accountId)
  const found = await Promise.all(
    own.map(async (row): Promise<[string, Finding | ProviderError]> => {
      try {
        return [row.id, await RESOURCE_KINDS[row.kind].find(cloud, row, of)]
      } catch (error) {
        if (error instanceof ProviderError) return [row.id, error]
        throw error
      }
    }),
  )
  return new Map(found)
}

/**
 * Compares rows whose finding is older than a minute with the account, and stores the result in the registry. When the account
 * does not respond or is not connected, the old findings are kept.
 */
export async function inspect<
  Row extends RegisteredResource & { looked_at: Date | null; found: Finding | null },
>(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  rows: readonly Row[],
  actor: string,
): Promise<Row[]> {
  const now = platform.clock.now()
  const isOld = ({ state, looked_at }: Row) =>
    state === 'ok' && (looked_at === null || now.getTime() - looked_at.getTime() > FINDING_CACHE_MS)
  const old = rows.filter(isOld)
  const before = new Date(now.getTime() - FINDING_CACHE_MS)
  const ids = await claimInspection(platform.db, project, old, { now, before })
  const claimed = old.filter((row) => ids.has(row.id))
  if (claimed.length === 0) return [...rows]
  const findings = await inspectNow(platform, project, claimed, actor)
  await storeFindings(platform.db, project, findings)
  return rows.map((row) => ({ ...row, found: findings.get(row.id) ?? row.found }))
}

async function inspectNow(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  rows: readonly RegisteredResource[],
  actor: string,
): Promise<Map<string, Finding>> {
  const signal = AbortSignal.timeout(WAIT_MS_MAX)
  // A separate call for each row, so that the other rows get their findings when one resource does not respond in time.
  const inspectRow = async (cloud: Cloud, row: RegisteredResource): Promise<[string, Finding][]> => {
    try {
      const found = await inspectAll(cloud, [row], { platform, project })
      return [...found].filter((one): one is [string, Finding] => typeof one[1] === 'string')
    } catch (error) {
      if (signal.aborted) return []
      throw error
    }
  }
  try {
    const cloud = await platform.accounts.openCloud({ orgId: project.org_id, actor, project, signal })
    const found = await Promise.all(rows.map((row) => inspectRow(cloud, row)))
    return new Map(found.flat())
  } catch (error) {
    if (signal.aborted || error instanceof ApiError || error instanceof ProviderError) return new Map()
    throw error
  }
}

/**
 * Claims rows for an inspection, so that only one of several simultaneous readers inspects a row. A failed inspection is repeated after a
 * minute.
 */
async function claimInspection(
  db: Db,
  project: ProjectRef,
  rows: readonly RegisteredResource[],
  { now, before }: { now: Date; before: Date },
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const claimed = await db
    .updateTable('resources')
    .set({ looked_at: now })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .where((eb) => eb.or([eb('looked_at', 'is', null), eb('looked_at', '<', before)]))
    .returning('id')
    .execute()
  return new Set(claimed.map(({ id }) => id))
}

async function storeFindings(
  db: Db,
  project: ProjectRef,
  findings: ReadonlyMap<string, Finding>,
): Promise<void> {
  for (const [finding, found] of Map.groupBy(findings, ([, finding]) => finding)) {
    await db
      .updateTable('resources')
      .set({ found: finding })
      .where('org_id', '=', project.org_id)
      .where('project_id', '=', project.id)
      .where(
        'id',
        'in',
        found.map(([id]) => id),
      )
      .execute()
  }
}
