import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../world/journal.ts'
import type { Log } from '../world/log.ts'
import type { Store } from '../world/store.ts'
import type { GithubAccount } from './accounts.ts'
import type { GithubToken } from './tokens.ts'

/** Dependencies of the code host's routes. */
export interface Github {
  store: Store
  /** Folder of the bare repositories, `<owner>/<repository>.git` below it. */
  dir: string
  journal: Journal
  /** Null when fault injection is off. */
  faults: Faults | null
  log: Log
  /** Milliseconds since 1970. */
  now(): number
  /** Public address of the service: its redirects are allowed besides loopback. */
  baseUrl: string | null
}

/** The caller: a token and its user. */
export interface Viewer {
  token: GithubToken
  user: GithubAccount
}

/** What the middleware has found out when a route runs: the caller, and whether a fault was asked for. */
export interface GithubEnv {
  Variables: {
    viewer: Viewer
    /** The injected fault, for the journal. */
    fault: string
    isUnimplemented: boolean
  }
}

/** An error of the REST API in the provider's form. */
export class GithubFailure extends Error {
  readonly status: number
  readonly errors: object[] | undefined
  readonly headers: Record<string, string>
  constructor(
    status: number,
    message: string,
    more: { errors?: object[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.headers = more.headers ?? {}
  }
}

export const notFound = () => new GithubFailure(404, 'Not Found')

/** Returns a validation error: the provider names resource, field and kind of mistake. */
export const unprocessable = (resource: string, field: string, code: string, message: string) =>
  new GithubFailure(422, message, { errors: [{ resource, field, code, message }] })
