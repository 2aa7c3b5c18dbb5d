import { serveScriptedModel, type ScriptedStep } from '../support/scripted-model.ts'
import { type Frame, framesOf } from '../support/frames.ts'
import { type Client, testApp } from '../../server/testing/app.ts'

export interface Message {
  id: string
  role: 'user' | 'agent'
  text: string
  status: 'complete' | 'stopped' | 'failed'
  error: { kind: string; message: string } | null
  attachments: string[]
  tickets: string[]
  model: string | null
  usage: { input: number; output: number } | null
  createdAt: string
}

export interface Thread {
  items: Message[]
  nextCursor: string | null
  total: number
}

/**
 * Starts the whole service and a scripted model. `openThread` creates a project whose plan agent gets the responses `steps` from the model.
 */
export async function planWorld() {
  const model = await serveScriptedModel()
  const app = await testApp({ localWorld: false, modelBaseUrl: null, outboundAllow: [model.origin] })
  const person = await app.signUp()
  let count = 0

  const openThread = async (steps: ScriptedStep[] = [{ text: 'Yes.', repeat: true }]) => {
    const key = `plan-${++count}`
    await model.script(key, steps)
    const connection = await person.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: model.baseUrl,
      key,
      defaultModel: 'scripted',
    })
    const project = await person.call<{ id: string }>('POST /projects', { name: `Plants ${count}` })
    const projectId = project.data.id
    const chosen = { connectionId: connection.data.id, model: 'scripted' }
    await person.call(`PUT /projects/${projectId}/model`, chosen)
    app.effects.prepared({ events: { 'project.created': 1 }, activity: { 'model.created': 1 } })
    return threadOf(person, projectId, {
      calls: () => model.calls(key),
      script: (next) => model.script(key, next),
      hold: (...stops) => model.hold(key, ...stops),
    })
  }
  const close = async () => {
    await app.close()
    await model.close()
  }
  return { app, person, openThread, close }
}
export type PlanWorld = Awaited<ReturnType<typeof planWorld>>

type ModelOf = {
  calls: () => ReturnType<Awaited<ReturnType<typeof serveScriptedModel>>['calls']>
  script: (steps: ScriptedStep[]) => Promise<unknown>
  /** Pauses each response after the numbers of events in `stops`. Each call of the returned function releases one stop. */
  hold: (...stops: number[]) => () => void
}

function threadOf(client: Client, projectId: string, model: ModelOf) {
  const at = `/projects/${projectId}`
  const get = <T>(path: string) => client.call<T>(`GET ${at}${path}`)
  const post = <T>(path: string, body: object = {}) => client.call<T>(`POST ${at}${path}`, body)
  const openStream = (body: object, init: RequestInit = {}) =>
    client.raw(`POST ${at}/plan/stream`, {
      ...init,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    projectId,
    ...model,
    get,
    post,
    openStream,
    say: (text: string) => post<Message>('/plan/message', { text }),
    messages: async () => (await get<Thread>('/plan/messages')).data.items,
    tickets: async () => (await get<{ id: string; title: string; source: string }[]>('/tickets')).data,
    /** Reads a stream to its end, or up to the first matching frame. */
    stream: async (body: object, until: (frame: Frame) => boolean = () => false): Promise<Frame[]> => {
      const frames: Frame[] = []
      for await (const frame of framesOf(await openStream(body))) {
        frames.push(frame)
        if (until(frame)) break
      }
      return frames
    },
  }
}

export const create = (title: string, more: object = {}) => ({
  name: 'create_ticket',
  args: { title, body: `About ${title}.`, ...more },
})
