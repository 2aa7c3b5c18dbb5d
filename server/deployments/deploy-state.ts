import type { Db } from '../db/database.ts'
import { readRef } from '../git/store.ts'
import { latestDeployment } from './store.ts'

export interface DeployProject {
  id: string
  org_id: string
  lifecycle: 'offline' | 'live' | 'archived'
  url: string | null
  provision_error: string | null
}

/** The newest green version of a project, or null while nothing is built. */
export const builtSha = (db: Db, projectId: string) => readRef(db, projectId, 'refs/heads/main')

/** What is served, what could be, and how the last ship went. */
export async function readDeployState(db: Db, project: DeployProject) {
  const [built, latest] = await Promise.all([
    builtSha(db, project.id),
    latestDeployment(db, project, 'production', ['deploying', 'live', 'failed']),
  ])
  // Not asked beside the other: a ship that ends in between would be over, and what it replaced still live.
  const live =
    latest?.status === 'live' ? latest : await latestDeployment(db, project, 'production', ['live'])
  const failed = latest?.status === 'failed' && project.provision_error !== null
  return {
    state: stateOf(project, { isGoing: latest?.status === 'deploying', failed, isLive: live !== null }),
    // The project's own address follows its domain; what is served has the worker's.
    url: live === null ? null : (project.url ?? live.url),
    sha: live?.sha ?? null,
    builtSha: built,
    upToDate: live !== null && live.sha === built,
    deployedAt: live?.live_at?.toISOString() ?? null,
    error: failed ? latest.error : null,
  }
}

function stateOf(project: DeployProject, ship: { isGoing: boolean; failed: boolean; isLive: boolean }) {
  if (project.lifecycle === 'archived') return 'archived' as const
  if (ship.isGoing) return 'deploying' as const
  if (ship.failed) return 'error' as const
  return ship.isLive ? ('live' as const) : ('none' as const)
}
