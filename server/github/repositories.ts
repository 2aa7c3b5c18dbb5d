import * as z from 'zod'
import { changeGithub, type GithubAccess, readGithub } from './client.ts'
import { GithubError } from './errors.ts'

// The login is validated, because it becomes part of URLs to which the token is sent.
const Login = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/)

const User = z.looseObject({ id: z.number(), login: Login })

const Repository = z
  .looseObject({
    id: z.number(),
    name: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/),
    private: z.boolean(),
    description: z.string().nullish(),
    owner: User,
  })
  .transform(({ id, name, private: isPrivate, description, owner }) => ({
    id: String(id),
    name,
    isPrivate,
    description: description ?? null,
    owner: owner.login,
  }))
export type Repository = z.output<typeof Repository>

/** Returns the account of the token. Throws when the token is refused. */
export async function readUser(access: Omit<GithubAccess, 'login'>): Promise<{ id: string; login: string }> {
  const user = await readGithub(
    { ...access, login: '' },
    { path: '/user', result: User, doing: 'read whose sign-in this is' },
  )
  if (user === null) throw new GithubError('The code host returned an unexpected response.', { status: 404 })
  return { id: String(user.id), login: user.login }
}

/** Returns the account's repository with this name; null when there is none that the token may read. */
export async function findRepository(access: GithubAccess, name: string): Promise<Repository | null> {
  return await readGithub(access, {
    path: `/repos/${access.login}/${name}`,
    result: Repository,
    doing: 'look up the repository',
  })
}

/**
 * Creates a private repository. Throws when the account has one with this name. Does not retry: after a lost response
 * the caller first checks whether the repository exists.
 */
export async function createRepository(
  access: GithubAccess,
  wish: { name: string; description: string },
): Promise<Repository> {
  return await changeGithub(access, {
    path: '/user/repos',
    body: { ...wish, private: true, auto_init: false },
    result: Repository,
    doing: 'create the repository',
  })
}

/** The URL of the repository's page for people; programs use the API. */
export const repositoryUrl = (access: GithubAccess, name: string): string =>
  `${access.profile.web}/${access.login}/${name}`
