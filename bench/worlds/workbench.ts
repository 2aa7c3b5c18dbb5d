import { Api } from '../harness/api.ts'
import { ScriptedModel } from '../harness/scripted-model.ts'
import { type Service, startService } from '../harness/service.ts'

/**
 * The whole product with its own database and the local stand-ins for its providers, a signed-in person and a
 * scripted model.
 */
export interface Workbench {
  service: Service
  api: Api
  model: ScriptedModel
  createProject(): Promise<string>
  /** Creates a ticket, builds it with this script of the model, and waits for the result. */
  build(projectId: string, script: Parameters<ScriptedModel['play']>[0]): Promise<Build>
  close(): Promise<void>
}

export interface Build {
  runId: string
  sha: string
  /** The time at which the request for the build was sent, in milliseconds since the epoch. */
  askedAt: number
}

export async function openWorkbench(options: { seesPages?: boolean } = {}): Promise<Workbench> {
  const service = await startService({ localWorld: true, ...options })
  try {
    const api = await Api.signUp(service)
    const model = await ScriptedModel.connect(service, api)
    return {
      service,
      api,
      model,
      async createProject() {
        const { id } = await api.call<{ id: string }>('POST', '/projects', { name: 'Tide table' })
        return id
      },
      async build(projectId, script) {
        await model.play(script)
        const tickets = `/projects/${projectId}/tickets`
        const ticket = await api.call<{ id: string }>('POST', tickets, { title: 'Show the tides' })
        const askedAt = Date.now()
        const { status, runId, sha } = await api.call<{ status: string; runId: string; sha?: string }>(
          'POST',
          `${tickets}/${ticket.id}/build`,
          {},
        )
        if (status !== 'built' || sha === undefined) throw new Error(`the build ended as ${status}`)
        return { runId, sha, askedAt }
      },
      close: () => service.remove(),
    }
  } catch (error) {
    await service.remove()
    throw error
  }
}
