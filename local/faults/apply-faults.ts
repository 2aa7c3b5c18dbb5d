import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import { untilAborted } from '../world/until-aborted.ts'
import type { Faults } from './faults.ts'

interface FaultOptions {
  faults: Faults
  provider: string
  accountOf(c: Context): string | null
  /**
   * Returns the resource names of a request that may contain a fault token such as `fail-500`; by default the
   * path segments.
   */
  namesOf?(c: Context): Promise<string[]>
}

/**
 * Thrown for a fault that is an error response. `code` is a Cloudflare error code; the stand-ins of other providers convert the error to
 * their own format.
 */
export class InjectedFailure extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Record<string, string>

  constructor(refusal: { status: number; code: number; message: string }, headers: Record<string, string>) {
    super(refusal.message)
    this.status = refusal.status
    this.code = refusal.code
    this.headers = headers
  }
}

/** Middleware that makes requests fail as a test ordered or as a name in the request asks for. */
export function applyFaults({
  faults,
  provider,
  accountOf,
  namesOf = segmentsOf,
}: FaultOptions): MiddlewareHandler {
  return async (c, next) => {
    const names = await namesOf(c)
    const { method, path } = c.req
    const fault = faults.findFault({ provider, method, path, accountId: accountOf(c), names })
    if (fault === null) return next()
    c.set('fault', fault.name)
    const { effect } = fault
    switch (effect.kind) {
      case 'refuse': {
        const headers = effect.retryAfter === undefined ? {} : { 'Retry-After': String(effect.retryAfter) }
        throw new InjectedFailure(effect, headers)
      }
      case 'delay':
        await sleep(effect.ms)
        return next()
      case 'hang':
        await untilAborted(c.req.raw.signal)
        return c.body(null, 499 as never)
      case 'reset':
        cutConnection(c)
        return c.body(null)
      default:
        await next()
        cutConnection(c)
        return undefined
    }
  }
}

const segmentsOf = async (c: Context): Promise<string[]> => c.req.path.split('/').map(decodeName)

/** Returns the segment unchanged when it is badly encoded; the route then rejects it. */
function decodeName(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function cutConnection(c: Context): void {
  const { incoming } = c.env as { incoming?: IncomingMessage }
  incoming?.socket.destroy()
}
