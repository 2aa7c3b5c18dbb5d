import type { SyncStorage } from 'cloudflare:workers'
import { Hold } from '../kernel/objects/hold.ts'
import type { AppObjectStub, Objects } from '../kernel/objects/objects.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { accountHandlers, userListHandlers } from './objects/objects.ts'

export const importAccounts = () => importInWorkerd(() => import('./rpc.ts'))

/** Fakes the app's Durable Objects: each has its own storage, and only the methods that signing in needs. */
export class AuthObjects implements Objects {
  /** Called before each call to a Durable Object. May throw, or return a promise that the call waits for. */
  before: (object: string, method: string, kind: string) => unknown = () => {}
  /** The Durable Objects that have closed a person's sockets, each as `object user`. */
  readonly closed: string[] = []
  /** The address that an invitation of any team admits until an account claims the invitation; null for no address. */
  invited: string | null = null
  readonly #known = new Map<string, { stub: AppObjectStub; storage: SyncStorage }>()

  getByName(name: string): AppObjectStub {
    return this.#host(name).stub
  }

  /** Makes an object reject changes, as it does while its data is copied to another cloud account. */
  hold(name: string, isHeld: boolean): void {
    new Hold(this.#host(name).storage).set(isHeld)
    // The stub has already read the earlier state, so make another stub with the same storage.
    const { storage } = this.#host(name)
    this.#known.set(name, { storage, stub: this.#makeStub(name, storage) })
  }

  #host(name: string) {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const storage = memoryStorage()
    const made = { storage, stub: this.#makeStub(name, storage) }
    this.#known.set(name, made)
    return made
  }

  #makeStub(name: string, storage: SyncStorage): AppObjectStub {
    const spent = new Set<string>()
    const callOf = (method: string, calls: object) => async (kind: string, ask: unknown) => {
      await this.before(name, method, kind)
      return (calls as Record<string, (ask: unknown) => unknown>)[kind]?.(ask)
    }
    const stub: Partial<AppObjectStub> = {
      account: callOf('account', accountHandlers(storage)) as AppObjectStub['account'],
      users: callOf('users', userListHandlers(storage, new Hold(storage))) as AppObjectStub['users'],
      memberships: async () => [] as never,
      rooms: async () => ({ ok: true, value: [] }) as never,
      team: (async (kind: string, { email }: { email: string }) => {
        const value = this.invited === email
        if (kind === 'claim' && value) this.invited = null
        return { ok: true, value }
      }) as unknown as AppObjectStub['team'],
      closeSockets: async (userId) => {
        await this.before(name, 'closeSockets', '')
        this.closed.push(`${name} ${userId}`)
      },
      dirSpend: async (jti) => {
        if (spent.has(jti)) return false
        spent.add(jti)
        return true
      },
    }
    return stub as AppObjectStub
  }
}
