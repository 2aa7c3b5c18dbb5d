import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { modelRoutes } from '../../local/model/routes.ts'
import { type Client, type TestApp, testApp } from '../../server/testing/app.ts'

/** One turn of the scripted model (local/model/script.ts). */
export type ScriptedStep = Record<string, unknown>

export interface Frame {
  type: string
  seq?: number
  [field: string]: unknown
}

const CONTROL_TOKEN = 'scenario'

/**
 * The whole service, and a scripted model that it reaches over HTTP. With `work: false` jobs are stored and not
 * worked on, for tests that play the worker themselves.
 */
export async function buildWorld(options: { work: boolean } = { work: true }) {
  const model = await serveModel()
  const app = await testApp({ localWorld: false, modelBaseUrl: null, outboundAllow: [model.origin] })
  if (options.work) await app.platform.jobs.work(app.platform)
  const person = await app.signUp()
  let count = 0

  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${model.origin}/model/_control/${path}`, {
      method,
      headers: { authorization: `Bearer ${CONTROL_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`control answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }

  /** A project with one ticket whose model says these turns. */
  const openProject = async (steps: ScriptedStep[], options: { limits?: object; client?: Client } = {}) => {
    const key = `script-${++count}`
    await control('PUT', `scripts/${key}`, { steps })
    const connection = await person.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: `${model.origin}/model/v1`,
      key,
      defaultModel: 'scripted',
      limits: options.limits ?? null,
    })
    const project = await person.call<{ id: string }>('POST /projects', { name: `Plants ${count}` })
    const projectId = project.data.id
    await person.call(`PUT /projects/${projectId}/model`, {
      connectionId: connection.data.id,
      model: 'scripted',
    })
    const ticket = await person.call<{ id: string }>(`POST /projects/${projectId}/tickets`, {
      title: 'Track plants',
    })
    return new Place(app, options.client ?? person, projectId, ticket.data.id, {
      calls: async () => (await control('GET', `calls/${key}`)) as { request: { messages: unknown[] } }[],
      script: (next) => control('PUT', `scripts/${key}`, { steps: next }),
      modelConnectionId: connection.data.id,
    })
  }

  const close = async () => {
    await app.close()
    await model.close()
  }
  return { app, person, openProject, close }
}
export type BuildWorld = Awaited<ReturnType<typeof buildWorld>>

async function serveModel() {
  const routes = modelRoutes({ controlToken: CONTROL_TOKEN })
  const server = await new Promise<Server>((resolve) => {
    const fetch = (request: Request) => {
      const url = new URL(request.url)
      return routes.fetch(new Request(url.href.replace('/model/', '/'), request))
    }
    const made = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(made as Server))
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  }
}

/** A ticket that is built, and what can be seen of it from outside. */
export class Place {
  readonly projectId: string
  readonly ticketId: string
  readonly script: (steps: ScriptedStep[]) => Promise<unknown>
  readonly modelConnectionId: string
  readonly calls: () => Promise<{ request: { messages: unknown[] } }[]>
  readonly #app: TestApp
  readonly #client: Client

  constructor(
    app: TestApp,
    client: Client,
    projectId: string,
    ticketId: string,
    model: Pick<Place, 'calls' | 'script' | 'modelConnectionId'>,
  ) {
    this.#app = app
    this.#client = client
    this.projectId = projectId
    this.ticketId = ticketId
    this.calls = model.calls
    this.script = model.script
    this.modelConnectionId = model.modelConnectionId
  }

  get route() {
    return `/projects/${this.projectId}/tickets/${this.ticketId}/build`
  }

  build<T = Record<string, unknown>>(body: object = {}) {
    return this.#client.call<T>(`POST ${this.route}`, body)
  }

  get<T = Record<string, unknown>>(path: string) {
    return this.#client.call<T>(`GET /projects/${this.projectId}${path}`)
  }

  cancel() {
    return this.#client.call(`POST ${this.route}/cancel`, {})
  }

  /** Reads a stream until it ends, or until a frame is the one that was waited for. */
  async stream(body: object = {}, until: (frame: Frame) => boolean = () => false): Promise<Frame[]> {
    const answer = await this.#client.raw(`POST ${this.route}/stream`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.body === null || !answer.ok)
      throw new Error(`stream answered ${answer.status}: ${await answer.text()}`)
    const frames: Frame[] = []
    let rest = ''
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data === undefined) continue
        const frame = JSON.parse(data) as Frame
        frames.push(frame)
        if (until(frame)) return frames
      }
    }
    return frames
  }

  /** Types of the events this project has sent, oldest first. */
  async events(): Promise<string[]> {
    const rows = await this.#app.platform.db
      .selectFrom('events')
      .select('type')
      .where('project_id', '=', this.projectId)
      .orderBy('id')
      .execute()
    return rows.map((row) => row.type)
  }
}

export const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } })
export const finish = (summary = 'Plants are tracked.') => ({ name: 'finish', args: { summary } })
