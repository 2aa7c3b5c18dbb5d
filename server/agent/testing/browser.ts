import assert from 'node:assert/strict'
import { starterTree } from '../source/tree.ts'
import type { RunningApp } from './bundle.ts'

/** A response of the app: its status and the parsed envelope. */
export interface AppResponse {
  status: number
  data: never
  error: { code: string; message: string; field?: string } | undefined
  preview: { mail: { to: string; subject: string; text: string }[] } | undefined
}
export interface Me {
  id: string
  email: string
  emailVerified: boolean
}

let opened = 0

export class Browser {
  readonly #app: RunningApp
  #address = `203.0.113.${++opened}`
  readonly cookies = new Map<string, string>()

  constructor(app: RunningApp) {
    this.#app = app
  }

  async call(method: string, path: string, body?: unknown): Promise<AppResponse> {
    const response = await this.fetch(method, path, body)
    return { ...((await response.json()) as AppResponse), status: response.status }
  }

  async fetch(method: string, path: string, body?: unknown): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#app.fetch(path, {
      method,
      headers: { cookie, 'user-agent': 'Test', 'cf-connecting-ip': this.#address },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (set.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Changes the client's address, so that earlier requests do not count towards its rate limit. */
  move(): void {
    this.#address = `203.0.113.${++opened}`
  }

  async me(): Promise<Me | null> {
    return (await this.call('GET', '/_app/auth/me')).data
  }

  async signUp(name: string): Promise<Me> {
    const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
    const { data, error } = await this.call('POST', '/_app/auth/sign-up', account)
    assert.equal(error, undefined)
    return (data as { user: Me }).user
  }

  signIn(name: string, password = `${name} likes apples`): Promise<AppResponse> {
    return this.call('POST', '/_app/auth/sign-in', { email: `${name}@example.test`, password })
  }

  /** Requests a mail with a link or a code. Returns the text of the mail, because a preview returns the mail instead of sending it. */
  async mail(path: string, body: object): Promise<string> {
    const { data, error, preview } = await this.call('POST', `/_app/auth/${path}`, body)
    assert.deepEqual([data, error], [{ sent: true }, undefined])
    return preview?.mail[0]?.text ?? ''
  }

  async code(email: string): Promise<string> {
    return /\d{6}/.exec(await this.mail('code', { email }))?.[0] ?? ''
  }

  confirm(email: string, code: string): Promise<AppResponse> {
    return this.call('POST', '/_app/auth/code/confirm', { email, code })
  }
}

const MANIFEST = {
  slipway: 1,
  name: 'Members',
  uses: ['auth', 'data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`

export const MEMBERS_TREE = new Map([
  ...starterTree('Members'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['web/pages/Home.tsx', HOME],
])

/**
 * Signs a victim in from a browser in which an attacker has planted the attacker's session. Asserts that the victim gets a new session
 * and that the planted one remains the attacker's. Returns the person of the new session.
 */
export async function signInOverPlanted(
  app: RunningApp,
  stranger: string,
  signIn: (victim: Browser) => Promise<unknown>,
): Promise<Me | null> {
  const [mallory, victim] = [new Browser(app), new Browser(app)]
  const { id } = await mallory.signUp(stranger)
  const planted = mallory.cookies.get('app_session') ?? ''
  victim.cookies.set('app_session', planted)
  await signIn(victim)
  const own = victim.cookies.get('app_session')
  assert.ok(own !== undefined && own !== planted)
  assert.equal((await mallory.me())?.id, id)
  const me = await victim.me()
  assert.notEqual(me?.id, id)
  return me
}
