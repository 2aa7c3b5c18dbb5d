import { env } from 'cloudflare:workers'
import { HmacSigner } from '../access/hmac-signer.ts'
import { manifest } from '../../manifest.gen.ts'
import { AttemptLimiter } from '../access/attempt-limiter.ts'
import { errorResponse } from '../worker/envelope.ts'
import { ApiError } from '../errors.ts'
import { gatePage } from './gate-page.ts'
import { limitBody } from '../access/guard.ts'
import { DAY_MS } from '../durations.ts'

const GATE_PATH = '/_app/gate'
const COOKIE_NAME = 'app_gate'
const COOKIE_DAYS = 30
const BODY_BYTES_MAX = 8192
const CODE_CHARS_MAX = 200
const ADDRESS_CHARS_MAX = 2000
/**
 * Paths that need no access code: the health check of a deployment, and the sign-in for members of the
 * organization, whom the console has already identified.
 */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/_app/health',
  '/_app/auth/handover',
  '/_app/auth/handover.js',
])
/** Paths for other services, which do not know the access code. The messages of these services are signed. */
const SIGNED_PATHS = ['/_app/hook/', '/_app/pay/webhook']

interface GateDefinition {
  /** Identifies the access code without revealing it. */
  id: string
  hash: string
  signer: HmacSigner
}

const attemptLimiter = new AttemptLimiter()
let cachedGate: GateDefinition | null | undefined

/**
 * Returns what verifies the access code, read from a variable that Slipway sets: an id of the code, a key created for it, and the code's
 * HMAC with that key. A changed code has a new key, which invalidates all cookies.
 */
function currentGate(): GateDefinition | null {
  if (cachedGate === undefined) cachedGate = readGate()
  return cachedGate
}

function readGate(): GateDefinition | null {
  const bound = env['APP_GATE']
  if (typeof bound !== 'string' || bound === 'off') return null
  const [id = '', key = '', hash = ''] = bound.split('.')
  return { id, hash, signer: new HmacSigner(key) }
}

/**
 * Returns the id of the access code; null when the app has none. `/_app/health` contains it, so that Slipway
 * sees when a changed code is in use.
 */
export const gateId = (): string | null => currentGate()?.id ?? null

/** Returns the response for a request without the correct access code; null when the request may continue. */
export async function refuseWithoutAccessCode(request: Request): Promise<Response | null> {
  const gate = currentGate()
  if (gate === null) return null
  const { pathname } = new URL(request.url)
  if (OPEN_PATHS.has(pathname) || SIGNED_PATHS.some((path) => pathname.startsWith(path))) return null
  const isGate = pathname === GATE_PATH
  if (isGate && request.method === 'POST') return await checkCode(gate, request)
  if (await hasGateCookie(gate, request)) return isGate ? redirectTo('/') : null
  const isPage = request.method === 'GET' && request.headers.get('accept')?.includes('text/html') === true
  if (!isPage) return errorResponse(new ApiError('unauthorized', 'This app needs an access code.'), pathname)
  return gateResponse(401, isGate ? '/' : requestedPath(request), null)
}

/**
 * Returns the cookie that lets a browser in without asking for the access code. Returns null when the app has no
 * access code.
 */
export async function gateCookie(request: Request): Promise<string | null> {
  const gate = currentGate()
  if (gate === null) return null
  const end = new Date(Date.now() + COOKIE_DAYS * DAY_MS)
  const until = String(Math.floor(end.getTime() / 1000))
  const value = `${until}.${await gate.signer.sign('visit', until)}`
  const secure = new URL(request.url).protocol === 'https:' ? '; Secure' : ''
  return `${cookieName(request)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}; Expires=${end.toUTCString()}`
}

async function checkCode(gate: GateDefinition, request: Request): Promise<Response> {
  // Any body that is not a form counts as a form without a code.
  const form = await (await limitBody(request, BODY_BYTES_MAX)).formData().catch(() => new FormData())
  const to = ownPath(form.get('to'), request)
  const from = request.headers.get('cf-connecting-ip') ?? ''
  const seconds = attemptLimiter.count(from, Date.now())
  if (seconds > 0) return gateResponse(429, to, `Too many attempts. Try again in ${waitText(seconds)}.`)
  const code = form.get('code')
  if (!(await matchesCode(gate, code))) return gateResponse(401, to, 'That code is not right.')
  attemptLimiter.resetCount(from)
  const answer = redirectTo(to)
  const cookie = await gateCookie(request)
  if (cookie !== null) answer.headers.append('set-cookie', cookie)
  return answer
}

/** Verifies the HMAC of the typed code, because that takes a time which does not reveal how many characters of a wrong code are right. */
async function matchesCode({ signer, hash }: GateDefinition, typed: unknown): Promise<boolean> {
  if (typeof typed !== 'string' || typed.length > CODE_CHARS_MAX) return false
  return await signer.verify('code', typed.trim().normalize('NFC'), hash)
}

async function hasGateCookie({ signer }: GateDefinition, request: Request): Promise<boolean> {
  const wanted = `${cookieName(request)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  const value = cookies.find((cookie) => cookie.startsWith(wanted))?.slice(wanted.length) ?? ''
  const [until = '', signature = ''] = value.split('.')
  return Number(until) * 1000 > Date.now() && (await signer.verify('visit', until, signature))
}

/** With https, the prefix `__Host-` makes browsers send the cookie to exactly this host. */
const cookieName = (request: Request): string =>
  new URL(request.url).protocol === 'https:' ? `__Host-${COOKIE_NAME}` : COOKIE_NAME

const requestedPath = (request: Request): string => {
  const { pathname, search } = new URL(request.url)
  return ownPath(pathname + search, request)
}

/** Returns `value` if it is a path of this app, and `/` for anything that could lead to another site. */
function ownPath(value: unknown, request: Request): string {
  if (typeof value !== 'string' || value.length > ADDRESS_CHARS_MAX || !value.startsWith('/')) return '/'
  const { origin } = new URL(request.url)
  if (!URL.canParse(value, origin)) return '/'
  const to = new URL(value, origin)
  const path = to.pathname + to.search
  return to.origin === origin && !path.startsWith('//') ? path : '/'
}

const redirectTo = (path: string): Response =>
  new Response(null, { status: 303, headers: { location: path, 'cache-control': 'no-store' } })

const waitText = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`

const gateResponse = (status: number, to: string, problem: string | null): Response =>
  new Response(gatePage({ name: manifest.name, action: GATE_PATH, to, problem }), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    },
  })
