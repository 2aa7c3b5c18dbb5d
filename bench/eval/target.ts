import { createClient, createConfig, type Client } from '@slipway/sdk/client/client/index.ts'
import { listProjects } from '@slipway/sdk/client/sdk.gen.ts'
import { createTransport, unwrap } from '@slipway/sdk/request.ts'
import { Api } from '../harness/api.ts'
import { ScriptedModel } from '../harness/scripted-model.ts'
import { startService } from '../harness/service.ts'
import type { ScriptedTurn } from './task.ts'

export interface Target {
  url: string
  headers: Record<string, string>
  client: Client
  /** The name to show: `<provider>/<model>`. */
  model: string
  kind: 'scaffold' | 'scripted' | 'model'
  /** The model to set for each project; null for the organization's default. */
  choice: { connectionId: string; model: string } | null
  /** Sets the scripted model's steps for the next ticket. */
  play?: (script: readonly ScriptedTurn[]) => Promise<void>
  stop(): Promise<void>
}

export interface ModelChoice {
  provider: string
  model: string | null
  baseUrl: string | null
  key: string | null
}

const KEY_SCOPES = ['projects:read', 'projects:write', 'tickets:write', 'build:write'] as const

/** Starts a service and connects the chosen model. `stop` ends it and removes everything. */
export async function startTarget(choice: ModelChoice): Promise<Target> {
  const service = await startService({ localWorld: true })
  try {
    const api = await Api.signUp(service)
    const { key } = await api.call<{ key: string }>('POST', '/keys', { name: 'eval', scopes: KEY_SCOPES })
    const access = apiAccess(service.url, key)
    const stop = () => service.remove()
    if (choice.provider === 'scaffold')
      return { ...access, model: 'scaffold/scaffold-1', kind: 'scaffold', choice: null, stop }
    if (choice.provider === 'scripted') {
      const scripted = await ScriptedModel.connect(service, api)
      const play = (script: readonly ScriptedTurn[]) => scripted.play([...script])
      return { ...access, model: 'scripted', kind: 'scripted', choice: null, play, stop }
    }
    const connected = await api.call<{ id: string; defaultModel: string }>('POST', '/connections/models', {
      provider: choice.provider,
      label: 'Evaluated',
      ...(choice.baseUrl !== null && { baseUrl: choice.baseUrl }),
      ...(choice.key !== null && { key: choice.key }),
      ...(choice.model !== null && { models: [choice.model], defaultModel: choice.model }),
    })
    const model = `${choice.provider}/${connected.defaultModel}`
    const chosen = { connectionId: connected.id, model: connected.defaultModel }
    return { ...access, model, kind: 'model', choice: chosen, stop }
  } catch (error) {
    await service.remove()
    throw error
  }
}

/** Uses a running service, with the model configured for the organization that the API key belongs to. */
export async function joinTarget(url: string, key: string): Promise<Target> {
  const access = apiAccess(url.replace(/\/+$/, ''), key)
  await unwrap(listProjects({ client: access.client, query: { limit: 1 } }))
  return { ...access, model: 'as configured', kind: 'model', choice: null, stop: () => Promise.resolve() }
}

function apiAccess(url: string, key: string): Pick<Target, 'url' | 'headers' | 'client'> {
  const headers = { authorization: `Bearer ${key}` }
  const transport = createTransport()
  const client = createClient(
    createConfig({
      baseUrl: url,
      headers,
      throwOnError: true,
      fetch: (input) => transport(input as Request),
    }),
  )
  return { url, headers, client }
}
