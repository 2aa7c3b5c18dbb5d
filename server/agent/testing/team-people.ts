import assert from 'node:assert/strict'
import type { NewInvite, Team, TeamDetails } from '@slipway/runtime/team/types.ts'
import type { RunningApp } from './bundle.ts'

export interface AppResponse<T> {
  status: number
  data: T
  error: { code: string; message: string; field?: string } | undefined
}
export interface Person {
  id: string
  email: string
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<AppResponse<T>>
  cookie: string
}

/** Returns functions that create people and teams in a running app. The app needs a collection `tasks` that is kept per team. */
export function teamPeople(app: RunningApp) {
  const callAs =
    (cookie: string) =>
    async <T>(method: string, path: string, body?: unknown): Promise<AppResponse<T>> => {
      const answer = await app.fetch(path, {
        method,
        headers: { cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const json = (await answer.json()) as { data: T; error?: AppResponse<T>['error'] }
      return { status: answer.status, data: json.data ?? (json as T), error: json.error }
    }
  const visitor = callAs('')
  let count = 0

  async function person(): Promise<Person> {
    const name = `Person ${++count}`
    const email = `p${count}@example.test`
    const answer = await app.fetch('/_app/auth/sign-up', {
      method: 'POST',
      // Each sign-up has another address, because sign-ups are limited by address.
      headers: { 'cf-connecting-ip': `10.0.0.${count}` },
      body: JSON.stringify({ email, password: 'a long password', name }),
    })
    const { data } = (await answer.json()) as { data: { user: { id: string } } }
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { id: data.user.id, email, cookie, call: callAs(cookie) }
  }
  const make = async (who: Person) => (await who.call<Team>('POST', '/_app/team', { name: 'Red' })).data.id
  const invite = async (who: Person, id: string, body: object = {}) =>
    (await who.call<NewInvite>('POST', `/_app/team/${id}/invites`, body)).data
  const tokenOf = ({ url }: NewInvite) => new URL(url).searchParams.get('invite') ?? ''
  const accept = (who: Person, token: string) =>
    who.call<Team>('POST', '/_app/team/invites/accept', { token })
  const details = (who: Person, id: string) => who.call<TeamDetails>('GET', `/_app/team/${id}`)
  const listOf = async (who: Person) => (await who.call<Team[]>('GET', '/_app/team')).data
  async function join(owner: Person, id: string, who: Person, role = 'member') {
    const answer = await accept(who, tokenOf(await invite(owner, id, { role })))
    assert.deepEqual([answer.status, answer.error], [200, undefined])
  }
  const addTask = (who: Person, partition: string, title = 'Paint') =>
    who.call('POST', '/_app/data/mutate', {
      mutationId: crypto.randomUUID(),
      partition,
      ops: [{ op: 'create', collection: 'tasks', fields: { title } }],
    })
  const tasksOf = (who: Person, partition: string) =>
    who.call<{ items: { title: string }[] }>('GET', `/_app/data/tasks?partition=${partition}`)
  return {
    as: callAs,
    visitor,
    person,
    make,
    invite,
    tokenOf,
    accept,
    details,
    listOf,
    join,
    addTask,
    tasksOf,
  }
}
