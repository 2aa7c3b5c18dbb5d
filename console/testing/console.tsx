import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
// A test that shows a message would otherwise load them, and mount them in a later test.
import '../shell/toasts/toast-view.tsx'
import { queryClient } from '../api/request/query-client.ts'
import { isAccountGone } from '../shell/in-app-shell.ts'
import { shellText } from '../text/shell.en.ts'
import { parseSearch, stringifySearch } from '../router/search.ts'

interface Call {
  path: string
  query: Record<string, string>
  body: unknown
}

/** Returns the `data` of a success, a `Refusal`, or a whole Response such as a stream. */
type Answer = (call: Call) => unknown

configure({
  // By default the message contains the whole document, which hides it.
  getElementError: (message) => new Error((message ?? '').split('\n')[0]),
  // A part that is imported on demand takes more than the default of one second on a busy machine.
  asyncUtilTimeout: 10_000,
})

const ORIGIN_FETCH = globalThis.fetch

// The test files of this group share a process, so every test resets the page.
afterEach(() => {
  cleanup()
  putMessagesAway()
  document.body.replaceChildren()
  queryClient.clear()
  onlineManager.setOnline(true)
  isAccountGone.set(false)
  localStorage.clear()
  globalThis.fetch = ORIGIN_FETCH
})

export const show = (part: ReactElement) =>
  render(part, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })

/**
 * Renders a screen at its place in the app's routes, opened at `address`. `from` is the id of its route, such
 * as `/app/projects/$projectId/domain`; every other address is a page without content.
 */
export async function showAt(from: string, component: () => ReactElement, address: string) {
  const [, frame = '', ...path] = from.split('/')
  const root = createRootRoute()
  const outer = createRoute({ getParentRoute: () => root, id: frame })
  const inner = createRoute({ getParentRoute: () => outer, path: `/${path.join('/')}`, component })
  // The pages of visitors, such as `/device`, have no frame.
  const single = createRoute({ getParentRoute: () => root, path: from, component })
  const router = createRouter({
    routeTree: root.addChildren([path.length === 0 ? single : outer.addChildren([inner])]),
    history: createMemoryHistory({ initialEntries: [address] }),
    defaultNotFoundComponent: () => null,
    parseSearch,
    stringifySearch,
  })
  await router.load()
  // The type that the provider expects is that of the app's own router.
  show(<RouterProvider router={router as never} />)
  return {
    place: () => router.history.location.href,
    go: (next: string) => act(async () => router.history.push(next)),
  }
}

/** An error response of the service; `retryAfterS` is the wait that it asks for. */
export class Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly retryAfterS: number

  constructor(status: number, code: string, message: string, retryAfterS = 0) {
    this.status = status
    this.code = code
    this.message = message
    this.retryAfterS = retryAfterS
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
      const { status, code, message, retryAfterS } = data
      // The request layer retries a read that fails with a 5xx. `Retry-After` keeps its random delay out of the tests.
      const headers = { 'X-Request-Id': 'req_test', 'Retry-After': String(retryAfterS) }
      return Response.json({ error: { code, message } }, { status, headers })
    }
    // The sign-in library responds without our envelope.
    return Response.json(path.startsWith('/api/auth/') ? data : { data })
  }
  return calls
}

/** The bodies of the requests of a key, in the order in which they came. */
export const sent = (calls: Record<string, Call[]>, key: string) => calls[key]?.map(({ body }) => body)

/** The button with this accessible name; throws when there is none or more than one. */
export const button = (name: string | RegExp) => screen.getByRole('button', { name })
export const press = (name: string | RegExp) => fireEvent.click(button(name))
/** The input with this label; throws when there is none or more than one. */
export const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
export const write = (label: string | RegExp, value: string) =>
  fireEvent.change(field(label), { target: { value } })
export const isShown = (words: string | RegExp) => screen.queryByText(words) !== null

/**
 * Whether there is an element of this role. Assert on this, not on the element: a failed comparison prints both
 * sides, which takes minutes for an element.
 */
export const isThere = (role: string, name?: string | RegExp) =>
  screen.queryByRole(role, { ...(name !== undefined && { name }) }) !== null

/** The element of the page's messages, which is mounted once, outside of every test. */
let messages: HTMLElement | null = null
const MESSAGES = `section[aria-label="${shellText.toasts.label}"]`

/** Dismisses the messages of a test. They are not in the next one, unless it asks for one. */
function putMessagesAway(): void {
  messages ??= document.querySelector(MESSAGES)?.parentElement ?? null
  const shown = messages?.querySelectorAll(`button[aria-label="${shellText.toasts.dismiss}"]`) ?? []
  for (const dismiss of shown) fireEvent.click(dismiss)
}

/** Waits for a message at the foot of the page. */
export async function findMessage(words: string | RegExp): Promise<HTMLElement> {
  if (messages?.isConnected === false) document.body.append(messages)
  // Its live region for screen readers has the same words.
  return screen.findByText(words, { ignore: '[role=status]' })
}

export async function assertAlert(words: RegExp): Promise<void> {
  assert.match((await screen.findByRole('alert')).textContent ?? '', words)
}
