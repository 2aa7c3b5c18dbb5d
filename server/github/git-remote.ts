import { Errors, type HttpClient, listServerRefs, push } from 'isomorphic-git'
import { type GithubAccess, readResponseBytes, sendTo } from './client.ts'
import { errorFromResponse, GithubError } from './errors.ts'
import { GIT_FOLDER, memoryRepository, type StoredObject } from './memory-repository.ts'

const MAIN_REF = 'refs/heads/main'
const TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/**
 * Thrown when the code host received a push but refused to change the branch. The message contains the reason that
 * the code host gave.
 */
export class PushRefusedError extends GithubError {}

/** Returns the commit to which the branch `main` at the code host points, or null when the branch does not exist. */
export async function readRemoteMain(access: GithubAccess, name: string): Promise<string | null> {
  return await withConnection(access, name, 'read the repository', async (connection) => {
    const refs = await listServerRefs({ ...connection, forPush: true, protocolVersion: 1 })
    return refs.find((one) => one.ref === MAIN_REF)?.oid ?? null
  })
}

/**
 * Pushes the branch main without force. The code host refuses the push when its branch has changed since
 * `readRemoteMain`.
 */
export async function pushMain(
  access: GithubAccess,
  name: string,
  main: { head: string; objects: ReadonlyMap<string, StoredObject> },
): Promise<void> {
  await withConnection(access, name, 'take the push', async (connection) => {
    const fs = memoryRepository(main.head, main.objects)
    const options = {
      fs,
      gitdir: GIT_FOLDER,
      dir: GIT_FOLDER,
      ref: MAIN_REF,
      remoteRef: MAIN_REF,
      remote: 'origin',
    }
    await push({ ...options, ...connection, force: false })
  })
}

function connectionTo(access: GithubAccess, name: string, doing: string) {
  const basic = Buffer.from(`x-access-token:${access.token}`).toString('base64')
  return {
    http: gitHttp(access, doing),
    url: `${access.profile.web}/${access.login}/${name}.git`,
    headers: { Authorization: `Basic ${basic}`, 'User-Agent': 'git/slipway' },
  }
}

/**
 * Returns an HTTP client for the git library. Its requests go through the client of all other code host calls, so
 * limits and error messages are the same.
 */
function gitHttp({ signal }: GithubAccess, doing: string): HttpClient {
  return {
    request: async ({ url, method = 'GET', headers = {}, body }) => {
      const parts: Uint8Array[] = []
      for await (const part of body ?? []) parts.push(part)
      const response = await sendTo(url, {
        method,
        headers,
        ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
        timeoutMs: TIMEOUT_MS,
        signal,
      })
      const bytes = await readResponseBytes(response, ANSWER_BYTES_MAX)
      if (!response.ok) {
        const { status, headers: given } = response
        throw errorFromResponse({
          status,
          doing,
          said: bytes.toString('utf8'),
          header: (key) => given.get(key),
        })
      }
      return {
        url,
        method,
        statusCode: response.status,
        statusMessage: response.statusText,
        headers: Object.fromEntries(response.headers),
        body: (async function* () {
          yield bytes
        })(),
      }
    },
  }
}

/** Runs `work` with the git library's options for a connection to the code host. Converts every failure to a `GithubError`. */
async function withConnection<T>(
  access: GithubAccess,
  name: string,
  doing: string,
  work: (connection: ReturnType<typeof connectionTo>) => Promise<T>,
): Promise<T> {
  try {
    return await work(connectionTo(access, name, doing))
  } catch (error) {
    throw asGithubError(error, doing)
  }
}

function asGithubError(error: unknown, doing: string): GithubError {
  if (error instanceof GithubError) return error
  if (error instanceof Errors.PushRejectedError)
    return new PushRefusedError('The code host refused to take the push: it is not a fast-forward.')
  if (error instanceof Errors.GitPushError) {
    const reason = error.data.prettyDetails.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
    return new PushRefusedError(`The code host refused to take the push: ${reason}`)
  }
  return new GithubError(`The code host could not ${doing}.`, { cause: error })
}
