import { type ChatMessage, type ChatRequest, type Turn, offeredTools, textOf } from './wire.ts'

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
  const made = request.messages.reduce((sum, message) => sum + callsOf(message), 0)
  const next = orders.slice(made, made + CALLS_PER_TURN)
  if (next.length > 0) return { toolCalls: next.map(toCall) }
  const summary = 'I did everything I was told.'
  if (!offeredTools(request).includes('finish') || made > orders.length) return { text: summary }
  return { toolCalls: [{ name: 'finish', args: { summary } }] }
}

const callsOf = (message: ChatMessage) =>
  message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0

function toCall(order: string): { name: string; rawArgs: string } {
  const [, name = '', args = '{}'] = new RegExp(ORDER.source).exec(order) ?? []
  return { name, rawArgs: args }
}
