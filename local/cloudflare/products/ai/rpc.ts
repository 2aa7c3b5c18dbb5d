import * as z from 'zod'
import type { Store } from '../../../world/store.ts'
import type { RpcCall } from '../../workerd/rpc.ts'
import type { AiBackend } from './backend.ts'
import { countGatewayRun } from './gateways.ts'
import { AI_MODELS } from './models.ts'
import { AiRefusal } from './refusal.ts'
import { readInputs, runModel } from './run.ts'

const Run = z.object({
  model: z.string(),
  inputs: z.unknown().optional(),
  gateway: z.object({ id: z.string() }).nullish(),
})

/** Requests of a worker to other providers through a gateway, in order of preference: when one fails, the next is sent. */
const ThroughGateway = z.object({
  id: z.string(),
  requests: z
    .array(
      z.object({
        provider: z.string(),
        endpoint: z.string(),
        headers: z.record(z.string(), z.unknown()).default({}),
        query: z.looseObject({
          model: z.string(),
          messages: z.array(z.unknown()),
          stream: z.boolean().default(false),
        }),
      }),
    )
    .min(1),
})

/** Handles calls of the AI binding. Errors include their code, so that the shim can throw what the real binding throws. */
export async function handleAi(
  { store, backend, now }: { store: Store; backend: AiBackend; now(): number },
  { props, path, bytes }: RpcCall,
): Promise<Response> {
  if (path === '/models') return Response.json(AI_MODELS)
  const given: unknown = JSON.parse(new TextDecoder().decode(await bytes()))
  try {
    if (path === '/gateway') {
      const { id, requests } = readInputs(ThroughGateway, given)
      countGatewayRun(store, String(props['accountId']), id, now())
      return await sendThroughGateway(backend, requests)
    }
    const { model, inputs, gateway } = readInputs(Run, given)
    if (gateway !== null && gateway !== undefined)
      countGatewayRun(store, String(props['accountId']), gateway.id, now())
    const answer = await runModel(backend, model, inputs)
    if ('value' in answer) return Response.json(answer.value)
    return new Response(answer.events, { headers: { 'content-type': 'text/event-stream' } })
  } catch (error) {
    if (!(error instanceof AiRefusal)) throw error
    return Response.json({ message: `${error.code}: ${error.message}` }, { status: error.status })
  }
}

type ForwardedRequest = z.output<typeof ThroughGateway>['requests'][number]

/**
 * Sends the requests to the local models. Of the gateway's endpoints, only `compat/chat/completions`, which is the same for all providers,
 * is simulated. Any API key is accepted; a request without one gets a 401, as from a provider.
 */
async function sendThroughGateway(
  backend: AiBackend,
  requests: readonly ForwardedRequest[],
): Promise<Response> {
  let answer = Response.json({ error: { message: 'No request was sent.' } }, { status: 400 })
  let failure: AiRefusal | null = null
  for (const { provider, endpoint, headers, query } of requests) {
    if (provider !== 'compat' || endpoint !== 'chat/completions')
      throw new AiRefusal(
        2008,
        `Invalid provider: only compat chat/completions is simulated, not ${provider}`,
      )
    const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    failure = null
    try {
      answer = /^Bearer \S+$/.test(String(key))
        ? await backend.chat(query)
        : Response.json({ error: { message: 'You did not provide an API key.' } }, { status: 401 })
      if (answer.ok) return answer
    } catch (error) {
      if (!(error instanceof AiRefusal)) throw error
      failure = error
    }
  }
  if (failure !== null) throw failure
  return answer
}
