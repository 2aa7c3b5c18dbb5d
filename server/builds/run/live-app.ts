import { setTimeout as sleep } from 'node:timers/promises'
import { readCollections } from '../../capabilities/data/reads.ts'
import type { PlatformPorts } from '../../platform.ts'
import type { ProjectRow } from '../../projects/store.ts'
import { latestDeployment } from '../../deployments/store.ts'

/**
 * How long a build waits for the counts of records. After this time the build starts without the counts, because a
 * person waits for the build.
 */
const COUNT_MS_MAX = 2_000

/**
 * Returns lines that tell the model whether people use the app already, because a change of fields affects the records of a live app.
 * Returns no lines before the first build. The lines say which counts are missing because the app did not return them in time.
 */
export async function describeLiveUsage(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRow,
  enabled: ReadonlySet<string>,
): Promise<string[]> {
  if (project.head_sha === null) return []
  const live = await latestDeployment(platform.db, project, 'production', ['live'])
  if (project.lifecycle !== 'live' || live === null)
    return ['The app is not live: the only records are those of its preview.']
  const since = (live.live_at ?? live.created_at).toISOString().slice(0, 10)
  const lines = [`The app is live at ${live.url}, in this version since ${since}. People use it.`]
  return enabled.has('data') ? [...lines, await describeRecords(platform, project)] : lines
}

async function describeRecords(platform: PlatformPorts<'accounts'>, project: ProjectRow): Promise<string> {
  const given = new AbortController()
  const late = sleep(COUNT_MS_MAX, null, { signal: given.signal }).catch(() => null)
  const counted = readCollections(platform, project).catch((error: unknown) => {
    platform.log.warn({ err: error, project: project.id }, 'records were not counted for a build')
    return null
  })
  const collections = await Promise.race([counted, late])
  given.abort()
  if (collections === null) return 'Its records could not be counted: expect some in every collection.'
  if (collections.length === 0) return 'It keeps no records.'
  return `Its records: ${collections.map(({ name, count }) => `${name} ${count}`).join(', ')}.`
}
