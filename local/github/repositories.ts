import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import * as nodeFs from 'node:fs'
import { init } from 'isomorphic-git'
import { requireStored } from '../world/store.ts'
import { actsFor, type GithubAccount, readAccount } from './accounts.ts'
import { type Github, GithubFailure, notFound, type Viewer } from './context.ts'

export interface Repository {
  id: number
  owner: GithubAccount
  name: string
  description: string | null
  isPrivate: boolean
  defaultBranch: string
  createdAt: number
  updatedAt: number
  pushedAt: number | null
}

// Valid repository names. `.` and `..` would be paths of folders. Names that end with `.git` or `.wiki` are
// reserved, as at the provider: clone URLs end with `.git`.
const REPOSITORY_NAME = /^(?!\.{1,2}$)(?!.*\.(?:git|wiki)$)[A-Za-z0-9._-]{1,100}$/i

interface RepositoryRow {
  id: number
  owner_id: number
  name: string
  description: string | null
  private: number
  default_branch: string
  created_at: number
  updated_at: number
  pushed_at: number | null
}

const SELECT_REPOSITORIES =
  'SELECT r.* FROM github_repositories r JOIN github_accounts a ON a.id = r.owner_id'

/** Returns the repository; null when the repository does not exist or the viewer may not see it. */
export function findRepository(
  { store }: Github,
  path: { owner: string; name: string },
  viewer: Viewer | null,
): Repository | null {
  const row = store.get<RepositoryRow>(
    `${SELECT_REPOSITORIES} WHERE a.login = ? AND r.name = ?`,
    path.owner,
    path.name,
  )
  if (row === undefined) return null
  const isOpen =
    row.private === 0 || (viewer !== null && mayUseRepositoriesOf({ store }, viewer, row.owner_id))
  return isOpen ? toRepository({ store }, row) : null
}

/** Returns the repository, or throws 404 for the REST API. */
export function requireRepository(
  github: Github,
  path: { owner: string; name: string },
  viewer: Viewer,
): Repository {
  const repository = findRepository(github, path, viewer)
  if (repository === null) throw notFound()
  return repository
}

export const mayWrite = ({ store }: Github, viewer: Viewer, repository: Repository): boolean =>
  actsFor(store, viewer.user.id, repository.owner.id) &&
  (viewer.token.scopes.includes('repo') ||
    (!repository.isPrivate && viewer.token.scopes.includes('public_repo')))

/** Lists the repositories of the user and of the user's organizations, newest first. */
export function listRepositories({ store }: Github, viewer: Viewer): Repository[] {
  const rows = store.all<RepositoryRow>(`${SELECT_REPOSITORIES} ORDER BY r.id DESC`)
  return rows
    .filter((row) => actsFor(store, viewer.user.id, row.owner_id))
    .filter((row) => row.private === 0 || viewer.token.scopes.includes('repo'))
    .map((row) => toRepository({ store }, row))
}

/** Creates the folder before the row, so that every row has a folder. */
export async function createRepository(
  github: Github,
  owner: GithubAccount,
  input: { name: string; description: string | null; isPrivate: boolean },
): Promise<Repository> {
  const { store } = github
  // As at the provider, the reason is in `errors` only.
  const nameProblem = (code: string, message: string) =>
    new GithubFailure(422, 'Repository creation failed.', {
      errors: [{ resource: 'Repository', field: 'name', code, message }],
    })
  if (!REPOSITORY_NAME.test(input.name)) throw nameProblem('invalid', 'name is not a valid repository name')
  const nameTakenProblem = () => nameProblem('custom', 'name already exists on this account')
  const isTaken = () =>
    store.get('SELECT 1 FROM github_repositories WHERE owner_id = ? AND name = ?', owner.id, input.name) !==
    undefined
  if (isTaken()) throw nameTakenProblem()
  const gitdir = folderOf(github, { owner: owner.login, name: input.name })
  await fs.mkdir(gitdir, { recursive: true, mode: 0o700 })
  await init({ fs: nodeFs, gitdir, dir: gitdir, bare: true, defaultBranch: 'main' })
  // Check again: another request may have created the repository meanwhile, in the same folder.
  if (isTaken()) throw nameTakenProblem()
  const at = github.now()
  store.run(
    `INSERT INTO github_repositories
       (owner_id, name, description, private, default_branch, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'main', ?, ?)`,
    owner.id,
    input.name,
    input.description,
    Number(input.isPrivate),
    at,
    at,
  )
  const sql = 'SELECT * FROM github_repositories WHERE owner_id = ? AND name = ?'
  const row = requireStored(store.get<RepositoryRow>(sql, owner.id, input.name))
  return toRepository(github, row)
}

export function updateRepository(
  { store, now }: Github,
  repository: Repository,
  change: { description?: string | null; isPrivate?: boolean; defaultBranch?: string },
): Repository {
  const next = { ...repository, ...change, updatedAt: now() }
  store.run(
    'UPDATE github_repositories SET description = ?, private = ?, default_branch = ?, updated_at = ? WHERE id = ?',
    next.description,
    Number(next.isPrivate),
    next.defaultBranch,
    next.updatedAt,
    repository.id,
  )
  return next
}

export function markPushed({ store, now }: Github, repository: Repository): void {
  store.run('UPDATE github_repositories SET pushed_at = ? WHERE id = ?', now(), repository.id)
}

/** Returns the folder of a repository, in lower case because names are case-insensitive. */
export const folderOf = ({ dir }: Github, path: { owner: string; name: string }): string =>
  join(dir, path.owner.toLowerCase(), `${path.name.toLowerCase()}.git`)

export const gitdirOf = (github: Github, repository: Repository): string =>
  folderOf(github, { owner: repository.owner.login, name: repository.name })

const mayUseRepositoriesOf = ({ store }: Pick<Github, 'store'>, viewer: Viewer, ownerId: number): boolean =>
  actsFor(store, viewer.user.id, ownerId) && viewer.token.scopes.includes('repo')

function toRepository({ store }: Pick<Github, 'store'>, row: RepositoryRow): Repository {
  return {
    id: row.id,
    owner: requireStored(readAccount(store, row.owner_id)),
    name: row.name,
    description: row.description,
    isPrivate: row.private === 1,
    defaultBranch: row.default_branch,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    pushedAt: row.pushed_at,
  }
}
