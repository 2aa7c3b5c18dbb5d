import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { queryClient } from '../api/request/query-client.ts'

/** A request that reached the stub service. */
interface Call {
  path: string
  /** The query parameters. */
  query: Record<string, string>
  body: unknown
}

/** Returns the `data` of a success, a `Refusal`, or a whole Response such as a stream. */
type Answer = (call: Call) => unknown

// By default the message contains the whole document, which hides it.
configure({ getElementError: (message) => new Error((message ?? '').split('\n')[0]) })

const ORIGIN_FETCH = globalThis.fetch

// The test files of this group share a process, so every test resets the page.
afterEach(() => {
  cleanup()
  queryClient.clear()
  localStorage.clear()
  globalThis.fetch = ORIGIN_FETCH
})

/** Renders a component with the app's query client. */
export const show = (part: ReactElement) =>
  render(part, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })

/** An error response of the service. */
export class Refusal {
  readonly status: number
  readonly code: string
  readonly message: string

  constructor(status: number, code: string, message: string) {
    this.status = status
    this.code = code
    this.message = message
  }
}

/**
 * Replaces the service: `answers` has a function per method and path below `/api/v1`. Any other request gets
 * a 404. Returns the requests it received, by the same key.
 */
export function serve(answers: Record<string, Answer>): Record<string, Call[]> {
  const calls: Record<string, Call[]> = Object.fromEntries(Object.keys(answers).map((key) => [key, []]))
  globalThis.fetch = async (input, init) => {
    const request =
      input instanceof Request ? input : new Request(new URL(String(input), location.href), init)
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.replace(/^\/api\/v1/, '')
    const key = `${request.method} ${path}`
    const answer = answers[key] ?? (() => new Refusal(404, 'not_found', `nothing answers ${key}`))
    const written = await request.text()
    const query = Object.fromEntries(searchParams)
    const call: Call = { path, query, body: written === '' ? null : JSON.parse(written) }
    calls[key]?.push(call)
    const data = await answer(call)
    if (data instanceof Response) return data
    if (data instanceof Refusal) {
      const { status, code, message } = data
      // The request layer repeats a read that fails with a 5xx. Without a wait no test depends on its chance.
      const headers = { 'X-Request-Id': 'req_test', 'Retry-After': '0' }
      return Response.json({ error: { code, message } }, { status, headers })
    }
    // The sign-in library responds without our envelope.
    return Response.json(path.startsWith('/api/auth/') ? data : { data })
  }
  return calls
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name })
export const press = (name: string | RegExp) => fireEvent.click(button(name))
export const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
export const write = (label: string | RegExp, value: string) =>
  fireEvent.change(field(label), { target: { value } })
/** Whether the text is on screen. */
export const isShown = (words: string | RegExp) => screen.queryByText(words) !== null

/** Waits for an alert and asserts its text. */
export async function assertAlert(words: RegExp): Promise<void> {
  assert.match((await screen.findByRole('alert')).textContent ?? '', words)
}
