import assert from 'node:assert/strict'
import type { ChatMessage, ChatRequest } from '../wire.ts'
import { type ScaffoldManifest, parseManifest } from './writing/manifest.ts'
import type { Field } from './reading/fields.ts'
import { nextTurn } from './scaffold.ts'

/** The tools of a build by a user with all permissions. */
export const TOOL_NAMES = [
  'list_files',
  'write_file',
  'edit_file',
  'delete_file',
  'check',
  'finish',
  'ask_user',
  'rename_project',
  'enable_capability',
]

export interface FixtureCall {
  name: string
  args: Record<string, unknown>
}
export type FixtureFiles = ReadonlyMap<string, string>

/** Returns the first messages of a build of this ticket (docs/guides/build-prompt.md). */
export function openingOf(ticket: string, files: FixtureFiles, enabled = 'none'): ChatMessage[] {
  const project = `<project-ab12 name="New">\nCapabilities that are on: ${enabled}\n</project-ab12>`
  const shown = [...files].map(
    ([path, text]) => `<file-ab12 path="${path}">\n${text.replace(/\n$/, '')}\n</file-ab12>`,
  )
  return [
    { role: 'system', content: 'You are the build agent.' },
    { role: 'user', content: [project, ...shown].join('\n') },
    { role: 'user', content: `<ticket-ab12 type="task">\n${ticket}\n</ticket-ab12>\nBuild this ticket.` },
  ]
}

export function requestOf(messages: ChatMessage[], tools = TOOL_NAMES): ChatRequest {
  return {
    model: 'scaffold-1',
    messages,
    tools: tools.map((name) => ({ type: 'function' as const, function: { name } })),
  }
}

export const callsOf = (messages: ChatMessage[], tools = TOOL_NAMES) =>
  (nextTurn(requestOf(messages, tools)).toolCalls ?? []) as FixtureCall[]

/** Appends these tool calls and their results to the messages. */
export function withAnswer(
  messages: ChatMessage[],
  calls: FixtureCall[],
  result: (call: FixtureCall) => string,
): ChatMessage[] {
  const made = calls.map((call, index) => ({
    id: `c${messages.length}_${index}`,
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  }))
  return [
    ...messages,
    { role: 'assistant', content: null, tool_calls: made },
    ...calls.map((call, index) => ({
      role: 'tool' as const,
      tool_call_id: made[index]?.id ?? '',
      content: result(call),
    })),
  ]
}

export function filesAfter(files: FixtureFiles, calls: FixtureCall[]): Map<string, string> {
  const next = new Map(files)
  for (const { name, args } of calls) {
    const path = String(args['path'])
    if (name === 'write_file') next.set(path, String(args['content']))
    if (name === 'delete_file') assert.ok(next.delete(path), `${path} is not there`)
    if (name !== 'edit_file') continue
    const before = next.get(path) ?? ''
    assert.equal(before.split(String(args['old'])).length, 2, `${path} holds the text to edit once`)
    next.set(
      path,
      before.replace(String(args['old']), () => String(args['new'])),
    )
  }
  return next
}

export function manifestIn(files: FixtureFiles): ScaffoldManifest {
  const manifest = parseManifest(files.get('app.json') ?? '')
  assert.ok(manifest !== null, 'app.json is a manifest')
  return manifest
}

/** Describes the lists of an app, for example as `plants(name! room lastWateredDate:date)`. */
export function describeLists(files: FixtureFiles): string {
  return Object.entries(manifestIn(files).collections ?? {})
    .map(([name, { fields }]) => `${name}(${Object.entries(fields).map(describeField).join(' ')})`)
    .join(' ')
}

function describeField([name, field]: [string, Field]): string {
  const mark = `${field.required === true ? '!' : ''}${field.type === 'boolean' ? '?' : ''}`
  if (field.type === 'boolean') return name + mark
  const kind = field.type === 'enum' ? field.values?.join('|') : (field.as ?? field.type)
  return kind === 'text' ? name + mark : `${name}${mark}:${kind}`
}

export const EMPTY_APP: FixtureFiles = new Map([['app.json', '{ "slipway": 1, "name": "New" }\n']])

/**
 * Builds the request `said` in a project in which the capability `data` is enabled. Returns the files after
 * the build.
 */
export const filesAfterBuild = (said: string, files: FixtureFiles) =>
  filesAfter(files, callsOf(openingOf(said, files, 'data')))

/**
 * Returns the model's first reply to a ticket with the request `said`, in a project in which the capability
 * `data` is enabled.
 */
export const replyTo = (said: string, files: FixtureFiles) =>
  nextTurn(requestOf(openingOf(said, files, 'data')))
