import assert from 'node:assert/strict'
import { Agent, fetch } from 'undici'
import { lookupWithLocalhost } from '../../cloudflare/fetch.ts'
import type { Client } from '../app.ts'

export interface AppPerson {
  email: string
  cookie: string
  agent: Agent
  call<T>(method: string, path: string, body?: object): Promise<{ status: number; data: T }>
}

/** An app limits the sign-in requests of one client network per minute, and a sign-in with a code takes two requests. */
const PEOPLE_PER_NETWORK = 10
/** The number of mails that the route for an app's mails returns at a time. */
const CODES_AT_ONCE = 50

/** Creates many users of a live app. They sign in with codes by mail, because hashing a password for each user would take minutes. */
export class AppCrowd {
  readonly #appUrl: string
  readonly #operator: Client
  readonly #projectPath: string
  readonly #agents: Agent[] = []
  #peopleCount = 0

  constructor(operator: Client, { appUrl, projectPath }: { appUrl: string; projectPath: string }) {
    this.#operator = operator
    this.#appUrl = appUrl
    this.#projectPath = projectPath
  }

  async add(count: number): Promise<AppPerson[]> {
    const people = Array.from({ length: count }, () => this.#nextPerson())
    for (let start = 0; start < people.length; start += CODES_AT_ONCE)
      await this.#signIn(people.slice(start, start + CODES_AT_ONCE))
    return people
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.destroy()))
  }

  #nextPerson(): AppPerson {
    const email = `p${++this.#peopleCount}@example.test`
    const network = Math.floor((this.#peopleCount - 1) / PEOPLE_PER_NETWORK)
    // Every address in 127.0.0.0/8 belongs to this machine, so each group of ten people can have a separate address.
    const localAddress = `127.0.1.${network + 1}`
    this.#agents[network] ??= new Agent({ connect: { lookup: lookupWithLocalhost }, localAddress })
    const agent = this.#agents[network]
    const person: AppPerson = {
      email,
      cookie: '',
      agent,
      call: async <T>(method: string, path: string, body?: object) => {
        const answer = await fetch(`${this.#appUrl}${path}`, {
          method,
          dispatcher: agent,
          headers: { cookie: person.cookie },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const [set] = answer.headers.getSetCookie()
        if (set !== undefined) person.cookie = set.split(';')[0] ?? ''
        const isJson = answer.headers.get('content-type')?.includes('json') === true
        const read = isJson ? ((await answer.json()) as { data: T }) : { data: (await answer.text()) as T }
        return { status: answer.status, data: read.data }
      },
    }
    return person
  }

  async #signIn(people: AppPerson[]): Promise<void> {
    const sent = people.map(({ call, email }) => call('POST', '/_app/auth/code', { email }))
    assert.ok((await Promise.all(sent)).every(({ status }) => status === 200))
    const { data: messages } = await this.#operator.call<{ to: string; text: string }[]>(
      `GET ${this.#projectPath}/capabilities/auth/outbox?limit=${CODES_AT_ONCE}`,
    )
    const codes = new Map(messages.map(({ to, text }) => [to, /\d{6}/.exec(text)?.[0]]))
    const confirmed = people.map(({ call, email }) =>
      call('POST', '/_app/auth/code/confirm', { email, code: codes.get(email) }),
    )
    assert.ok((await Promise.all(confirmed)).every(({ status }) => status === 200))
  }
}
