import { hexId, newSecret } from '../../../world/ids.ts'
import { toExceptionEvent, toLineEvent, toLogEvents, type TraceItem } from '../telemetry/log-events.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { passesFilters, type TailFilter } from './filters.ts'
import type { LogLine, UncaughtException } from './lines.ts'

export interface TailReport {
  script: string
  isObserved: boolean
  item: TraceItem
}

interface TailSession {
  id: string
  /** A secret part of the socket's address: anyone who knows it may listen. */
  key: string
  accountId: string
  script: string
  filters: TailFilter[]
  expiresAt: number
  /** Null until a client connects. */
  send: ((text: string) => void) | null
  end: (() => void) | null
}

const SESSION_LIFETIME_MS = 6 * 60 * 60_000
// A session without a connection ends after this time.
const CONNECT_WITHIN_MS = 60_000

const HARMLESS_OUTCOMES = new Set(['ok', 'canceled', 'responseStreamDisconnected'])

/** Stores the tail sessions, and passes the reports of workers to these sessions and to the telemetry. */
export class TailSessions {
  readonly #telemetry: Telemetry
  readonly #sessions = new Map<string, TailSession>()

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry
  }

  /** Creates a session, which ends when no client connects within `CONNECT_WITHIN_MS`. */
  create(input: { accountId: string; script: string; filters: TailFilter[] }): TailSession {
    const now = Date.now()
    for (const old of this.#sessions.values()) {
      const isUnused = old.send === null && old.expiresAt - SESSION_LIFETIME_MS + CONNECT_WITHIN_MS < now
      if (isUnused || old.expiresAt < now) this.remove(old.id)
    }
    const session = {
      ...input,
      id: hexId(),
      key: newSecret(''),
      expiresAt: now + SESSION_LIFETIME_MS,
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

  listening(accountId: string): string[] {
    const own = [...this.#sessions.values()].filter((session) => session.accountId === accountId)
    return [...new Set(own.map((session) => session.script))]
  }

  receive(accountId: string, reports: TailReport[]): void {
    for (const { script, isObserved, item } of reports) {
      if (!HARMLESS_OUTCOMES.has(item.outcome)) {
        this.#telemetry.countError(accountId, script, item.eventTimestamp ?? Date.now())
      }
      if (isObserved) this.#telemetry.addEvents(toLogEvents(accountId, script, item))
      for (const session of this.list(accountId, script)) {
        if (session.send !== null && passesFilters(item, session.filters))
          session.send(traceMessage(script, item))
      }
    }
  }

  /** Receives log lines and exceptions of workers whose invocations are not recorded. */
  receiveWritten(accountId: string, written: LogLine | UncaughtException): void {
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

/** Returns a message in the format `trace-v1`. This runtime measures neither CPU nor wall time, so both are 0. */
function traceMessage(script: string, item: TraceItem): string {
  return JSON.stringify({
    wallTime: 0,
    cpuTime: 0,
    ...item,
    scriptName: script,
    diagnosticsChannelEvents: [],
  })
}
