import type { Context } from 'hono'
import type { GithubAccount } from '../accounts.ts'
import type { Repository } from '../repositories.ts'

/** The address that the client used, so that links in responses work for it. */
export const githubBaseUrl = (c: Context): string => `${new URL(c.req.url).origin}/github`

const toIsoTime = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

export const accountShape = (base: string, account: GithubAccount) => ({
  login: account.login,
  id: account.id,
  node_id: nodeId(account.type, account.id),
  avatar_url: '',
  url: `${base}/api/v3/users/${account.login}`,
  html_url: `${base}/${account.login}`,
  type: account.type,
  site_admin: false,
})

/**
 * Returns a repository as the REST API shows it. `isOwn`: the caller is its owner or a member of the organization
 * that owns it, and so has all permissions; any other caller may only read.
 */
export const repositoryShape = (base: string, repository: Repository, isOwn = true) => {
  const { owner, name } = repository
  const path = `${owner.login}/${name}`
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name,
    full_name: path,
    private: repository.isPrivate,
    visibility: repository.isPrivate ? 'private' : 'public',
    owner: accountShape(base, owner),
    html_url: `${base}/${path}`,
    url: `${base}/api/v3/repos/${path}`,
    clone_url: `${base}/${path}.git`,
    description: repository.description,
    fork: false,
    archived: false,
    disabled: false,
    default_branch: repository.defaultBranch,
    created_at: toIsoTime(repository.createdAt),
    updated_at: toIsoTime(repository.updatedAt),
    pushed_at: toIsoTime(repository.pushedAt),
    permissions: { admin: isOwn, maintain: isOwn, push: isOwn, triage: isOwn, pull: true },
  }
}

const nodeId = (type: string, id: number): string => Buffer.from(`${type}:${id}`).toString('base64url')
