import { hexId, newSecret } from '../../../world/ids.ts'
import { toExceptionEvent, toLineEvent, toLogEvents, type TraceItem } from '../telemetry/log-events.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { passesFilters, type TailFilter } from './filters.ts'
import type { Line, Uncaught } from './lines.ts'

/** One invocation as the tail worker of a group reports it. */
export interface Report {
  script: string
  isObserved: boolean
  item: TraceItem
}

interface TailSession {
  id: string
  /** Part of the address of its socket: whoever knows it may listen. */
  key: string
  accountId: string
  script: string
  filters: TailFilter[]
  expiresAt: number
  /** Null until somebody connects. */
  send: ((text: string) => void) | null
  end: (() => void) | null
}

const LIFE_MS = 6 * 60 * 60_000
// Asked for and never connected to.
const CONNECT_WITHIN_MS = 60_000

/** Outcomes that are no fault of the worker. */
const HARMLESS = new Set(['ok', 'canceled', 'responseStreamDisconnected'])

/** Who listens to which worker, and where what the workers report goes: to listeners and into the telemetry. */
export class TailSessions {
  readonly #telemetry: Telemetry
  readonly #sessions = new Map<string, TailSession>()

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry
  }

  /** Opens a session; it ends by itself when nobody connects to it. */
  create(wish: { accountId: string; script: string; filters: TailFilter[] }): TailSession {
    const now = Date.now()
    for (const old of this.#sessions.values()) {
      const isUnused = old.send === null && old.expiresAt - LIFE_MS + CONNECT_WITHIN_MS < now
      if (isUnused || old.expiresAt < now) this.remove(old.id)
    }
    const session = {
      ...wish,
      id: hexId(),
      key: newSecret(''),
      expiresAt: now + LIFE_MS,
      send: null,
      end: null,
    }
    this.#sessions.set(session.id, session)
    return session
  }

  findByKey(key: string): TailSession | null {
    return [...this.#sessions.values()].find((session) => session.key === key) ?? null
  }

  list(accountId: string, script: string): TailSession[] {
    return [...this.#sessions.values()].filter(
      (session) => session.accountId === accountId && session.script === script,
    )
  }

  remove(id: string): void {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    session?.end?.()
  }

  /** Names of the account's workers somebody listens to. */
  listening(accountId: string): string[] {
    const own = [...this.#sessions.values()].filter((session) => session.accountId === accountId)
    return [...new Set(own.map((session) => session.script))]
  }

  /** Takes in what the workers of a group did. */
  receive(accountId: string, reports: Report[]): void {
    for (const { script, isObserved, item } of reports) {
      if (!HARMLESS.has(item.outcome)) {
        this.#telemetry.countError(accountId, script, item.eventTimestamp ?? Date.now())
      }
      if (isObserved) this.#telemetry.addEvents(toLogEvents(accountId, script, item))
      for (const session of this.list(accountId, script)) {
        if (session.send !== null && passesFilters(item, session.filters))
          session.send(traceMessage(script, item))
      }
    }
  }

  /** Takes in what a worker wrote whose invocations are not kept: a line, or an exception nobody caught. */
  receiveWritten(accountId: string, written: Line | Uncaught): void {
    if ('exception' in written) {
      const { script, exception } = written
      this.#telemetry.countError(accountId, script, exception.timestamp)
      this.#telemetry.addEvents([toExceptionEvent(accountId, script, written)])
    } else {
      const { script, ...log } = written
      this.#telemetry.addEvents([toLineEvent(accountId, script, log)])
    }
  }
}

/** The form of `trace-v1`; this runtime measures neither CPU nor wall time. */
function traceMessage(script: string, item: TraceItem): string {
  return JSON.stringify({
    wallTime: 0,
    cpuTime: 0,
    ...item,
    scriptName: script,
    diagnosticsChannelEvents: [],
  })
}
