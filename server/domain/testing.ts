import assert from 'node:assert/strict'
import type { Cloud } from '../cloudflare/client.ts'
import { readConnection } from '../connections/connections.ts'
import { appSaying, type CloudApp, openCloudApp } from '../releases/testing.ts'
import type { ApiResponse, Client } from '../testing/app.ts'

/** The entries that setting a domain and deploying an app to production add to the activity log. */
export const ATTACHED = {
  'assets.upload': 1,
  'domain.set': 1,
  'worker.address': 'some',
  'worker.upload': 'some',
} as const

export interface DomainResponse {
  state: string
  hostname: string | null
  url: string | null
  zone: { name: string; status: string } | null
  nameServers: string[]
  certificate: string | null
  conflicts: { type: string; content: string }[]
  message: string | null
}

export interface DomainProject {
  person: Client
  project: { id: string; slug: string }
  path: string
  /** A host name in the account's DNS zone. The zone is active from the beginning. */
  host: string
  account: { id: string; subdomain: string }
  domain: {
    status(fresh?: boolean): Promise<DomainResponse>
    onboard(hostname: string): Promise<ApiResponse<DomainResponse>>
    attach(): Promise<ApiResponse<DomainResponse>>
    remove(): Promise<ApiResponse<DomainResponse>>
  }
  ship(word?: string): Promise<string>
  cloud(): Promise<Cloud>
}

export async function openDomainApp() {
  const cloudApp: CloudApp = await openCloudApp()
  const { app, world } = cloudApp

  async function callControl(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${world.restUrl}/_control${path}`, {
      method,
      headers: { authorization: `Bearer ${world.controlToken}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, `control ${path} answered ${answer.status}`)
    return (await answer.json()) as Record<string, unknown>
  }

  async function newProject(): Promise<DomainProject> {
    const made = await cloudApp.personWithProject()
    return describeProject(made.person, made.project)
  }

  async function describeProject(
    person: Client,
    project: { id: string; slug: string },
  ): Promise<DomainProject> {
    const path = `/projects/${project.id}`
    const connection = await readConnection(app.platform.db, person.organizationId, 'cloudflare')
    const account = { id: connection?.account_id ?? '', subdomain: connection?.subdomain ?? '' }
    const callDomain = (route: string, body?: object) => person.call<DomainResponse>(route, body)
    return {
      person,
      project,
      path,
      account,
      host: `app.${account.subdomain}-demo.localhost`,
      domain: {
        status: async (fresh = false) => {
          // Even for a request with `fresh` the status is cached for a few seconds, so advance the clock.
          if (fresh) app.clock.advance(6_000)
          return (await callDomain(`GET ${path}/domain/status${fresh ? '?fresh=1' : ''}`)).data
        },
        onboard: (hostname) => callDomain(`POST ${path}/domain/onboard`, { hostname }),
        attach: () => callDomain(`POST ${path}/domain/attach`),
        remove: () => callDomain(`DELETE ${path}/domain`),
      },
      ship: async (word = 'hello') => {
        await cloudApp.build(project.id, appSaying(word))
        const answer = await person.call<{ state: string; url: string }>(`POST ${path}/deploy`)
        assert.equal(answer.data?.state, 'live', String(answer.error?.message))
        return answer.data.url
      },
      cloud: () => app.platform.accounts.openCloud({ orgId: person.organizationId, actor: 'test' }),
    }
  }

  async function attachedIn(accountId: string): Promise<{ hostname: string; service: string }[]> {
    const { domains } = await callControl('GET', `/resources?account=${accountId}`)
    return domains as { hostname: string; service: string }[]
  }
  const activateCertificate = (host: string) =>
    callControl('POST', `/certificates/${host}/advance`, { to: 'active' })
  return {
    ...cloudApp,
    control: callControl,
    newProject,
    describeProject,
    attachedIn,
    certify: activateCertificate,
  }
}
export type DomainApp = Awaited<ReturnType<typeof openDomainApp>>
