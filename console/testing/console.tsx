import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { notifyManager, onlineManager, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
// Import the view of toast messages in advance. Otherwise the first message would load the view, which might then be mounted only after
// that message's test had ended.
import '../shell/toasts/toast-view.tsx'
import { meQuery } from '../api/account/session.ts'
import { queryClient } from '../api/request/query-client.ts'
import { isAccountGone } from '../shell/in-app-shell.ts'
import { shellText } from '../text/shell.en.ts'
import { ROUTER_OPTIONS } from '../router/options.ts'

interface Call {
  path: string
  query: Record<string, string>
  body: unknown
}

/** Returns the `data` of a successful response, a `Refusal`, or a whole Response such as a stream. */
export type Responder = (call: Call) => unknown

configure({
  // Keep only the first line: by default the message continues with the whole document.
  getElementError: (message) => new Error((message ?? '').split('\n')[0]),
  // On a busy machine, importing a component on demand takes longer than the default timeout of one second.
  asyncUtilTimeout: 10_000,
})

/**
 * Puts a signed-in user into the cache, as the router does before it shows a page. The data is stale, so a page that reads the user asks
 * the service.
 */
export const signInAs = (userId = 'usr_ada', organizationId = 'org_1') =>
  queryClient.setQueryData(
    meQuery().queryKey,
    {
      user: { id: userId, name: 'Ada', email: 'ada@example.test' },
      organization: { id: organizationId, name: 'Ada’s' },
      role: 'owner',
      scopes: [],
      plan: 'free',
    },
    { updatedAt: 1 },
  )
signInAs()

const ORIGIN_FETCH = globalThis.fetch
/** `serve` gets a request one turn of the event loop after the user action. More turns allow for further asynchronous steps. */
const TURNS_TO_SEND = 5

// Many test files share a process, so reset the page after every test.
afterEach(async () => {
  cleanup()
  // Wait first: the element for toast messages is mounted asynchronously after the first message.
  await untilSent()
  putMessagesAway()
  document.body.replaceChildren()
  queryClient.clear()
  signInAs()
  onlineManager.setOnline(true)
  isAccountGone.set(false)
  localStorage.clear()
  globalThis.fetch = ORIGIN_FETCH
})

/** The router of parts that are shown without a page. It has no pages. */
const EMPTY_ROUTER = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

export const show = (part: ReactElement) =>
  render(part, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={queryClient}>
        {/* The provider accepts only the type of the app's own router. */}
        <RouterContextProvider router={EMPTY_ROUTER as never}>{children}</RouterContextProvider>
      </QueryClientProvider>
    ),
  })

/**
 * Renders a page at its place in the app's routes, opened at `address`. `from` is the id of its route, such
 * as `/app/projects/$projectId/domain`. Every other address is an empty page.
 */
export async function showAt(from: string, component: () => ReactElement, address: string) {
  const [, layout = '', ...path] = from.split('/')
  const root = createRootRoute()
  const outer = createRoute({ getParentRoute: () => root, id: layout })
  const inner = createRoute({ getParentRoute: () => outer, path: `/${path.join('/')}`, component })
  // Pages for signed-out visitors, such as `/device`, have no parent route.
  const single = createRoute({ getParentRoute: () => root, path: from, component })
  const router = createRouter({
    ...ROUTER_OPTIONS,
    routeTree: root.addChildren([path.length === 0 ? single : outer.addChildren([inner])]),
    history: createMemoryHistory({ initialEntries: [address] }),
    defaultNotFoundComponent: () => null,
  })
  await router.load()
  // The provider accepts only the type of the app's own router, so cast the test's router.
  show(<RouterProvider router={router as never} />)
  return {
    place: () => router.history.location.href,
    go: (next: string) => act(async () => router.history.push(next)),
  }
}

/** An error response of the service. `retryAfterS` becomes its `Retry-After` header. */
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

const DEFAULT_ANSWERS: Record<string, Responder> = { 'GET /health': () => 'ok' }

/**
 * Replaces `fetch` by a fake of the service. `answers` has a function for each method and path below `/api/v1`, such
 * as `GET /projects`. The service is healthy, unless `answers` has `GET /health`: a refusal as `unavailable` lets the console check its
 * health, and it stops reading while the service is not healthy. Any other request gets a 404. Returns the received requests by the same
 * keys.
 */
export function serve(answers: Record<string, Responder>): Record<string, Call[]> {
  const calls: Record<string, Call[]> = Object.fromEntries(Object.keys(answers).map((key) => [key, []]))
  globalThis.fetch = async (input, init) => {
    const request =
      input instanceof Request ? input : new Request(new URL(String(input), location.href), init)
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.replace(/^\/api\/v1/, '')
    const key = `${request.method} ${path}`
    const answer =
      answers[key] ?? DEFAULT_ANSWERS[key] ?? (() => new Refusal(404, 'not_found', `nothing answers ${key}`))
    const written = await request.text()
    const query = Object.fromEntries(searchParams)
    // An uploaded file is kept as text.
    const isJson = request.headers.get('Content-Type')?.startsWith('application/json') === true
    const body: unknown = written === '' ? null : isJson ? JSON.parse(written) : written
    const call: Call = { path, query, body }
    calls[key]?.push(call)
    const data = await answer(call)
    if (data instanceof Response) return data
    if (data instanceof Refusal) {
      const { status, code, message, retryAfterS } = data
      // The request layer retries a read that failed with a 5xx. A `Retry-After` replaces the random delay before the retry.
      const headers = { 'X-Request-Id': 'req_test', 'Retry-After': String(retryAfterS) }
      return Response.json({ error: { code, message } }, { status, headers })
    }
    // The sign-in library does not wrap its responses in `data`.
    return Response.json(path.startsWith('/api/auth/') ? data : { data })
  }
  return calls
}

/** The bodies of the received requests to one endpoint (`key`), in the order of their arrival. */
export const sent = (calls: Record<string, Call[]>, key: string) => calls[key]?.map(({ body }) => body)

/**
 * Waits until `serve` would have received a request of the last action. Call it before asserting that nothing
 * was sent, because a request is sent only after some asynchronous steps.
 */
export const untilSent = () =>
  act(async () => {
    for (let turn = 0; turn < TURNS_TO_SEND; turn++) await setImmediate()
  })

/** Reads the data of these keys again, and waits until the responses are on screen. */
export const readAgain = (queryKey: readonly unknown[]) =>
  act(async () => {
    await queryClient.refetchQueries({ queryKey })
    await new Promise<void>((resolve) => notifyManager.schedule(resolve))
  })

/** The button with this accessible name; throws when there is none or more than one. */
export const button = (name: string | RegExp) => screen.getByRole('button', { name })
export const press = (name: string | RegExp) => fireEvent.click(button(name))
/** The input with this label; throws when there is none or more than one. */
export const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
export const write = (label: string | RegExp, value: string) =>
  fireEvent.change(field(label), { target: { value } })
/**
 * The text of the option that a select shows. Not read from `selectedOptions`: in happy-dom they may be those before the last change.
 */
export const shownOption = (select: HTMLSelectElement) => select.options[select.selectedIndex]?.text
export const isShown = (words: string | RegExp) => screen.queryByText(words) !== null

/**
 * Whether there is an element of this role. Assert on this boolean: a failed comparison of elements prints
 * both of them, which takes minutes.
 */
export const isThere = (role: string, name?: string | RegExp) =>
  screen.queryByRole(role, { ...(name !== undefined && { name }) }) !== null

/** The element that holds the toast messages. It is mounted once, outside of every test. */
let messages: HTMLElement | null = null
const MESSAGES_SELECTOR = `section[aria-label="${shellText.toasts.label}"]`

/**
 * Dismisses the messages of the test. Emptying the body then removes the element that holds them, and
 * `findMessage` adds it again.
 */
function putMessagesAway(): void {
  messages ??= document.querySelector(MESSAGES_SELECTOR)?.parentElement ?? null
  const shown = messages?.querySelectorAll(`button[aria-label="${shellText.toasts.dismiss}"]`) ?? []
  for (const dismiss of shown) fireEvent.click(dismiss)
}

/** Waits for a toast message. */
export async function findMessage(words: string | RegExp): Promise<HTMLElement> {
  if (messages?.isConnected === false) document.body.append(messages)
  // Ignore the live region for screen readers, which has the same text.
  return screen.findByText(words, { ignore: '[role=status]' })
}

export async function assertAlert(words: RegExp): Promise<void> {
  assert.match((await screen.findByRole('alert')).textContent ?? '', words)
}
