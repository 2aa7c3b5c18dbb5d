import type { BackupsTable } from '../db/tables/connections.ts'
import { type GithubAccess, pauseAfter } from '../github/client.ts'
import { createRepository, findRepository, type Repository } from '../github/repositories.ts'
import { conflict } from '../http/errors.ts'

const ATTEMPTS = 3
const NAME_TAKEN = 422

/**
 * The repository under the project's address: the one it has, or a new private one. A repository of that name which
 * is not known yet is taken only when nobody else can read it; whether what is in it is ours, the push finds out.
 * `isNew` says that a call for this project made it and may not have lived to record that.
 */
export async function ensureRepository(
  access: GithubAccess,
  project: { id: string; slug: string },
  known: BackupsTable | undefined,
): Promise<{ repository: Repository; isNew: boolean }> {
  const wish = { name: project.slug, description: `Built with Slipway (${project.id})` }
  const accept = (found: Repository) => {
    if (known?.profile === access.profile.name && known.repository_id === found.id)
      return { repository: found, isNew: false }
    if (!found.isPrivate) throw alreadyPublic(found)
    return { repository: found, isNew: found.description === wish.description }
  }
  const found = await findRepository(access, wish.name)
  if (found !== null) return accept(found)
  for (let attempt = 1; ; attempt++) {
    try {
      return accept(await createRepository(access, wish))
    } catch (error) {
      const { status, retryable } = error as { status?: number | null; retryable?: boolean }
      // Nobody knows whether it was made, or somebody was faster: look before it is sent again.
      const isUnclear = retryable === true || status === NAME_TAKEN
      const made = isUnclear ? await findRepository(access, wish.name) : null
      if (made !== null) return accept(made)
      if (attempt === ATTEMPTS) throw error
      await pauseAfter(error, attempt, access.signal)
    }
  }
}

const alreadyPublic = ({ owner, name }: Repository) =>
  conflict(
    `The GitHub account has a public repository ${owner}/${name} already. Rename it or make it private.`,
  )
