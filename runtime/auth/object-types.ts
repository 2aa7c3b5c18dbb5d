import type { HandlersOf, Method } from '../kernel/calls.ts'
import type { AccountDump } from './account.ts'
import type { AccountCalls, UserListCalls } from './objects.ts'
import type { RedeemMethod } from './one-time.ts'

/** The methods as the part makes them. */
export interface MadeMethods {
  account: Method<AccountCalls>
  /** Called on the directory. */
  users: Method<UserListCalls>
}

/** The methods as callers see them: what `redeem` returns depends on the purpose. */
export interface Methods extends MadeMethods {
  users: RedeemMethod & Method<UserListCalls>
}

export interface Head {
  account?: AccountDump | null
}

declare module '../kernel/part.ts' {
  interface PartPlace {
    account: Pick<HandlersOf<AccountCalls>, 'person'>
    /** Used in the directory only. */
    users: Pick<HandlersOf<UserListCalls>, 'find'>
  }
}
