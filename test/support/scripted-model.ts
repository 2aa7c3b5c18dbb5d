import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { modelRoutes } from '../../local/model/routes.ts'
import { ResponsePauses } from './response-pauses.ts'

/** One response of the scripted model (local/model/script.ts). */
export type ScriptedStep = Record<string, unknown>

export interface ScriptedCall {
  at: number
  request: { messages: unknown[] }
}

const CONTROL_TOKEN = 'scripted-model'

export type ScriptedModel = Awaited<ReturnType<typeof serveScriptedModel>>

/** Starts the scripted model on a separate port in this process, so that it survives when the service is killed. */
export async function serveScriptedModel() {
  const routes = modelRoutes({ controlToken: CONTROL_TOKEN })
  const holds = new ResponsePauses()
  /** Requests without a response yet, which may be missing in the list of calls. */
  const beginning = new Set<Request>()
  const beginRequest = async (request: Request): Promise<Response> => {
    beginning.add(request)
    try {
      return await routes.fetch(request)
    } finally {
      beginning.delete(request)
    }
  }
  const server = await new Promise<Server>((resolve) => {
    const made = serve({ fetch: holds.around(beginRequest), port: 0, hostname: '127.0.0.1' }, () =>
      resolve(made as Server),
    )
  })
  const { port } = server.address() as AddressInfo
  const requestControl = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await routes.request(`/_control/${path}`, {
      method,
      headers: { authorization: `Bearer ${CONTROL_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`control answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    script: (key: string, steps: ScriptedStep[]) => requestControl('PUT', `scripts/${key}`, { steps }),
    /** Pauses each response for the key after the numbers of events in `stops`. Each call of the returned function releases one stop. */
    hold: (key: string, ...stops: number[]) => holds.hold(key, stops),
    /** Resolves when no client is connected and the list of calls is complete. */
    deserted: async () => {
      const connections = promisify(server.getConnections.bind(server))
      // A request may be recorded shortly after its connection has closed, so wait for both.
      while ((await connections()) > 0 || beginning.size > 0) await sleep(5)
    },
    calls: async (key: string) => (await requestControl('GET', `calls/${key}`)) as ScriptedCall[],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  }
}

export const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } })
export const finish = (summary = 'Plants are tracked.') => ({ name: 'finish', args: { summary } })
