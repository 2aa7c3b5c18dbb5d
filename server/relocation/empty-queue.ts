import { jobsName } from '../capabilities/queue/declaration.ts'
import { countMessages, findQueue } from '../cloudflare/queues.ts'
import { openCloud } from '../connections/cloud.ts'
import { conflict } from '../http/errors.ts'
import type { Move } from '../moves/moves.ts'
import { listResources } from '../resources/list.ts'
import type { Work } from '../resources/work.ts'

/**
 * Throws while jobs of the live app wait in the former account. They cannot be copied, because the provider delivers no message before it
 * is due.
 */
export async function requireEmptyQueue(work: Omit<Work, 'cloud'>, move: Move): Promise<void> {
  const { platform, project, actor, signal } = work
  const name = jobsName(project, 'production')
  const accountId = move.from_account
  const rows = await listResources(platform.db, project)
  if (!rows.some((row) => row.kind === 'queue' && row.account_id === accountId && row.name === name)) return
  const cloud = await openCloud(platform, { orgId: project.org_id, project, accountId, actor, signal })
  const queue = await findQueue(cloud, name)
  const count = queue === null ? 0 : await countMessages(cloud, queue)
  if (count === 0) return
  const jobs = count === 1 ? '1 job' : `${count} jobs`
  throw conflict(`The queue ${name} still holds ${jobs}. Ship again when they are done.`)
}
