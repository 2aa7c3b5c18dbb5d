import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../world/journal.ts'
import type { Log } from '../world/log.ts'
import type { Store } from '../world/store.ts'
import type { GithubAccount } from './accounts.ts'
import type { GithubToken } from './tokens.ts'

/** What the routes of the code host work with. */
export interface Github {
  store: Store
  /** Folder of the bare repositories, `<owner>/<repository>.git` below it. */
  dir: string
  journal: Journal
  /** Null: no failures can be asked for. */
  faults: Faults | null
  log: Log
  /** Milliseconds since 1970. */
  now(): number
  /** Outside address of the service: its redirects are allowed beside loopback. */
  baseUrl: string | null
}

/** Who calls: a token and its person. */
export interface Viewer {
  token: GithubToken
  user: GithubAccount
}

export interface GithubEnv {
  Variables: {
    viewer: Viewer
    /** What a fault did to this call, for the journal. */
    fault: string
    isUnimplemented: boolean
  }
}

/** A refusal of the REST API, in the provider's shape. */
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

/** Something in the body is wrong: the provider names resource, field and kind of mistake. */
export const unprocessable = (resource: string, field: string, code: string, message: string) =>
  new GithubFailure(422, message, { errors: [{ resource, field, code, message }] })
