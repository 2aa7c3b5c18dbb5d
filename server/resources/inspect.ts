import type { Cloud } from '../cloudflare/client.ts'
import { openCloud } from '../connections/cloud.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import type { Finding, Owner, Registered } from './kinds/kind.ts'
import { KINDS } from './kinds/table.ts'

/** A look is kept for a minute, and nobody who reads a list waits longer than this for one. */
const KEPT_MS = 60_000
const PATIENCE_MS = 5_000

/** What each row's thing is like in the account; rows of another account have no finding. */
export async function findAll(
  cloud: Cloud,
  rows: readonly Registered[],
): Promise<Map<string, Finding | ProviderError>> {
  const own = rows.filter((row) => row.account_id === cloud.accountId)
  const found = await Promise.all(
    own.map(async (row): Promise<[string, Finding | ProviderError]> => {
      try {
        return [row.id, await KINDS[row.kind].find(cloud, row)]
      } catch (error) {
        if (error instanceof ProviderError) return [row.id, error]
        throw error
      }
    }),
  )
  return new Map(found)
}

/**
 * Looks into the account at rows nobody has looked at for a minute, and keeps what it found with them. An account
 * that does not answer, or is not connected, leaves the findings as they are.
 */
export async function refreshFindings<
  Row extends Registered & { looked_at: Date | null; found: Finding | null },
>(platform: Platform, project: Owner, rows: readonly Row[], actor: string): Promise<Row[]> {
  const now = platform.clock.now()
  const isOld = ({ state, looked_at }: Row) =>
    state === 'ok' && (looked_at === null || now.getTime() - looked_at.getTime() > KEPT_MS)
  const claimed = await claim(platform, project, rows.filter(isOld), now)
  if (claimed.length === 0) return [...rows]
  const findings = await look(platform, project, claimed, actor)
  await keep(platform, project, findings)
  return rows.map((row) => ({ ...row, found: findings.get(row.id) ?? row.found }))
}

/** Of many who read at once one looks; one who gets no answer leaves the next look to the next minute. */
async function claim<Row extends Registered>(
  platform: Platform,
  project: Owner,
  rows: readonly Row[],
  now: Date,
): Promise<Row[]> {
  if (rows.length === 0) return []
  const claimed = await platform.db
    .updateTable('resources')
    .set({ looked_at: now })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .where((eb) =>
      eb.or([eb('looked_at', 'is', null), eb('looked_at', '<', new Date(now.getTime() - KEPT_MS))]),
    )
    .returning('id')
    .execute()
  const ids = new Set(claimed.map(({ id }) => id))
  return rows.filter((row) => ids.has(row.id))
}

async function look(
  platform: Platform,
  project: Owner,
  rows: readonly Registered[],
  actor: string,
): Promise<Map<string, Finding>> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const cloud = await openCloud(platform, { orgId: project.org_id, actor, project, signal })
    const found = await findAll(cloud, rows)
    return new Map([...found].filter((one): one is [string, Finding] => typeof one[1] === 'string'))
  } catch (error) {
    if (signal.aborted || error instanceof ApiError || error instanceof ProviderError) return new Map()
    throw error
  }
}

async function keep(
  platform: Platform,
  project: Owner,
  findings: ReadonlyMap<string, Finding>,
): Promise<void> {
  for (const [finding, found] of Map.groupBy(findings, ([, finding]) => finding)) {
    await platform.db
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
