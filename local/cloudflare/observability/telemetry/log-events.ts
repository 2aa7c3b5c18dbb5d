import { sha256 } from '../../../world/ids.ts'
import { randomUUID } from 'node:crypto'
import type { LogEvent } from './telemetry.ts'
import { isRecord } from '../../is-record.ts'

/** What the runtime reports about one invocation of a worker, in the format that a tail worker receives. */
export interface TraceItem {
  outcome: string
  truncated: boolean
  executionModel: string
  entrypoint?: string
  eventTimestamp: number | null
  event: TraceEvent | null
  logs: { message: unknown[]; level: string; timestamp: number }[]
  exceptions: { name: string; message: string; stack?: string; timestamp: number }[]
}

export interface TraceEvent {
  request?: { url: string; method: string; headers: Record<string, string>; cf?: object }
  response?: { status: number }
  [field: string]: unknown
}

const TEXT_MAX = 16_384

/** Returns the log lines and problems of an invocation as telemetry events. */
export function toLogEvents(accountId: string, script: string, item: TraceItem): LogEvent[] {
  const common = commonEventFields(accountId, script, item)
  const invocation: LogEvent = {
    ...common,
    at: item.eventTimestamp ?? Date.now(),
    type: 'cf-worker-event',
    level: 'info',
    message: common.trigger ?? common.eventType,
    error: null,
    fingerprint: null,
    source: {},
  }
  const lines = item.logs.map((log) => lineEvent(common, log))
  return [...lines, ...item.exceptions.map((exception) => exceptionEvent(common, exception)), invocation]
}

/** Returns the event of an uncaught exception when the rest of its invocation is not recorded. */
export function toExceptionEvent(
  accountId: string,
  script: string,
  { event, exception }: { event: TraceEvent; exception: TraceItem['exceptions'][number] },
): LogEvent {
  return exceptionEvent(commonEventFields(accountId, script, { outcome: 'exception', event }), exception)
}

/** Returns the event of a log line when it is unknown which invocation wrote it. */
export function toLineEvent(accountId: string, script: string, log: TraceItem['logs'][number]): LogEvent {
  const common = {
    accountId,
    script,
    requestId: randomUUID(),
    eventType: 'unknown',
    outcome: 'ok',
    trigger: null,
    url: null,
    statusCode: null,
  }
  return lineEvent(common, log)
}

type CommonEvent = Pick<
  LogEvent,
  'accountId' | 'script' | 'requestId' | 'eventType' | 'outcome' | 'trigger' | 'url' | 'statusCode'
>

function commonEventFields(
  accountId: string,
  script: string,
  item: Pick<TraceItem, 'outcome' | 'event'>,
): CommonEvent {
  const { outcome, event } = item
  return {
    accountId,
    script,
    requestId: randomUUID(),
    eventType: eventType(event),
    outcome,
    trigger: triggerOf(event),
    url: event?.request?.url ?? null,
    statusCode: event?.response?.status ?? null,
  }
}

function exceptionEvent(common: CommonEvent, exception: TraceItem['exceptions'][number]): LogEvent {
  const { name, stack } = exception
  const message = `${name}: ${exception.message}`.slice(0, TEXT_MAX)
  return {
    ...common,
    at: exception.timestamp,
    type: 'cf-worker-event',
    level: 'error',
    message,
    error: message,
    fingerprint: fingerprintOf(message),
    source: { exception: { name, message: exception.message, stack: stack ?? '' } },
  }
}

function lineEvent(common: CommonEvent, log: TraceItem['logs'][number]): LogEvent {
  const source = sourceOf(log.message)
  const message = messageOf(source, log.message)
  const isError = log.level === 'error'
  return {
    ...common,
    at: log.timestamp,
    type: 'cf-worker',
    level: log.level,
    message,
    error: isError ? message : null,
    fingerprint: isError ? fingerprintOf(message) : null,
    source,
  }
}

/** Returns the fields of a line that is one JSON object, so that queries can filter by them; otherwise the text. */
function sourceOf(message: unknown[]): unknown {
  const [first] = message
  if (message.length !== 1 || typeof first !== 'string') {
    return message.length === 1 && isRecord(first)
      ? first
      : message.map(toLogText).join(' ').slice(0, TEXT_MAX)
  }
  if (!first.startsWith('{')) return first
  try {
    const parsed: unknown = JSON.parse(first)
    return isRecord(parsed) ? parsed : first
  } catch {
    return first
  }
}

function messageOf(source: unknown, message: unknown[]): string {
  const own = isRecord(source) ? source['message'] : undefined
  return (typeof own === 'string' ? own : message.map(toLogText).join(' ')).slice(0, TEXT_MAX)
}

function toLogText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

/** Returns the same key for messages that differ only in numbers and ids. */
function fingerprintOf(message: string): string {
  return sha256(message.replaceAll(/[0-9a-f]{8,}|\d+/gi, '#')).slice(0, 32)
}

function eventType(event: TraceItem['event']): string {
  if (event === null) return 'unknown'
  if (event.request !== undefined) return 'fetch'
  if ('cron' in event) return 'cron'
  if ('queue' in event) return 'queue'
  if ('mailFrom' in event) return 'email'
  if ('rpcMethod' in event) return 'rpc'
  return 'scheduledTime' in event ? 'alarm' : 'unknown'
}

function triggerOf(event: TraceItem['event']): string | null {
  if (event === null) return null
  const { request } = event
  if (request !== undefined) return `${request.method} ${pathnameOf(request.url)}`
  const named = event['cron'] ?? event['queue'] ?? event['rpcMethod'] ?? event['mailFrom']
  return typeof named === 'string' ? named : null
}

function pathnameOf(url: string): string {
  return URL.parse(url)?.pathname ?? url
}
