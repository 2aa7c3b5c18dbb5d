import type { Endpoint } from '../http/endpoint.ts'
import { newId } from '../lib/ids.ts'
import type { Client, TestApp } from './app.ts'

/** The ids of one row of each kind. The key is the kind of path parameter that takes the id (`idName`). */
export type RowIds = Record<string, string>

/**
 * Path parameters that do not identify a row alone. A version's sha or a file's hash is looked up only in its project, and an organization
 * has at most one connection per provider.
 */
export const NAMES_NO_ROW: ReadonlySet<string> = new Set([
  'key',
  'sha',
  'file',
  'path',
  'provider',
  // Products and discount codes are looked up in the project's own catalog only.
  'productId',
  'codeId',
  // An app's data is stored in the app and not in the tables of the service.
  'collection',
  'partition',
  'userId',
  'flowRunId',
  'projects/:projectId/capabilities/data/records/:collection/:partition',
])

/** Returns the kind of id that a path parameter takes. Parameters called `:id` are distinguished by the path before them. */
export const idName = (endpoint: Pick<Endpoint, 'path'>, param: string): string =>
  param === 'id' ? endpoint.path.slice(1, endpoint.path.indexOf('/:id')) : param

/** Creates one row of each kind in the client's organization and returns the ids. When a route takes a new kind of id, add it here. */
export async function newBelongings(app: TestApp, client: Client): Promise<RowIds> {
  const createId = async (route: string, body: object) => {
    const answer = await client.call<{ id: string }>(route, body)
    if (answer.status !== 200) throw new Error(`${route} answered ${answer.status} ${answer.error?.message}`)
    return answer.data.id
  }
  await app.platform.db.deleteFrom('api_keys').where('org_id', '=', client.organizationId).execute()
  const projectId = await createId('POST /projects', { name: 'Belongings' })
  const ticketId = await createId(`POST /projects/${projectId}/tickets`, { title: 'One' })
  const ingest = await createId('POST /ingest', { projectId })
  return {
    projectId,
    ticketId,
    resourceId: await registerResource(app, client, projectId),
    runId: await finishedRun(client, projectId, ticketId),
    'connections/models': await modelConnection(app, client),
    keys: await createId('POST /keys', { name: 'one' }),
    webhooks: await createId('POST /webhooks', { url: 'https://example.com/hook', events: ['*'] }),
    ingest,
    i: ingest,
    memberId: await memberOf(app, client),
    ...(await helpOf(app, client)),
  }
}

async function helpOf({ platform, clock }: TestApp, client: Client) {
  const { data } = await client.call<{ id: string; messages: { id: string }[] }>('POST /help', {
    subject: 'One',
    body: 'One',
  })
  const attachmentId = newId('hla')
  const values = {
    id: attachmentId,
    org_id: client.organizationId,
    created_by: null,
    message_id: data.messages[0]?.id ?? null,
    position: 0,
    name: 'one',
    content_type: 'image/png',
    size_bytes: 1,
    data: Buffer.from('x'),
    created_at: clock.now(),
  }
  await platform.db.insertInto('help_attachments').values(values).execute()
  return { threadId: data.id, attachmentId }
}

async function memberOf(app: TestApp, { organizationId }: Client): Promise<string> {
  const { id } = await app.platform.db
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return id
}

async function registerResource(
  app: TestApp,
  { organizationId }: Client,
  projectId: string,
): Promise<string> {
  const id = newId('res')
  const at = app.clock.now()
  await app.platform.db
    .insertInto('resources')
    .values({
      id,
      org_id: organizationId,
      project_id: projectId,
      tier: 'production',
      kind: 'worker',
      name: id,
      account_id: organizationId,
      state: 'ok',
      updated_at: at,
      created_at: at,
    })
    .execute()
  return id
}

/** Returns the id of a build run that has ended, so that requests for the run's event stream end, too. */
async function finishedRun(client: Client, projectId: string, ticketId: string): Promise<string> {
  const at = `/projects/${projectId}/tickets/${ticketId}/build`
  await (await client.raw(`POST ${at}/stream`)).body?.cancel()
  return (await client.call<{ run: { id: string } }>(`POST ${at}/cancel`)).data.run.id
}

/** Inserts the row directly, because the API would first call the model, and no model server runs in these tests. */
async function modelConnection(app: TestApp, client: Client): Promise<string> {
  const id = newId('mdl')
  await app.platform.db
    .insertInto('model_connections')
    .values({
      id,
      org_id: client.organizationId,
      provider: 'scaffold',
      label: 'One more',
      base_url: null,
      key: null,
      models: ['scaffold'],
      default_model: 'scaffold',
      is_default: false,
      limits: null,
      created_at: app.clock.now(),
    })
    .execute()
  return id
}
