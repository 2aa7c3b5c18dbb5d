import { Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError, invalid, rateLimitedError } from '../kernel/errors.ts'
import { limitBody, readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { RequestLimiter } from '../kernel/access/request-limiter.ts'
import { EVENTS_AT_ONCE } from './limits.ts'
import type { EventDraft } from './accept.ts'
import { recordEvents } from './record.ts'

const BODY_BYTES_MAX = 16_384
/** The maximum number of requests per minute from one IP address. A page sends the events of two seconds in one request. */
const REQUESTS_A_MINUTE = 60

const networkVisits = new RequestLimiter(REQUESTS_A_MINUTE)

/** The route `/_app/events`: POST `/` for pages of the app. The response does not reveal which events were counted. */
const eventsRoutes = new Hono().post('/', async (c) => {
  const request = c.req.raw
  // A browser sends its origin with every POST. An earlier check has compared it with the app's own origin.
  if (request.headers.get('origin') === null) throw new ApiError('forbidden', 'Only pages send events.')
  const wait = networkVisits.count(request.headers.get('cf-connecting-ip') ?? '', Date.now())
  if (wait > 0) throw rateLimitedError('Too many events.', wait)
  const { events } = await readJson(await limitBody(request, BODY_BYTES_MAX))
  if (!Array.isArray(events) || events.length > EVENTS_AT_ONCE || !events.every(isObject))
    throw invalid('events', `must be a list of at most ${EVENTS_AT_ONCE} events`)
  recordEvents(events, request)
  return succeed({ received: events.length })
})

const isObject = (value: unknown): value is EventDraft => typeof value === 'object' && value !== null

export const mount: Mount = { routes: eventsRoutes }
