/**
 * Stand-ins for the AI models that a checked app calls. They return the responses that a test has set, in order, and after the last
 * response echo their input. Embeddings of texts that share words are close to each other.
 */
export const MODELS_SOURCE = `import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers'
let presetAnswers = []
const modelRequests = []
const textOf = (messages, role) => messages.findLast((one) => one.role === role)?.content ?? ''
const vectorOf = (text) => {
  const vector = Array(64).fill(0)
  for (const word of text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? [])
    vector[[...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 64, 7)] += 1
  return vector
}
async function answerTo(inputs, about) {
  const { messages, stream = false, tools, response_format } = inputs
  modelRequests.push({ system: textOf(messages, 'system'), prompt: textOf(messages, 'user'), messages, ...about })
  const next = presetAnswers.shift() ?? { text: textOf(messages, 'user') }
  if (next.waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, next.waitMs))
  if (next.fails !== undefined) throw new Error(next.fails + ': ' + textOf(messages, 'user'))
  if (stream) return streamOf(next)
  const calls = next.call === undefined ? {} : { tool_calls: [next.call] }
  const response = next.value ?? next.text ?? ''
  return { response, ...calls, usage: { prompt_tokens: 3, completion_tokens: 2 } }
}
function streamOf({ text = '', isCut = false, isEndless = false }) {
  const { readable, writable } = new IdentityTransformStream()
  writeChunks(writable.getWriter(), text.match(/\\S+\\s*/g) ?? [], { isCut, isEndless }).catch(() => {})
  return readable
}
async function writeChunks(writer, pieces, { isCut, isEndless }) {
  const send = (data) => writer.write(new TextEncoder().encode('data: ' + data + '\\n\\n'))
  for (const response of pieces) await send(JSON.stringify({ response }))
  while (isEndless) {
    await send('{"response":"."}')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (!isCut) await send('[DONE]')
  await writer.close()
}
class Gateway extends RpcTarget {
  constructor(id) { super(); this.id = id }
  async run({ headers, query }) {
    try {
      const { response, tool_calls } = await answerTo(query, { model: query.model, gateway: this.id, key: headers.authorization, max: query.max_completion_tokens })
      const message = { content: typeof response === 'string' ? response : JSON.stringify(response), tool_calls }
      return Response.json({ choices: [{ message }], usage: { prompt_tokens: 3, completion_tokens: 2 } })
    } catch (error) {
      return new Response(error.message, { status: parseInt(error.message) })
    }
  }
}
export class Models extends WorkerEntrypoint {
  run(model, inputs, { gateway } = {}) {
    if (inputs.text !== undefined) return { data: inputs.text.map(vectorOf) }
    return answerTo(inputs, { model, gateway: gateway?.id, max: inputs.max_tokens })
  }
  gateway(id) { return new Gateway(id) }
}
export class Script extends WorkerEntrypoint {
  add(list) { presetAnswers.push(...list) }
  asked() { return modelRequests }
}
export default {
  async fetch(request) {
    if (request.method === 'POST') presetAnswers = await request.json()
    return Response.json(request.method === 'POST' ? null : modelRequests.splice(0))
  },
}
`
