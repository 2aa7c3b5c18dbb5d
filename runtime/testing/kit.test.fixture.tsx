import { afterEach } from 'node:test'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { pageStoreOf } from '../data/client/page-store.ts'
import type { ServerFrame, StoredRecord } from '../data/frames.ts'

// Exported again, so that tests of UI components import all of their tools from this file. The name of
// this file contains `.test.`, so the file is not copied into apps.
export { act, cleanup, fireEvent, render, screen, waitFor, within }

interface Call {
  query: Record<string, string>
  body: unknown
}

/** Returns the `data` of a successful response, or a `RefusedResponse`. */
type Answer = (call: Call) => unknown

configure({
  // Keep only the first line: by default the message continues with the whole document.
  getElementError: (message) => new Error((message ?? '').split('\n')[0]),
})

const ORIGINAL_GLOBALS = { fetch: globalThis.fetch, WebSocket: globalThis.WebSocket }
const TEAM_CHARS = 26
let teams: string[] = []
let teamCount = 0

/** A socket that the test controls. */
class FakeSocket extends EventTarget {
  static latest: FakeSocket | null = null
  constructor() {
    super()
    FakeSocket.latest = this
  }
  send() {}
  close() {}
}

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
  // Restarting a store makes it fetch its queries again. Let these requests never end, so that no response arrives during the next test.
  globalThis.fetch = () => new Promise(() => {})
  for (const team of teams) pageStoreOf(team).restart()
  teams = []
  Object.assign(globalThis, ORIGINAL_GLOBALS)
})

/** An error response of the app's server. */
export class RefusedResponse {
  readonly error: { code: string; message: string; field?: string }

  constructor(code: string, message: string, field?: string) {
    this.error = { code, message, ...(field !== undefined && { field }) }
  }
}

/**
 * Replaces the app's server. `answers` has a function for each method and path. Any other request gets no response. Returns the received
 * requests by the same keys.
 */
export function serveApp(answers: Record<string, Answer>): Record<string, Call[]> {
  const calls: Record<string, Call[]> = Object.fromEntries(Object.keys(answers).map((key) => [key, []]))
  Object.assign(globalThis, { WebSocket: FakeSocket })
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input), location.href)
    const key = `${init?.method ?? 'GET'} ${pathname}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
    const call = { query: Object.fromEntries(searchParams), body }
    calls[key]?.push(call)
    const data = await (answers[key] ?? (() => new Promise(() => {})))(call)
    if (data instanceof RefusedResponse)
      return Response.json({ ok: false, error: data.error }, { status: 400 })
    return Response.json({ ok: true, data })
  }
  return calls
}

/** Returns the id of a team that no other test uses, so that its records are requested and not taken from an earlier test's store. */
export function newTeam(): string {
  const team = `t_${String(++teamCount).padStart(TEAM_CHARS, 'a')}`
  teams.push(team)
  return team
}

export const record = (id: string, fields: object): StoredRecord => ({
  id,
  ownerId: null,
  rev: 1,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  ...fields,
})

/** A page of records as the app returns it; by default the last page. */
export const pageOf = (items: StoredRecord[], nextCursor: string | null = null) => ({
  items,
  nextCursor,
  seq: 5,
})

/** Sends a frame to the page through its socket. */
export const receive = (frame: ServerFrame) =>
  act(async () => {
    FakeSocket.latest?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  })

export const loseConnection = () =>
  act(async () => {
    FakeSocket.latest?.dispatchEvent(new Event('close'))
  })

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
export const write = (label: string | RegExp, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })
export const isShown = (words: string | RegExp) => screen.queryByText(words) !== null
