import type { Db } from '../db/database.ts'
import { type GithubAccess, pauseAfter } from '../github/client.ts'
import { PushRefusedError, pushMain, readRemoteMain } from '../github/git-remote.ts'
import { conflict } from '../http/errors.ts'
import { collectObjects, type MainBranch } from './main-branch.ts'

const PUSH_ATTEMPTS = 3

/**
 * Pushes main without ever overwriting commits of others. Each attempt first reads the remote branch, so that a push whose response was
 * lost is not repeated. Returns the branch's commit and whether this call moved it.
 */
export async function pushMainBranch(
  db: Db,
  access: GithubAccess,
  project: { id: string; slug: string },
  line: MainBranch,
): Promise<{ sha: string; isMoved: boolean }> {
  const ancestors = new Set(line.ancestors)
  let failure: unknown = null
  for (let attempt = 1; ; attempt++) {
    const remote = await readRemoteMainAgain(access, project.slug)
    if (remote === line.head) return { sha: remote, isMoved: failure !== null }
    if (remote !== null && !ancestors.has(remote)) {
      // A backup that started later has already pushed a newer commit.
      if (line.all.has(remote)) return { sha: remote, isMoved: false }
      throw foreignCommits(`${access.login}/${project.slug}`)
    }
    if (attempt > PUSH_ATTEMPTS) throw failure
    try {
      const objects = await collectObjects(db, project.id, line, remote)
      await pushMain(access, project.slug, { head: line.head, objects })
      return { sha: line.head, isMoved: true }
    } catch (error) {
      // The host refused the push because the branch has moved or for another reason. The next attempt reads the branch again to find out.
      const isRefusedOnce = error instanceof PushRefusedError && failure === null
      if (!isRefusedOnce) await pauseAfter(error, attempt, access.signal)
      failure = error
    }
  }
}

async function readRemoteMainAgain(access: GithubAccess, name: string): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readRemoteMain(access, name)
    } catch (error) {
      if (attempt === PUSH_ATTEMPTS) throw error
      await pauseAfter(error, attempt, access.signal)
    }
  }
}

const foreignCommits = (name: string) =>
  conflict(
    `The main branch of ${name} has commits that are not from this project. Slipway does not overwrite them: move them to another branch or repository first.`,
  )
