import type { Manifest } from './changes.ts'
import { type ChatMessage, type ChatRequest, textOf } from '../wire.ts'

/** An earlier tool call of this run with its result. */
export interface PastCall {
  name: string
  result: string
  /** Whether it is a check without findings. */
  isGreen: boolean
}

/** The content of a build prompt, read from its messages (docs/guides/build-prompt.md). */
export interface Situation {
  /** Title and body of the ticket. */
  request: string
  /** Answers to this program's questions, by question id. */
  answers: Map<string, string>
  files: Map<string, string>
  manifest: Manifest
  enabled: Set<string>
  calls: PastCall[]
  /** Whether the user sent a message during the build. */
  wasSpokenTo: boolean
}

export function readSituation(request: ChatRequest): Situation {
  const said = saidIn(request)
  const files = new Map(
    blocks(said, 'file').map(({ attributes, text }) => [attributes['path'] ?? '', `${text}\n`]),
  )
  const project = blocks(said, 'project')[0]
  const calls = pastCalls(request.messages)
  return {
    request: requestOf(blocks(said, 'ticket').at(-1)?.text ?? said),
    answers: answersOf(calls),
    files,
    manifest: readManifest(files.get('app.json'), project?.attributes['name']),
    enabled: enabledIn(project?.text ?? ''),
    calls,
    wasSpokenTo: said.includes('The user says to you while you work:'),
  }
}

/** Returns all user messages joined, in order. */
export const saidIn = (request: ChatRequest): string =>
  request.messages
    .filter((message) => message.role === 'user')
    .map(textOf)
    .join('\n')

/** Blocks `<name-nonce key="value">` to `</name-nonce>`. */
export function blocks(text: string, name: string): { attributes: Record<string, string>; text: string }[] {
  const pattern = new RegExp(String.raw`<${name}-(\w+)([^>\n]*)>\n([\s\S]*?)\n?</${name}-\1>`, 'g')
  return [...text.matchAll(pattern)].map(([, , pairs = '', body = '']) => ({
    attributes: Object.fromEntries(
      [...pairs.matchAll(/ (\w+)=("(?:[^"\\]|\\.)*")/g)].map(([, key = '', value = '""']) => [
        key,
        JSON.parse(value) as string,
      ]),
    ),
    text: body,
  }))
}

/** Returns the request of a ticket: a captured ticket repeats its sentence as body, so the body alone is enough. */
function requestOf(ticket: string): string {
  const [title = '', ...rest] = ticket.split('\n\n')
  const body = rest.join('\n\n').trim()
  return body === '' ? title : body.length >= title.length ? body : `${title}. ${body}`
}

function enabledIn(project: string): Set<string> {
  const listed = /^Capabilities that are on: (.*)$/m.exec(project)?.[1] ?? 'none'
  return new Set(listed === 'none' ? [] : listed.split(', '))
}

function readManifest(text: string | undefined, name: string | undefined): Manifest {
  try {
    return JSON.parse(text ?? '') as Manifest
  } catch {
    return { slipway: 1, name: name ?? 'New app' }
  }
}

/** Returns the tool calls of the conversation with their results. */
export function pastCalls(messages: ChatMessage[]): PastCall[] {
  const results = new Map(
    messages
      .filter((message) => message.role === 'tool')
      .map((message) => [message.tool_call_id, textOf(message)]),
  )
  return messages
    .flatMap((message) => message.tool_calls ?? [])
    .map((call) => {
      const result = results.get(call.id) ?? ''
      return { name: call.function.name, result, isGreen: result.startsWith('The check is green') }
    })
}

/** Reads the answers from results of `ask_user`, which have a line `subject: Tasks` per answered question. */
function answersOf(calls: PastCall[]): Map<string, string> {
  const asked = calls.findLast((call) => call.name === 'ask_user')
  const lines = (asked?.result ?? '').matchAll(
    /^([a-z]+)\W*:[ \t]*"?(.+?)"?(?: \(not answered, default taken\))?[ \t]*$/gm,
  )
  return new Map([...lines].map(([, id = '', value = '']) => [id, value]))
}
