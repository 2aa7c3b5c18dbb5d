import { ApiError, invalid } from '../kernel/errors.ts'
import { rejectWhenLate } from '../kernel/reject-when-late.ts'
import { retryAfterSeconds } from '../kernel/retry-after.ts'
import { pageRequest } from './page.ts'
import type { PageSource, RenderSettings } from './types.ts'

/** Extra time for starting the browser and for the network. `timeoutMs` limits the loading of the page and the rendering. */
const STARTUP_ALLOWANCE_MS = 20_000
const RETRY_SECONDS = 60

export type Action = 'pdf' | 'screenshot' | 'markdown' | 'content'

export interface Browser {
  quickAction(action: Action, options: object): Promise<Response>
}

export interface RenderBudget {
  begin(): Promise<{ id: string; settings: RenderSettings }>
  end(id: string, isUsed: boolean): Promise<unknown>
}

/**
 * Renders one page and returns its bytes. Reserves a rendering before calling the browser. Counts a successful rendering, and otherwise
 * releases the reservation.
 */
export async function renderWithinBudget(
  { browser, budget, own }: { browser: Browser; budget: RenderBudget; own: string[] },
  action: Action,
  { source, options }: { source: PageSource; options: object },
): Promise<Uint8Array<ArrayBuffer>> {
  const { id, settings } = await budget.begin()
  let answer: Response
  try {
    const request = { ...pageRequest(source, settings, own), ...options }
    const limitMs = 2 * settings.timeoutMs + STARTUP_ALLOWANCE_MS
    answer = await rejectWhenLate(browser.quickAction(action, request), limitMs, pageTooSlow(settings))
    if (!answer.ok) throw await renderError(answer, settings)
  } catch (error) {
    // A reservation that cannot be released expires by itself.
    await budget.end(id, false).catch(() => {})
    throw error
  }
  // Try twice: a Durable Object that restarts at this moment rejects the call that reaches it first.
  const counted = budget.end(id, true).catch(() => budget.end(id, true))
  const [bytes] = await Promise.all([readWithin(answer, settings.maxBytes), counted])
  if (bytes === null) throw invalid('page', `is larger than ${settings.maxBytes} bytes`)
  return bytes
}

const pageTooSlow = ({ timeoutMs }: RenderSettings) =>
  new ApiError('unavailable', `The page did not load within ${timeoutMs} ms.`)

/** Returns an error that leaves out the browser's message, which may contain the page's address. */
async function renderError(answer: Response, settings: RenderSettings): Promise<ApiError> {
  const text = await answer.text()
  if (answer.status === 429) {
    return new ApiError('rate_limited', 'All browsers are busy. Try again.', {
      retryAfterSeconds: retryAfterSeconds(answer.headers.get('retry-after')) ?? RETRY_SECONDS,
    })
  }
  if (text.includes('ERR_BLOCKED_BY_CLIENT')) return invalid('url', 'leads to a host that is not allowed')
  if (/time(?:d )?out|within \d+ ms/i.test(text)) return pageTooSlow(settings)
  return new ApiError('unavailable', 'The page could not be rendered.', {
    cause: new Error(text.slice(0, 500)),
  })
}

/** Returns the bytes; null when there are more than `maxBytes`, without reading the rest. */
async function readWithin({ body }: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = (body ?? new Blob().stream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
