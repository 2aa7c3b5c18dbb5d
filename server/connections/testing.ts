import assert from 'node:assert/strict'
import { openCloudApp } from '../releases/testing.ts'
import type { Client } from '../testing/app.ts'
import type { describeConnections } from './connections.ts'
import { readConnection } from './connections.ts'

export type DescribedConnections = Awaited<ReturnType<typeof describeConnections>>

/**
 * What a person chooses on the consent page of the local emulator. For an omitted field the value that the page
 * suggests is used.
 */
export interface Decision {
  account?: string[]
  newName?: string
  grant?: string[]
  login?: string
  decision?: 'allow' | 'deny'
}

/** Starts the service with the local emulators of Cloudflare and GitHub, whose sign-in pages work like the real ones. */
export async function openConnectionsApp() {
  const cloud = await openCloudApp()
  const { app, world } = cloud

  /** Signs up a person and waits for the accounts that every new organization is connected to. */
  async function newPerson() {
    const { person } = await cloud.personWithProject()
    return person
  }
  const look = async (person: Client) => (await person.call<DescribedConnections>('GET /connections')).data
  const rowOf = (person: Client, provider: 'cloudflare' | 'github' = 'cloudflare') =>
    readConnection(app.platform.db, person.organizationId, provider)

  async function start(person: Client, provider = 'cloudflare', query = ''): Promise<URL> {
    const { status, data, error } = await person.call<{ url: string }>(
      `GET /connections/${provider}/start${query}`,
    )
    assert.equal(status, 200, String(error?.message))
    return new URL(data.url)
  }

  /** Opens the provider's page, with a decision or without. Returns the address to which the provider redirects the browser. */
  async function visit(page: URL, decision: Decision | null = null): Promise<URL> {
    const answer = await fetch(page, { redirect: 'manual', ...(decision && formFor(page, decision)) })
    await answer.body?.cancel()
    return new URL(answer.headers.get('location') ?? '', page)
  }

  /**
   * Requests the callback address, as a browser does after the provider has redirected it. Returns the address to
   * which the service redirects the browser next.
   */
  async function comeBack(person: Client, back: URL, headers: Record<string, string> = {}): Promise<URL> {
    const answer = await person.raw(`GET ${back.pathname}${back.search}`, { headers })
    assert.equal(answer.status, 302, await answer.text())
    return new URL(answer.headers.get('location') ?? '')
  }

  /**
   * Signs in at the provider. Returns the query parameters of the console page to which the browser is
   * finally redirected.
   */
  async function signIn(
    person: Client,
    { provider = 'cloudflare', query = '', decision = null as Decision | null } = {},
  ): Promise<Record<string, string>> {
    const back = await visit(await start(person, provider, query), decision)
    return Object.fromEntries((await comeBack(person, back)).searchParams)
  }

  async function control<T>(path: string, body: object): Promise<T> {
    const answer = await fetch(`${world.restUrl}/_control${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.controlToken}` },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as T
  }
  /** Creates an account with an API token for the listed scopes, or for all scopes when none are listed. */
  async function newAccount(name: string, scopes: string[] = []) {
    const made = await control<{ account: { id: string }; token: string }>('/accounts', { name, scopes })
    return { id: made.account.id, token: made.token }
  }

  const actionsOf = async (person: Client) => {
    const rows = await app.platform.db
      .selectFrom('activity')
      .select(['provider', 'action', 'actor', 'status'])
      .where('org_id', '=', person.organizationId)
      .where('action', 'like', 'connection.%')
      .orderBy('id')
      .execute()
    return rows.map(({ provider, action }) => `${provider} ${action.replace('connection.', '')}`)
  }

  return { ...cloud, newPerson, look, rowOf, start, visit, comeBack, signIn, control, newAccount, actionsOf }
}
export type ConnectionsApp = Awaited<ReturnType<typeof openConnectionsApp>>

function formFor(page: URL, decision: Decision): RequestInit {
  const form = new URLSearchParams(page.searchParams)
  form.delete('prompt')
  for (const id of decision.account ?? ['new']) form.append('account', id)
  for (const scope of decision.grant ?? (form.get('scope') ?? '').split(' ')) form.append('grant', scope)
  form.set('new_name', decision.newName ?? 'New one')
  form.set('login', decision.login ?? '')
  form.set('decision', decision.decision ?? 'allow')
  return { method: 'POST', body: form }
}

/** Writes the rows of a project that is deployed to production, without deploying one. */
export async function deployedIn(
  { app }: Pick<ConnectionsApp, 'app'>,
  person: Client,
  accountId: string,
): Promise<void> {
  const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Shipped' })
  const now = app.clock.now()
  await app.platform.db
    .updateTable('projects')
    .set({ lifecycle: 'live', live_at: now })
    .where('id', '=', data.id)
    .execute()
  await app.platform.db
    .insertInto('resources')
    .values({
      id: `res_${data.id}`,
      org_id: person.organizationId,
      project_id: data.id,
      capability: null,
      tier: 'production',
      kind: 'worker',
      name: 'shipped',
      provider_id: null,
      account_id: accountId,
      state: 'ok',
      version_id: null,
      detail: null,
      updated_at: now,
      created_at: now,
    })
    .execute()
}
