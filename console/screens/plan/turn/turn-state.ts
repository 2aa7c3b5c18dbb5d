import type { PlanFrame } from '@slipway/sdk/plan-stream.ts'
import { isObjectOrList } from '../../../lib/fields.ts'

type ToolFrame = Extract<PlanFrame, { type: 'tool' }>
type DeltaFrame = Extract<PlanFrame, { type: 'delta' }>

export interface TurnCall {
  id: string
  name: string
  /** The argument that says what the call is about, such as a path or a title. Null when the call has no such argument. */
  about: string | null
  ok: boolean
  answer: string
  ms: number
}
export type TurnPart = { kind: 'text' | 'reasoning'; text: string } | { kind: 'calls'; calls: TurnCall[] }

/** A ticket that the reply created or changed. */
export interface WrittenTicket {
  id: string
  title: string | null
}

/** The parts of a reply that is being written, in the order of arrival. */
export interface TurnState {
  parts: TurnPart[]
  /** The tool call whose arguments are still arriving. */
  writing: { tool: string; characters: number } | null
  tickets: WrittenTicket[]
}

export const initialTurn: TurnState = { parts: [], writing: null, tickets: [] }

export function reduceTurn(state: TurnState, frame: PlanFrame): TurnState {
  if (frame.type === 'delta') return addDelta(state, frame)
  if (frame.type === 'tool') return addCall(state, frame)
  if (frame.type === 'retry')
    return { ...state, parts: cutText(state.parts, frame.text.length), writing: null }
  return { ...state, writing: null }
}

function addDelta(state: TurnState, { reasoning, text, tool, toolChars }: DeltaFrame): TurnState {
  let { parts } = state
  if (reasoning) parts = appendText(parts, 'reasoning', reasoning)
  if (text) parts = appendText(parts, 'text', text)
  if (!tool && !toolChars) return { ...state, parts }
  const same = state.writing !== null && (!tool || tool === state.writing.tool) ? state.writing : null
  return {
    ...state,
    parts,
    writing: { tool: tool ?? same?.tool ?? '', characters: (same?.characters ?? 0) + (toolChars ?? 0) },
  }
}

function appendText(parts: TurnPart[], kind: 'text' | 'reasoning', text: string): TurnPart[] {
  const last = parts.at(-1)
  if (last?.kind !== kind) return [...parts, { kind, text }]
  return [...parts.slice(0, -1), { kind, text: last.text + text }]
}

/** Cuts the streamed text to its first `length` characters, because a retry of the model call streams the rest again. */
function cutText(parts: TurnPart[], length: number): TurnPart[] {
  let left = length
  return parts.flatMap((part) => {
    if (part.kind !== 'text') return [part]
    const text = part.text.slice(0, left)
    left -= text.length
    return text === '' ? [] : [{ ...part, text }]
  })
}

function addCall(state: TurnState, frame: ToolFrame): TurnState {
  const { id, name, ok, ms } = frame
  const call: TurnCall = {
    id,
    name,
    about: subjectOfTool(frame),
    ok,
    answer: frame.error ?? frame.result,
    ms,
  }
  const last = state.parts.at(-1)
  const parts: TurnPart[] =
    last?.kind === 'calls'
      ? [...state.parts.slice(0, -1), { kind: 'calls', calls: [...last.calls, call] }]
      : [...state.parts, { kind: 'calls', calls: [call] }]
  return { parts, writing: null, tickets: upsertTicket(state.tickets, ticketOf(frame)) }
}

/** Adds or updates a ticket of the reply. A change without a title keeps the earlier title. */
function upsertTicket(tickets: WrittenTicket[], written: WrittenTicket | null): WrittenTicket[] {
  if (written === null) return tickets
  const known = tickets.find(({ id }) => id === written.id)
  if (known === undefined) return [...tickets, written]
  return tickets.map((ticket) =>
    ticket === known ? { ...written, title: written.title ?? known.title } : ticket,
  )
}

/**
 * Reads the ticket that a tool call wrote. The result of `create_ticket` contains its id
 * (docs/guides/plan-prompt.md).
 */
function ticketOf({ name, ok, args, result }: ToolFrame): WrittenTicket | null {
  if (!ok) return null
  const title = readTextArgument(args, 'title')
  const id = name === 'create_ticket' ? /^Created (\S+) /.exec(result)?.[1] : undefined
  if (id !== undefined) return { id, title }
  const changed = name === 'update_ticket' ? readTextArgument(args, 'id') : null
  return changed === null ? null : { id: changed, title }
}

const SUBJECT_ARGUMENTS = ['title', 'path', 'q', 'id', 'status']

function subjectOfTool({ args }: ToolFrame): string | null {
  for (const field of SUBJECT_ARGUMENTS) {
    const value = readTextArgument(args, field)
    if (value !== null) return value
  }
  return null
}

/** Reads a text argument of a tool call. The model may omit it or send another type. */
function readTextArgument(args: unknown, field: string): string | null {
  if (!isObjectOrList(args)) return null
  const value = args[field]
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Returns the text of the reply as the service stores it. */
export const replyText = (state: TurnState) =>
  state.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
