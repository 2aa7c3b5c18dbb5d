import type { HandlersOf, Method } from '../kernel/objects/calls.ts'
import type { AccountDump } from './objects/account.ts'
import type { AccountCalls, UserListCalls } from './objects/objects.ts'
import type { RedeemMethod } from './objects/one-time.ts'

/** The RPC methods as `part.ts` implements them. */
export interface MadeMethods {
  account: Method<AccountCalls>
  /** Called on the Durable Object of the directory. */
  users: Method<UserListCalls>
}

/** The RPC methods as callers see them. The return type of `redeem` depends on the purpose of the code or token. */
export interface Methods extends MadeMethods {
  users: RedeemMethod & Method<UserListCalls>
}

export interface Head {
  account?: AccountDump | null
}

declare module '../kernel/objects/part.ts' {
  interface PartContext {
    account: Pick<HandlersOf<AccountCalls>, 'person'>
    /** Used only by code that runs in the Durable Object of the directory. */
    users: Pick<HandlersOf<UserListCalls>, 'find'>
  }
}
