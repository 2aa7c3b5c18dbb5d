import { type ScaffoldManifest, parseManifest } from './writing/manifest.ts'
import { type ChatMessage, type ChatRequest, messageText } from '../wire.ts'

export interface CompletedCall {
  name: string
  result: string
  isGreen: boolean
}

/** The state of a build, as its messages show it (docs/guides/build-prompt.md). */
export interface BuildTranscript {
  request: string
  /** Answers of the user, by question id. */
  answers: Map<string, string>
  /** The text of each file; empty for a file that the prompt only names and no tool has read. */
  files: Map<string, string>
  /** Files that neither the prompt nor tool results contain completely, with the first missing line. */
  unread: { path: string; from: number }[]
  manifest: ScaffoldManifest
  enabled: Set<string>
  calls: CompletedCall[]
  wasSpokenTo: boolean
}

export function readBuildTranscript(request: ChatRequest): BuildTranscript {
  const said = userText(request)
  const project = taggedBlocks(said, 'project')[0]
  const calls = completedCalls(request.messages)
  const named = namedFilesIn(project?.text ?? '')
  const parts = partsReadIn(calls)
  const read = new Map(
    [...parts].filter(([, { isWhole }]) => isWhole).map(([path, { text }]) => [path, `${text}\n`] as const),
  )
  const files = new Map([
    ...[...named.starters, ...named.unshown].map((path) => [path, ''] as const),
    ...taggedBlocks(said, 'file').map(
      ({ attributes, text }) => [attributes['path'] ?? '', `${text}\n`] as const,
    ),
    ...read,
  ])
  return {
    request: requestOf(taggedBlocks(said, 'ticket').at(-1)?.text ?? said),
    answers: answersOf(calls),
    files,
    unread: named.unshown
      .filter((path) => !read.has(path))
      .map((path) => ({ path, from: (parts.get(path)?.last ?? 0) + 1 })),
    manifest: parseManifest(files.get('app.json') ?? '') ?? {
      slipway: 1,
      name: project?.attributes['name'] ?? 'New app',
    },
    enabled: enabledIn(project?.text ?? ''),
    calls,
    wasSpokenTo: said.includes('The user says to you while you work:'),
  }
}

export const userText = (request: ChatRequest): string =>
  request.messages
    .filter((message) => message.role === 'user')
    .map(messageText)
    .join('\n')

/** Parses blocks from `<name-nonce key="value">` to `</name-nonce>`. */
export function taggedBlocks(
  text: string,
  name: string,
): { attributes: Record<string, string>; text: string }[] {
  const pattern = new RegExp(String.raw`<${name}-(\w+)([^>\n]*)>\n([\s\S]*?)\n?</${name}-\1>`, 'g')
  return [...text.matchAll(pattern)].map(([, , pairs = '', body = '']) => ({
    attributes: Object.fromEntries(
      [...pairs.matchAll(/ (\w+)=("(?:[^"\\]|\\.)*")/g)].map(([, key = '', value = '""']) => [
        key,
        String(JSON.parse(value)),
      ]),
    ),
    text: body,
  }))
}

/**
 * A ticket that was made from one sentence has that sentence in the title and in the body, so the longer of
 * the two is enough.
 */
function requestOf(ticket: string): string {
  const [title = '', ...rest] = ticket.split('\n\n')
  const body = rest.join('\n\n').trim()
  return body === '' ? title : body.length >= title.length ? body : `${title}. ${body}`
}

function enabledIn(project: string): Set<string> {
  const listed = /^Capabilities that are on: (.*)$/m.exec(project)?.[1] ?? 'none'
  return new Set(listed === 'none' ? [] : listed.split(', '))
}

/** Returns the files that the prompt names without their text. */
function namedFilesIn(project: string): { starters: string[]; unshown: string[] } {
  const starters = /^As every app starts with them: (.*)$/m.exec(project)?.[1]?.split(', ') ?? []
  const unshown = [...project.matchAll(/^(\S+) \(\d+ bytes, .*\), not shown$/gm)].map(([, path = '']) => path)
  return { starters, unshown }
}

interface FileExcerpt {
  text: string
  /** The last line of `text`, counted from 1. */
  last: number
  isWhole: boolean
}

/** Returns what `read_file` has returned of each file. A long file is returned part by part. */
function partsReadIn(calls: CompletedCall[]): Map<string, FileExcerpt> {
  const parts = new Map<string, FileExcerpt>()
  for (const { result } of calls.filter((call) => call.name === 'read_file')) {
    const [, path = '', from, last, lines, shown] = READ_RESULT.exec(result) ?? []
    if (shown === undefined) continue
    const before = from === '1' ? undefined : parts.get(path)
    if (from !== '1' && before?.last !== Number(from) - 1) continue
    const isWhole = last === lines
    const text = isWhole ? shown : shown.replace(/\n\(cut at [^\n]*\)$/, '')
    const joined = before === undefined ? text : `${before.text}\n${text}`
    parts.set(path, { text: joined, last: Number(last), isWhole })
  }
  return parts
}

const READ_RESULT = /^(\S+) (\d+)-(\d+) of (\d+)\n([^]*)$/

/** Returns the tool calls so far, each with its result. */
export function completedCalls(messages: ChatMessage[]): CompletedCall[] {
  const results = new Map(
    messages
      .filter((message) => message.role === 'tool')
      .map((message) => [message.tool_call_id, messageText(message)]),
  )
  return messages
    .flatMap((message) => message.tool_calls ?? [])
    .map((call) => {
      const result = results.get(call.id) ?? ''
      return { name: call.function.name, result, isGreen: result.startsWith('The check is green') }
    })
}

/** Returns the answers by question id. The result of `ask_user` has a line such as `subject: Tasks` per answer. */
function answersOf(calls: CompletedCall[]): Map<string, string> {
  const asked = calls.findLast((call) => call.name === 'ask_user')
  const lines = (asked?.result ?? '').matchAll(
    /^([a-z]+)\W*:[ \t]*"?(.+?)"?(?: \(not answered, default taken\))?[ \t]*$/gm,
  )
  return new Map([...lines].map(([, id = '', value = '']) => [id, value]))
}
