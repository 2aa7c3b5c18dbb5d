import type { BrowserContext } from 'playwright-core'
import { runStatements, type Server } from '../harness/postgres.ts'
import { type Service, startService } from '../harness/service.ts'
import { ensureTemplate } from '../seed.ts'

/** A person of the seeded organization. Each project of the organization has 10,000 tickets. */
const SAMPLE_PERSON = { name: 'Ada Lovelace', email: 'ada@example.test', password: 'correct horse battery' }

/** A model connection without a server: no build is started, so the model is never called. */
const UNUSED_MODEL = {
  provider: 'openai-compatible',
  label: 'Nobody',
  baseUrl: 'http://127.0.0.1:9/v1',
  key: 'none',
  models: ['none'],
  defaultModel: 'none',
  isDefault: true,
}

export interface ConsoleWorld {
  service: Service
  signIn(context: BrowserContext): Promise<void>
  stop(): Promise<void>
}

/** Starts the product with 100,000 seeded tickets, a signed-in person and a connected model. */
export async function startConsoleWorld(server: Server): Promise<ConsoleWorld> {
  const copy = await server.copy(await ensureTemplate(server, '100k'))
  const service = await startService({ localWorld: false, databaseUrl: copy.url })
  await postJson(service.url, '/api/auth/sign-up/email', SAMPLE_PERSON)
  await runStatements(copy.url, [
    `delete from member where "userId" in (select id from "user" where email = '${SAMPLE_PERSON.email}')`,
    `insert into member (id, "organizationId", "userId", role, "createdAt")
     select 'member_ada', 'org_1', id, 'owner', now() from "user" where email = '${SAMPLE_PERSON.email}'`,
    `update session set "activeOrganizationId" = 'org_1'`,
  ])
  const signIn = async (context: BrowserContext) => {
    const response = await context.request.post(`${service.url}/api/auth/sign-in/email`, {
      data: { email: SAMPLE_PERSON.email, password: SAMPLE_PERSON.password },
      headers: { origin: service.url },
    })
    if (!response.ok()) throw new Error(`the sign-in failed: ${await response.text()}`)
    // Connect a model, because otherwise every page shows a banner.
    const model = await context.request.post(`${service.url}/api/v1/connections/models`, {
      data: UNUSED_MODEL,
      headers: { origin: service.url },
    })
    if (!model.ok()) throw new Error(`no model is connected: ${await model.text()}`)
  }
  return {
    service,
    signIn,
    async stop() {
      await service.remove()
      await copy.drop()
    },
  }
}

async function postJson(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
}
