import { setTimeout as sleep } from 'node:timers/promises'
import { drainBuildQueue } from '../../server/builds/queue/start-queued.ts'
import { type Frame, framesOf } from '../support/frames.ts'
import { type ScriptedCall, type ScriptedStep, serveScriptedModel } from '../support/scripted-model.ts'
import { type Client, type TestApp, testApp } from '../../server/testing/app.ts'

/** A text long enough that a response can be held in the middle of it. */
export const LONG = { text: 'thinking about it '.repeat(30) }
export const MIDDLE = 8

/** The events and jobs of a build that ends with a question, a text reply or a cancellation. */
export const A_BUILD = { events: { 'ticket.updated': 1 }, jobs: { build: 1 } }
export const A_GREEN_BUILD = {
  events: { 'ticket.updated': 2, 'ticket.build.succeeded': 1 },
  jobs: { build: 1 },
}
export const A_FAILED_BUILD = {
  events: { 'ticket.updated': 1, 'ticket.build.failed': 1 },
  jobs: { build: 1 },
}

/**
 * Starts the whole service, and a scripted model that the service calls over HTTP. With `work: false` jobs are stored
 * but not run, for tests that act as the worker.
 */
export async function buildWorld(options: { work: boolean } = { work: true }) {
  const model = await serveScriptedModel()
  const app = await testApp({ localWorld: false, modelBaseUrl: null, outboundAllow: [model.origin] })
  if (options.work) await app.work()
  const queue = options.work ? drainBuildQueue(app.platform) : null
  const person = await app.signUp()
  let count = 0

  const openProject = async (steps: ScriptedStep[], options: { limits?: object; client?: Client } = {}) => {
    const key = `script-${++count}`
    await model.script(key, steps)
    const connection = await person.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: model.baseUrl,
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
    app.effects.prepared({
      events: { 'project.created': 1, 'ticket.created': 1 },
      activity: { 'model.created': 1 },
    })
    return new BuildProject(app, options.client ?? person, projectId, ticket.data.id, {
      calls: () => model.calls(key),
      script: (next) => model.script(key, next),
      hold: (...stops) => model.hold(key, ...stops),
      modelConnectionId: connection.data.id,
    })
  }

  const close = async () => {
    await queue?.stop()
    await app.close()
    await model.close()
  }
  return { app, person, openProject, close }
}
export type BuildWorld = Awaited<ReturnType<typeof buildWorld>>

export class BuildProject {
  readonly projectId: string
  readonly ticketId: string
  readonly script: (steps: ScriptedStep[]) => Promise<unknown>
  /** Pauses each response after the numbers of events in `stops`. Each call of the returned function releases one stop. */
  readonly hold: (...stops: number[]) => () => void
  readonly modelConnectionId: string
  readonly calls: () => Promise<ScriptedCall[]>
  readonly #app: TestApp
  readonly #client: Client

  constructor(
    app: TestApp,
    client: Client,
    projectId: string,
    ticketId: string,
    model: Pick<BuildProject, 'calls' | 'script' | 'hold' | 'modelConnectionId'>,
  ) {
    this.#app = app
    this.#client = client
    this.projectId = projectId
    this.ticketId = ticketId
    this.calls = model.calls
    this.script = model.script
    this.hold = model.hold
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

  /** Calls an endpoint of this project, such as `POST /build/queue`. */
  call<T = Record<string, unknown>>(route: string, body?: object) {
    const [method, path] = route.split(' ')
    return this.#client.call<T>(`${method} /projects/${this.projectId}${path}`, body)
  }

  steer(text: string) {
    return this.#client.call<{ delivery: string }>(`POST ${this.route}/steer`, { text })
  }

  async addTicket(draft: object = {}): Promise<string> {
    const ticket = await this.call<{ id: string }>('POST /tickets', { title: 'Another one', ...draft })
    return ticket.data.id
  }

  async until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(20)
  }

  cancel() {
    return this.#client.call(`POST ${this.route}/cancel`, {})
  }

  /** Reads a stream to its end, or up to the first matching frame. */
  async stream(body: object = {}, until: (frame: Frame) => boolean = () => false): Promise<Frame[]> {
    const answer = await this.#client.raw(`POST ${this.route}/stream`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const frames: Frame[] = []
    for await (const frame of framesOf(answer)) {
      frames.push(frame)
      if (until(frame)) break
    }
    return frames
  }

  /** Returns the types of the events of this project, oldest first. */
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
