import type { CallerContext, Context } from '../endpoint.ts'
import { builtSha } from '../releases/deploy-state.ts'
import type { GithubAccess } from '../github/client.ts'
import { repositoryUrl } from '../github/repositories.ts'
import { ApiError, isRefusal } from '../http/errors.ts'
import { requireNotDeleting } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { ensureRepository } from './ensure-repository.ts'
import { readMainBranch } from './main-branch.ts'
import { readBackup, recordCreated, recordFailed, recordPushed } from './record-backup.ts'
import { pushMainBranch } from './push-main-branch.ts'

/** Limits the duration of the whole backup, because a caller waits for it. */
const PUSH_TIMEOUT_MS = 120_000

/** Pushes main with its history to the project's repository at the code host, and creates the repository when it is missing. Idempotent. */
export async function backUpProject(ctx: Context<'accounts'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const head = await builtSha(ctx.db, projectId)
  if (head === null) throw new ApiError('invalid_request', 'Nothing is built yet: build a ticket first.')
  requireNotDeleting(project)
  return await ctx.accounts.withCodeHost(ctx.caller.organizationId, (access) =>
    pushMain(ctx, { ...access, signal: AbortSignal.timeout(PUSH_TIMEOUT_MS) }, project, head),
  )
}

async function pushMain(
  ctx: CallerContext<'db' | 'clock'>,
  access: GithubAccess,
  project: { id: string; name: string; slug: string },
  head: string,
) {
  const recordingFailure = async <T>(action: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      // Refusals of the service itself change nothing at the host, so they are not recorded.
      const target = `${access.login}/${project.slug}`
      if (!isRefusal(error)) await recordFailed(ctx, { project, target, action, error })
      throw error
    }
  }
  const known = await readBackup(ctx, project.id)
  const { repository, isNew } = await recordingFailure(
    known === undefined ? 'repository.created' : 'repository.pushed',
    () => ensureRepository(access, project, known),
  )
  const place = { access, project, repository }
  if (isNew) await recordCreated(ctx, place)
  const line = await readMainBranch(ctx.db, project.id, head)
  const sent = await recordingFailure('repository.pushed', () =>
    pushMainBranch(ctx.db, access, project, line).catch(async (error: unknown) => {
      // The commits are deleted with the project. When they are missing, the push fails although the code host is well, so throw a 404.
      await loadProject(ctx, project.id)
      throw error
    }),
  )
  const pushedAt = await recordPushed(ctx, place, line, sent)
  return {
    repository: { provider: 'github' as const, url: repositoryUrl(access, repository.name) },
    branch: 'main' as const,
    sha: sent.sha,
    pushedAt: pushedAt.toISOString(),
  }
}
