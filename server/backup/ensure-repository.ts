import type { BackupsTable } from '../db/tables/connections.ts'
import { type GithubAccess, pauseAfter } from '../github/client.ts'
import { createRepository, findRepository, type Repository } from '../github/repositories.ts'
import { conflict } from '../http/errors.ts'

const NAME_ATTEMPTS = 3
const NAME_TAKEN = 422

/**
 * Returns the project's repository: the recorded repository, or a new private one. A repository of that name that was
 * not recorded is used only when it is private; the push then checks whether its commits are the project's. `isNew` is
 * true when the service created the repository for this project and has not recorded it: in this call, or in an
 * earlier call whose process died before the recording.
 */
export async function ensureRepository(
  access: GithubAccess,
  project: { id: string; slug: string },
  known: BackupsTable | undefined,
): Promise<{ repository: Repository; isNew: boolean }> {
  const desired = { name: project.slug, description: `Built with Slipway (${project.id})` }
  const requireUsable = (found: Repository) => {
    if (known?.profile === access.profile.name && known.repository_id === found.id)
      return { repository: found, isNew: false }
    if (!found.isPrivate) throw alreadyPublic(found)
    return { repository: found, isNew: found.description === desired.description }
  }
  const found = await findRepository(access, desired.name)
  if (found !== null) return requireUsable(found)
  for (let attempt = 1; ; attempt++) {
    try {
      return requireUsable(await createRepository(access, desired))
    } catch (error) {
      const { status, retryable } = error as { status?: number | null; retryable?: boolean }
      // The repository may have been created by this call or another one, so look for it before repeating the call.
      const isUnclear = retryable === true || status === NAME_TAKEN
      const made = isUnclear ? await findRepository(access, desired.name) : null
      if (made !== null) return requireUsable(made)
      if (attempt === NAME_ATTEMPTS) throw error
      await pauseAfter(error, attempt, access.signal)
    }
  }
}

const alreadyPublic = ({ owner, name }: Repository) =>
  conflict(
    `The GitHub account has a public repository ${owner}/${name} already. Rename it or make it private.`,
  )
