import type { RpcCall } from '../../workerd/rpc.ts'
import { BrowserRefusal } from './refusal.ts'
import type { BrowserRenderer } from './rendering.ts'

/** Responds like the provider: with a file, or with text or an error in the envelope. */
export async function respondWithAction(
  rendering: BrowserRenderer,
  name: string,
  given: unknown,
): Promise<Response> {
  try {
    const answer = await rendering.runQuickAction(name, given)
    if ('result' in answer)
      return Response.json({ success: true, errors: [], messages: [], result: answer.result })
    return new Response(answer.bytes, { headers: { 'content-type': answer.type } })
  } catch (error) {
    if (!(error instanceof BrowserRefusal)) throw error
    const { code, message, status } = error
    return Response.json(
      { success: false, errors: [{ code, message }], messages: [], result: null },
      { status },
    )
  }
}

/** Handles a call of the binding. The path is `/<action>`. */
export async function handleBrowser(rendering: BrowserRenderer, { path, bytes }: RpcCall): Promise<Response> {
  const given: unknown = JSON.parse(new TextDecoder().decode(await bytes()))
  return await respondWithAction(rendering, path.slice(1), given)
}
