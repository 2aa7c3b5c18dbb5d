import * as z from 'zod'
import { findSentinel, secondsOf } from './sentinels.ts'

/**
 * What a fault does to a request. `refuse`, `hang` and `reset` prevent the request, `delay` executes it late, and `commit-then-drop`
 * executes it and closes the connection without a response.
 */
export type FaultEffect =
  | { kind: 'refuse'; status: number; code: number; message: string; retryAfter?: number | undefined }
  | { kind: 'delay'; ms: number }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'commit-then-drop' }

/** A request to a stand-in for a provider. `names` are the names in it that may contain a fault token (`sentinels.ts`). */
export interface FaultableCall {
  provider: string
  method: string
  path: string
  accountId: string | null
  names: string[]
}

/** A fault that a test sets through the control routes: which requests the fault matches, and what it does to them. */
export const FaultRule = z.object({
  match: z.object({
    provider: z.string(),
    method: z.string().optional(),
    /** A substring of the path. */
    path: z.string().optional(),
    account: z.string().optional(),
    /** The first matching call that fails, counted from 1. */
    nth: z.number().int().min(1).default(1),
    times: z.number().int().min(1).default(1),
  }),
  do: z.union([
    z.object({
      status: z.number().int().min(400).max(599),
      code: z.number().int().default(10000),
      retryAfter: z.number().optional(),
    }),
    z.object({ delayMs: z.number().min(0) }),
    z.object({ hang: z.literal(true) }),
    z.object({ reset: z.literal(true) }),
    z.object({ commitThenDrop: z.literal(true) }),
  ]),
})
export type FaultRule = z.output<typeof FaultRule>

interface ActiveRule {
  rule: FaultRule
  seen: number
  hits: number
}

/** Decides which calls fail. Exists only when the control routes are enabled. */
export class Faults {
  readonly #activeRules: ActiveRule[] = []
  readonly #timeScale: number
  /** Names whose first write has failed: `fail-500` fails only once. */
  readonly #failedOnce = new Set<string>()

  constructor(timeScale: number) {
    this.#timeScale = timeScale
  }

  addRule(rule: FaultRule): void {
    this.#activeRules.push({ rule, seen: 0, hits: 0 })
  }

  clear(): void {
    this.#activeRules.length = 0
    this.#failedOnce.clear()
  }

  list(): object[] {
    return this.#activeRules.map(({ rule, hits }) => ({ ...rule, hits }))
  }

  /**
   * Returns the fault for a request: its effect, and its name for the journal of requests; null when there is
   * none.
   */
  findFault(call: FaultableCall): { name: string; effect: FaultEffect } | null {
    return this.#faultByRule(call) ?? this.#faultByName(call)
  }

  /**
   * Returns how long an object with this name is hidden after its creation, in milliseconds; 0 unless the name contains a token such as
   * `late-3s`.
   */
  visibilityDelayMs(name: string): number {
    const token = findSentinel(name)
    return token?.startsWith('late-') === true ? secondsOf(token) * 1000 * this.#timeScale : 0
  }

  #faultByRule(call: FaultableCall): { name: string; effect: FaultEffect } | null {
    for (const active of this.#activeRules) {
      const { provider, method, path, account, nth, times } = active.rule.match
      const isMatch =
        provider === call.provider &&
        (method === undefined || method === call.method) &&
        (path === undefined || call.path.includes(path)) &&
        (account === undefined || account === call.accountId)
      if (!isMatch) continue
      active.seen++
      if (active.seen < nth || active.seen >= nth + times) continue
      active.hits++
      return { name: 'control', effect: toEffect(active.rule.do) }
    }
    return null
  }

  #faultByName(call: FaultableCall): { name: string; effect: FaultEffect } | null {
    if (call.method === 'GET' || call.method === 'HEAD') return null
    for (const name of call.names) {
      const token = findSentinel(name)
      const effect = token === null ? null : this.#effectOf(token, call, name)
      if (token !== null && effect !== null) return { name: token, effect }
    }
    return null
  }

  #effectOf(token: string, call: FaultableCall, name: string): FaultEffect | null {
    const isFirst = () => {
      const key = `${call.accountId}/${name}`
      return !this.#failedOnce.has(key) && this.#failedOnce.add(key) !== undefined
    }
    const refusalEffect = (status: number, code: number) => ({
      kind: 'refuse' as const,
      status,
      code,
      message: `The name asks for this failure (${token}).`,
    })
    switch (token) {
      case 'fail-429':
        return isFirst() ? { ...refusalEffect(429, 10429), retryAfter: 1 } : null
      case 'fail-500':
        return isFirst() ? refusalEffect(500, 10002) : null
      case 'fail-hang':
        return isFirst() ? { kind: 'hang' } : null
      case 'fail-drop':
        return isFirst() ? { kind: 'commit-then-drop' } : null
      case 'fail-500-always':
        return refusalEffect(500, 10002)
      case 'fail-403':
        return refusalEffect(403, 10000)
      case 'fail-taken':
        return call.method === 'DELETE' ? null : refusalEffect(409, 10013)
      case 'fail-upload':
        return isUpload(call) ? refusalEffect(400, 10021) : null
      case 'fail-delete':
        return call.method === 'DELETE' ? refusalEffect(500, 10002) : null
      default:
        return token.startsWith('slow-')
          ? { kind: 'delay', ms: secondsOf(token) * 1000 * this.#timeScale }
          : null
    }
  }
}

function isUpload(call: FaultableCall): boolean {
  return (
    (call.method === 'PUT' && /\/workers\/scripts\/[^/]+$/.test(call.path)) ||
    (call.method === 'POST' && call.path.endsWith('/versions'))
  )
}

function toEffect(input: FaultRule['do']): FaultEffect {
  if ('status' in input) {
    return { kind: 'refuse', message: 'A fault was ordered for this call.', ...input }
  }
  if ('delayMs' in input) return { kind: 'delay', ms: input.delayMs }
  if ('hang' in input) return { kind: 'hang' }
  return 'reset' in input ? { kind: 'reset' } : { kind: 'commit-then-drop' }
}
