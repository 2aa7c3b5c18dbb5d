import { sql } from 'kysely'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { joinProject } from '../sql/projects.ts'
import { joinCustomDomain } from '../sql/resources.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { attach } from './attach.ts'
import { readDomain } from './domains.ts'
import { type DomainProject, refreshFacts } from './status.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const DOMAINS_AT_ONCE = 50
/** Domains are checked for a day after they were attached. A person has to fix a certificate that is still pending after a day. */
const WATCH_DURATION_MS = DAY_MS
const WAIT_MS = 1_000

/**
 * Checks domains whose certificate is pending, so that their projects get the new address even when no person requests
 * the status. Completes attachments whose process died or whose response was lost.
 */
export const watchDomains: ScheduledTask<PlatformPorts<'accounts' | 'widgets'>> = {
  name: 'watch-domains',
  every: 'minute',
  async run(platform, signal) {
    for (const project of await listWaiting(platform)) {
      if (signal.aborted) return
      await attachAndRefresh(platform, project).catch((error: unknown) => {
        const isExpected = error instanceof ProviderError || error instanceof ApiError
        // A failed domain must not keep the others from being checked.
        platform.log[isExpected ? 'info' : 'error'](
          { err: error, projectId: project.id },
          'a domain still waits',
        )
      })
    }
  },
}

interface WaitingDomain extends DomainProject {
  state: 'creating' | 'ok' | 'error'
}

/**
 * Returns live projects with a domain that is attached or being attached but not active yet. In random order, because
 * domains that cannot be attached stay in the list: in a fixed order fifty of them would keep all others from being checked.
 */
async function listWaiting({ db, clock }: Core): Promise<WaitingDomain[]> {
  const since = new Date(clock.now().getTime() - WATCH_DURATION_MS)
  const { rows } = await sql<WaitingDomain>`
    select p.id, p.org_id, p.name, p.slug, p.lifecycle, r.state
    from domains d ${sql.raw(joinCustomDomain('d'))} ${sql.raw(joinProject('d'))}
    where d.url is null and r.updated_at > ${since}
      and p.lifecycle = 'live' and p.deleting_at is null
    order by random() limit ${DOMAINS_AT_ONCE}`.execute(db)
  return rows
}

async function attachAndRefresh(
  platform: PlatformPorts<'accounts' | 'widgets'>,
  project: WaitingDomain,
): Promise<void> {
  const actor = 'slipway'
  if (project.state !== 'ok') {
    const cloud = await platform.accounts.openCloud({ orgId: project.org_id, actor, project })
    await attach(platform, cloud, project, WAIT_MS)
  }
  const row = await readDomain(platform.db, project)
  if (row !== null) await refreshFacts(platform, project, row, { actor, fresh: false })
}
