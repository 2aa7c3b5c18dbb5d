import * as z from 'zod'
import type { Store } from '../../../world/store.ts'
import type { RpcCall } from '../../runtime/shims/rpc-handlers.ts'
import type { AiBackend } from './backend.ts'
import { countGatewayRun } from './gateways.ts'
import { AI_MODELS } from './models.ts'
import { AiRefusal } from './refusal.ts'
import { runModel } from './run.ts'

const Run = z.object({
  model: z.string(),
  inputs: z.unknown(),
  gateway: z.object({ id: z.string() }).nullish(),
})

/**
 * Handles calls of the AI binding. Errors include their code, so that the shim can throw what the real binding
 * throws.
 */
export async function handleAi(
  { store, backend, now }: { store: Store; backend: AiBackend; now(): number },
  { props, path, bytes }: RpcCall,
): Promise<Response> {
  if (path === '/models') return Response.json(AI_MODELS)
  try {
    const { model, inputs, gateway } = Run.parse(JSON.parse(new TextDecoder().decode(await bytes())))
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
