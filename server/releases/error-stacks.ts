import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { enabledCapabilities } from '../capability-state/enabled.ts'
import { type Deployment, latestDeployment } from '../deployments/store.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import type { PlatformPorts } from '../platform.ts'
import { readRelease } from './bundle.ts'

type StackPorts = 'checkers' | 'packages'

/** An error of the live app, with the commit of the release that logged it. Both texts come from generated code. */
interface StackedError {
  stack: string | null
  release: string | null
}

const BUNDLE_FRAME = /\bworker\.js:\d+:\d+/
/**
 * How long a reader of errors waits. After this time the reader gets the stacks as logged, and the next reader gets the
 * located stacks.
 */
const WAIT_MS_MAX = 5_000

/** After a failure, reads of the errors do not bundle the release again for this time. */
const RETRY_AFTER_MS = 60_000

/**
 * Located stacks, keyed by the deployment's content hash and the logged stack. The value is the logged stack if it
 * could not be located.
 */
const locatedStacks = new LRUCache<string, string>({ max: 1_000 })
const running = new Map<string, Promise<void>>()

/**
 * Returns the errors with stacks that name places in the app's sources instead of places in its minified bundle. The release is bundled
 * again for this, in a child process (docs/decisions/0112-live-errors-are-located-by-bundling-again.md). Only stacks of the live release
 * can be located, and only until an update of the service changes the runtime. All other stacks are returned as logged.
 */
export async function locateErrors<E extends StackedError>(
  platform: PlatformPorts<StackPorts>,
  project: ProjectIds,
  errors: E[],
): Promise<E[]> {
  if (!errors.some(({ stack }) => stack !== null && BUNDLE_FRAME.test(stack))) return errors
  const live = await latestDeployment(platform.db, project, 'production', ['live'])
  const hash = live?.content_hash ?? null
  if (live === null || hash === null) return errors
  const keyOf = (stack: string) => `${hash} ${stack}`
  const own = errors.filter(({ release }) => release === live.sha).flatMap(({ stack }) => stack ?? [])
  const unknown = own.filter((stack) => BUNDLE_FRAME.test(stack) && !locatedStacks.has(keyOf(stack)))
  if (unknown.length > 0) {
    const work = running.get(live.id) ?? locate(platform, live, { hash, stacks: unknown, keyOf })
    running.set(live.id, work)
    await Promise.race([work, sleep(WAIT_MS_MAX, undefined, { ref: false })])
  }
  return errors.map((error) => {
    if (error.release !== live.sha || error.stack === null) return error
    return { ...error, stack: locatedStacks.get(keyOf(error.stack)) ?? error.stack }
  })
}

/** Stores the located stacks in the cache. A failure is logged and not thrown, because the errors can be shown without them. */
async function locate(
  platform: PlatformPorts<StackPorts>,
  live: Deployment,
  { hash, stacks, keyOf }: { hash: string; stacks: string[]; keyOf: (stack: string) => string },
): Promise<void> {
  const { org_id: owner, project_id: projectId, sha } = live
  try {
    const enabled = await enabledCapabilities(platform.db, projectId)
    const release = await readRelease(platform, { projectId, sha, enabled })
    // When the hashes differ, places in the new bundle are not those in the deployed bundle.
    const located = release.hash === hash ? await locateIn(platform, release.tree, { owner, stacks }) : stacks
    for (const [n, stack] of stacks.entries()) locatedStacks.set(keyOf(stack), located[n] ?? stack)
  } catch (error) {
    platform.log.warn({ err: error, projectId }, 'the stacks of live errors could not be located')
    for (const stack of stacks) locatedStacks.set(keyOf(stack), stack, { ttl: RETRY_AFTER_MS })
  } finally {
    running.delete(live.id)
  }
}

async function locateIn(
  { packages, checkers }: PlatformPorts<StackPorts>,
  tree: ReadonlyMap<string, string>,
  { owner, stacks }: { owner: string; stacks: string[] },
): Promise<string[]> {
  const folder = await packages.folderFor(tree, { owner, signal: AbortSignal.timeout(60_000) })
  return await checkers.locateStacks(tree, stacks, { packages: folder, owner })
}
