import { sign } from '../crypto/signature.ts'
import type { Client, TestApp } from '../testing/app.ts'

export interface OpenSource {
  id: string
  secret: string
  webhookUrl: string
  projectId: string
}

export async function openSource(app: TestApp, person: Client): Promise<OpenSource> {
  const project = await person.call<{ id: string }>('POST /projects', { name: 'Inbox' })
  const projectId = project.data.id
  const made = await person.call<Omit<OpenSource, 'projectId'>>('POST /ingest', { projectId })
  return { ...made.data, projectId }
}

/** Posts an idea, by default with a valid signature. With the signature `null` the post is not signed. */
export function post(
  app: TestApp,
  source: Pick<OpenSource, 'id' | 'secret'>,
  body: string | Uint8Array<ArrayBuffer>,
  header: string | null = sign(source.secret, body, app.clock.now()),
): Promise<Response> {
  const headers: Record<string, string> = header === null ? {} : { 'service-signature': header }
  return app.request(`POST /i/${source.id}`, { body, headers })
}

export const postIdea = (app: TestApp, source: OpenSource, idea: object): Promise<Response> =>
  post(app, source, JSON.stringify(idea))

/** Returns the tickets of a project, the oldest first. */
export async function ticketsOf(app: TestApp, person: Client, projectId: string) {
  const answer = await person.call<IngestedTicket[]>(`GET /projects/${projectId}/tickets`)
  return answer.data.toReversed()
}

interface IngestedTicket {
  id: string
  title: string
  body: string
  url: string | null
  source: string
  origin: string | null
  createdBy: string | null
  createdAt: string
}
