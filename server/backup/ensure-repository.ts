import type { BackupsTable } from '../db/tables/connections.ts'
import { type GithubAccess, pauseAfter } from '../github/client.ts'
import { createRepository, findRepository, type Repository } from '../github/repositories.ts'
import { conflict } from '../http/errors.ts'

const ATTEMPTS = 3
const NAME_TAKEN = 422

/**
 * The repository under the project's address: the one it has, or a new private one. A repository of that name which
 * is not known yet is taken only when nobody else can read it: it may be our own, made just before a crash. Whether
 * what is in it is ours, the push finds out.
 */
export async function ensureRepository(
  access: GithubAccess,
  project: { name: string; slug: string },
  known: BackupsTable | undefined,
): Promise<{ repository: Repository; isNew: boolean }> {
  const found = await findRepository(access, project.slug)
  if (found !== null) return { repository: accept(access, found, known), isNew: false }
  const description = `${project.name}, built with Slipway`.replaceAll(/\p{Cc}+/gu, ' ')
  for (let attempt = 1; ; attempt++) {
    try {
      return { repository: await createRepository(access, { name: project.slug, description }), isNew: true }
    } catch (error) {
      const { status, retryable } = error as { status?: number | null; retryable?: boolean }
      // Nobody knows whether it was made, or somebody was faster: look before it is sent again.
      const made =
        retryable === true || status === NAME_TAKEN ? await findRepository(access, project.slug) : null
      if (made !== null) return { repository: accept(access, made, known), isNew: status !== NAME_TAKEN }
      if (attempt === ATTEMPTS) throw error
      await pauseAfter(error, attempt, access.signal)
    }
  }
}

function accept(access: GithubAccess, found: Repository, known: BackupsTable | undefined): Repository {
  const isKnown = known?.profile === access.profile.name && known.repository_id === found.id
  if (!isKnown && !found.isPrivate) {
    throw conflict(
      `The GitHub account has a public repository ${found.owner}/${found.name} already. Rename it or make it private.`,
    )
  }
  return found
}
