import { RequestLimiter } from '../access/request-limiter.ts'
import { succeed } from '../worker/envelope.ts'
import { ApiError, rateLimitedError } from '../errors.ts'
import { limitBody, readJson } from '../access/guard.ts'
import { logError } from '../objects/log.ts'

const BODY_BYTES_MAX = 16_384
const MESSAGE_CHARS_MAX = 1000
const STACK_CHARS_MAX = 4000
const PATH_CHARS_MAX = 200
/** The maximum number of errors a minute from one IP address, so that one visitor cannot use up the limit of all visitors. */
const PER_NETWORK_MAX = 10
const PER_MINUTE_MAX = 60

const networkVisits = new RequestLimiter(PER_NETWORK_MAX)
const allVisits = new RequestLimiter(PER_MINUTE_MAX)

/**
 * Logs an uncaught error that a page reports. Anyone can send such a report, so its texts are cut, and each instance of the worker
 * accepts only `PER_MINUTE_MAX` reports a minute.
 */
export async function logPageError(request: Request): Promise<Response> {
  // A browser sends its origin with every POST. An earlier check has compared it with the app's own origin.
  if (request.headers.get('origin') === null) throw new ApiError('forbidden', 'Only pages report errors.')
  const now = Date.now()
  const wait =
    networkVisits.count(request.headers.get('cf-connecting-ip') ?? '', now) ||
    allVisits.count('every network', now)
  if (wait > 0) throw rateLimitedError('Too many errors were reported.', wait)
  const { message, stack, path } = await readJson(await limitBody(request, BODY_BYTES_MAX))
  const text = cutText(message, MESSAGE_CHARS_MAX)
  if (text === '') throw new ApiError('invalid_request', 'message: is required', { field: 'message' })
  const error = Object.assign(new Error(text), { stack: cutText(stack, STACK_CHARS_MAX) })
  // Leave out the query, which may contain a token.
  const [page = ''] = cutText(path, PATH_CHARS_MAX).split(/[?#]/)
  logError(error, { route: `page ${page}` })
  return succeed({ recorded: true })
}

const cutText = (value: unknown, charsMax: number): string =>
  typeof value === 'string' ? value.slice(0, charsMax) : ''
