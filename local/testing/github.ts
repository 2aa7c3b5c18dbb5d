import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Octokit } from '@octokit/rest'
import { Hono } from 'hono'
import { Faults } from '../faults/faults.ts'
import { userForHint } from '../github/accounts.ts'
import { githubRoutes } from '../github/routes.ts'
import { issueGithubCode, redeemGithubCode } from '../github/tokens.ts'
import { Journal } from '../world/journal.ts'
import { silentLog } from '../world/log.ts'
import { openStore } from '../schema.ts'
import { HeldClock } from './held-clock.ts'

const ORIGIN = 'http://github.test'
const CLIENT = 'slipway-local'

export interface TestGithub {
  clock: HeldClock
  journal: Journal
  /** Sends a request to a path below `/github`. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Returns a new token of this user. Creates the user at the first call. */
  tokenOf(user: string, scopes?: string[]): string
  /** Returns GitHub's own client with a token. */
  client(token: string): Octokit
  close(): void
}

/** Creates the stand-in for GitHub, with a store in memory and a temporary folder for repositories. */
export function testGithub(): TestGithub {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-github-'))
  const store = openStore(':memory:')
  const journal = new Journal(store)
  const clock = new HeldClock()
  const { now } = clock
  const github = { store, journal, dir, faults: new Faults(0), log: silentLog, now, baseUrl: null }
  const app = new Hono().route('/github', githubRoutes(github))
  const request = async (path: string, init?: RequestInit) => app.request(`${ORIGIN}/github${path}`, init)
  const ignoreMessage = () => {}
  return {
    clock,
    journal,
    request,
    tokenOf: (user, scopes = ['repo']) => {
      const { id: userId } = userForHint(store, user, user, now())
      const redirectUri = 'http://localhost/back'
      const grant = { userId, clientId: CLIENT, redirectUri, scopes, challenge: null }
      const code = issueGithubCode(store, grant, now())
      const redeemed = redeemGithubCode(store, {
        code,
        clientId: CLIENT,
        redirectUri,
        verifier: '',
        at: now(),
      })
      if ('error' in redeemed) throw new Error(redeemed.error)
      return redeemed.secret
    },
    client: (auth) =>
      new Octokit({
        auth,
        baseUrl: `${ORIGIN}/github/api/v3`,
        log: { debug: ignoreMessage, info: ignoreMessage, warn: ignoreMessage, error: ignoreMessage },
        request: { fetch: async (url: string, init: RequestInit) => app.request(url, init) },
      }),
    close: () => {
      journal.flush()
      store.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
