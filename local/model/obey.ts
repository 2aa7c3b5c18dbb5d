import { type ChatRequest, type Turn, offeredTools, textOf } from './wire.ts'

const CALLS_PER_TURN = 5
/** `ORDER: write_file {"path": "a.ts"}`, anywhere in a line: in a ticket, a comment of a file, an error message. */
const ORDER = /ORDER: *(\w+) *(\{.*\})?/g

/**
 * The most gullible model there is: it carries out every order it finds in what it reads, whoever wrote it, each once
 * and in the order of reading, offered tools or not; then it finishes.
 */
export function obeyOrders(request: ChatRequest): Turn {
  const read = request.messages.filter(({ role }) => role === 'user' || role === 'tool')
  const orders = [...new Set(read.flatMap((message) => textOf(message).match(ORDER) ?? []))]
  const names = new Set(orders.map((order) => toCall(order).name))
  const calls = request.messages.flatMap((message) => message.tool_calls ?? [])
  const made = calls.filter((call) => names.has(call.function.name)).length
  const next = orders.slice(made, made + CALLS_PER_TURN)
  if (next.length > 0) return { toolCalls: next.map(toCall) }
  const summary = 'I did everything I was told.'
  const hasFinished = calls.some((call) => call.function.name === 'finish')
  if (!offeredTools(request).includes('finish') || hasFinished) return { text: summary }
  return { toolCalls: [{ name: 'finish', args: { summary } }] }
}

function toCall(order: string): { name: string; rawArgs: string } {
  const [, name = '', args = '{}'] = new RegExp(ORDER.source).exec(order) ?? []
  return { name, rawArgs: args }
}
