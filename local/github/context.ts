import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../world/journal.ts'
import type { Log } from '../world/log.ts'
import type { Store } from '../world/store.ts'
import type { GithubAccount } from './accounts.ts'
import type { GithubToken } from './tokens.ts'

export interface Github {
  store: Store
  /** The folder of the bare repositories, which are at `<owner>/<repository>.git` below it. */
  dir: string
  journal: Journal
  /** Null when fault injection is disabled. */
  faults: Faults | null
  log: Log
  /** Epoch milliseconds. */
  now(): number
  /** Public address of the service. Redirects are allowed to this address and to loopback addresses only. */
  baseUrl: string | null
}

/** The user of a request and the token that the request is authorized with. */
export interface Viewer {
  token: GithubToken
  user: GithubAccount
}

/** The variables that the middleware sets before a route runs. */
export interface GithubEnv {
  Variables: {
    viewer: Viewer
    /** The injected fault, which the journal of calls records. */
    fault: string
    isUnimplemented: boolean
  }
}

/** An error response in the provider's format; `errors` lists the details. */
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

/** The provider also responds with 404 to a request for something that the user may not see. */
export const notFound = () => new GithubFailure(404, 'Not Found')

/** Returns a validation error. As at the provider, the error names the resource, the field and the kind of mistake. */
export const unprocessable = (resource: string, field: string, code: string, message: string) =>
  new GithubFailure(422, message, { errors: [{ resource, field, code, message }] })
