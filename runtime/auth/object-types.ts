import type { HandlersOf, Method } from '../kernel/calls.ts'
import type { AccountDump } from './account.ts'
import type { AccountCalls, UserListCalls } from './objects.ts'

export interface Methods {
  account: Method<AccountCalls>
  /** Called on the directory. */
  users: Method<UserListCalls>
}

export interface Head {
  account?: AccountDump | null
}

declare module '../kernel/part.ts' {
  interface PartPlace {
    /** Used in the directory only. */
    users: Pick<HandlersOf<UserListCalls>, 'find'>
  }
}
