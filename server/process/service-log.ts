import { APICallError } from 'ai'
import { type DestinationStream, type Logger, pino } from 'pino'
import { ModelFailure } from '../agent/model/failure.ts'
import { ApiError } from '../http/errors.ts'
import { OutboundError } from '../lib/outbound.ts'
import { ProviderError } from '../lib/provider-error.ts'

/** Errors that are expected in operation. Their message is logged without the stack. */
const EXPECTED_ERRORS = [ApiError, ModelFailure, OutboundError, ProviderError]
const MESSAGE_CHARS_MAX = 300
const CAUSES_MAX = 3

/** Opens the log: readable lines in a terminal, JSON everywhere else. */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: serializeError } }
  if (destination !== undefined) return pino(options, destination)
  if (!process.stdout.isTTY) return pino(options)
  const transport = { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } }
  return pino({ ...options, transport })
}

/**
 * Formats an expected error as one line without the provider's request and response, which contain texts of
 * organizations. Any other error is logged with its stack.
 */
function serializeError(error: Error): unknown {
  if (!isExpected(error)) return pino.stdSerializers.err(error)
  const messages: string[] = []
  for (let one: unknown = error; one instanceof Error && messages.length < CAUSES_MAX; one = one.cause)
    messages.push(one.message)
  return `${error.name}: ${[...new Set(messages)].join(': ').replaceAll(/\s+/g, ' ')}`.slice(
    0,
    MESSAGE_CHARS_MAX,
  )
}

const isExpected = (error: unknown): boolean =>
  EXPECTED_ERRORS.some((kind) => error instanceof kind) ||
  APICallError.isInstance(error) ||
  (error instanceof Error && error.name.startsWith('AI_'))
