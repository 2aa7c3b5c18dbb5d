import type { Route } from 'playwright-core'
import { sampleRecords } from '@slipway/runtime/testing/samples.ts'
import * as z from 'zod'
import type { WebFile } from '../../bundle/web.ts'
import type { Manifest } from '../../source/manifest.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** No server listens at this origin: the check fulfils every request of the browser. Like every app's address, it is HTTPS. */
export const STUB_ORIGIN = 'https://app.test'

const APP_TIMEOUT_MS = 2_000
const REPORT_PATHS = ['/_app/error', '/_app/events']

export interface ViewState {
  hasRecords: boolean
  /** A signed-in person has the role staff, so that every part of a page is visible. */
  isSignedIn: boolean
}

export interface ResponderInput {
  web: Readonly<Record<string, WebFile>>
  manifest: Manifest
  /** The booted app, which handles every request that is neither for a file nor for data. */
  sandbox: Sandbox
}

const SAMPLE_PERSON = {
  id: 'sample-person',
  email: 'ada@example.test',
  emailVerified: true,
  name: 'Ada Lovelace',
  role: 'staff',
  createdAt: '2026-11-20T09:30:00.000Z',
}

/**
 * Fulfils every request of a page: files from the bundle, records and the person from samples, other reads from the booted app. No
 * request leaves the browser. `onRefused` is called for a response with an error. The booted app has no records, so the check may be the
 * cause of an error that the page throws afterwards.
 */
export function createResponder(input: ResponderInput, state: ViewState, onRefused: () => void) {
  return async (route: Route): Promise<void> => {
    const request = route.request()
    const url = new URL(request.url())
    if (url.origin !== STUB_ORIGIN) return await route.abort('blockedbyclient')
    const response = await respondTo(input, state, { method: request.method(), url }).catch(() =>
      failureResponse(400, 'invalid_request', 'The address cannot be read.'),
    )
    if (response.status >= 400) onRefused()
    await route.fulfill(response)
  }
}

interface StubResponse {
  status: number
  contentType: string
  body: string | Buffer
}

const jsonResponse = (status: number, value: unknown): StubResponse => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
})
const successResponse = (value: unknown): StubResponse => jsonResponse(200, { ok: true, data: value })
const failureResponse = (status: number, code: string, message: string): StubResponse =>
  jsonResponse(status, { ok: false, error: { code, message } })

async function respondTo(
  input: ResponderInput,
  state: ViewState,
  { method, url }: { method: string; url: URL },
): Promise<StubResponse> {
  const { pathname } = url
  // The runtime reports errors and page views automatically. A check observes errors directly and counts no views.
  if (REPORT_PATHS.includes(pathname)) return successResponse(null)
  if (method !== 'GET')
    return failureResponse(503, 'unavailable', 'Nothing is changed while a page is checked.')
  const file = input.web[pathname]
  if (file !== undefined) return fileResponse(file)
  if (pathname === '/_app/auth/me') return successResponse(state.isSignedIn ? SAMPLE_PERSON : null)
  if (pathname.startsWith('/_app/data/')) return dataResponse(input.manifest, state, url)
  const page = input.web['/index.html']
  if (page !== undefined && !/^\/(?:_app|api)\//.test(pathname)) return fileResponse(page)
  return await appResponse(input.sandbox, `${pathname}${url.search}`)
}

const fileResponse = ({ bytes, contentType }: WebFile): StubResponse => ({
  status: 200,
  contentType,
  body: Buffer.from(bytes),
})

const Where = z.record(z.string(), z.unknown())

/** Responds as `/_app/data` does to a page that only reads. */
function dataResponse(
  manifest: Manifest,
  { hasRecords }: ViewState,
  { pathname, searchParams }: URL,
): StubResponse {
  const [name = '', id] = pathname.slice('/_app/data/'.length).split('/').map(decodeURIComponent)
  const rowsOf = (collection: string, query: Parameters<typeof sampleRecords>[1] = {}) =>
    hasRecords ? sampleRecords(manifest.collections[collection]?.fields ?? {}, query, SAMPLE_PERSON.id) : []
  if (name === 'search') return successResponse(rowsOf(searchParams.get('collection') ?? ''))
  if (id === 'count') return successResponse(rowsOf(name).length)
  if (id !== undefined) {
    const [row] = rowsOf(name, { where: { id } })
    return row === undefined
      ? failureResponse(404, 'not_found', 'There is no such record.')
      : successResponse(row)
  }
  const where = searchParams.get('where')
  const query = where === null ? {} : { where: Where.parse(JSON.parse(where)) }
  return successResponse({ items: rowsOf(name, query), nextCursor: null, seq: 1 })
}

async function appResponse(sandbox: Sandbox, path: string): Promise<StubResponse> {
  try {
    const { status, body } = await sandbox.get('app', path, APP_TIMEOUT_MS)
    return { status, body, contentType: /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain' }
  } catch {
    return failureResponse(503, 'unavailable', 'The app did not answer.')
  }
}
