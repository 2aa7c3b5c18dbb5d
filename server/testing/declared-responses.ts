import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { type Endpoint, JsonStream, RawJson, type SseBytes, type SseMessage } from '../http/endpoint.ts'
import { toApiError } from '../http/envelope.ts'
import { failuresOf } from '../http/openapi.ts'

/** One sentence for each response of the current test that differs from the declaration of its endpoint. */
const foundFaults: string[] = []

// Scripts import this module too. They run no tests, so they must not register hooks for tests.
if (process.env['NODE_ENV'] === 'test')
  afterEach(() => assert.deepEqual(foundFaults.splice(0), [], 'responses that the contract does not permit'))

/**
 * Wraps endpoints so that a test fails when one of their responses, or an event of a stream, differs from the type that the endpoint
 * declares in `returns`. The test also fails when the endpoint does not declare the code of an error. A field that is not declared is a
 * difference too, because the contract permits no others.
 */
export function checkResponses(
  endpoints: Endpoint[],
  report: (fault: string) => void = (fault) => void foundFaults.push(fault),
): Endpoint[] {
  return endpoints.map((endpoint) => ({
    ...endpoint,
    handle: async (input) => {
      try {
        return checkResult(await endpoint.handle(input), endpoint, report)
      } catch (error) {
        const { code } = toApiError(error)
        if (!failuresOf(endpoint).includes(code))
          report(`${endpoint.name} failed with ${code}, which it does not declare`)
        throw error
      }
    },
  }))
}

function checkResult(result: unknown, endpoint: Endpoint, report: (fault: string) => void): unknown {
  const check = (text: string) => {
    const fault = findFault(text, endpoint)
    if (fault !== null) report(fault)
  }
  if (endpoint.kind === 'sse') return checkEvents(result as AsyncIterable<SseMessage | SseBytes>, check)
  if (endpoint.kind !== 'json') return result
  if (result instanceof JsonStream) return new JsonStream(checkPieces(result.pieces, check))
  check(result instanceof RawJson ? result.text : JSON.stringify(result ?? null))
  return result
}

async function* checkPieces(pieces: AsyncIterable<string>, check: (text: string) => void) {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    yield piece
  }
  check(text)
}

async function* checkEvents(events: AsyncIterable<SseMessage | SseBytes>, check: (text: string) => void) {
  for await (const event of events) {
    for (const text of dataOf(event)) check(text)
    yield event
  }
}

function dataOf(event: SseMessage | SseBytes): string[] {
  if ('data' in event) return [event.data]
  const lines = new TextDecoder().decode(event.bytes).split('\n')
  return lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
}

/** Returns one sentence about how a response differs from the declaration of its endpoint; null when the response matches. */
function findFault(text: string, { name, returns }: Endpoint): string | null {
  if (returns === undefined) return null
  const data: unknown = JSON.parse(text)
  const { error, data: declared } = returns.safeParse(data)
  if (error !== undefined) return `${name} returned what it does not declare: ${error.message}`
  try {
    // Parsing drops the fields that the schema does not know.
    assert.deepEqual(declared, data)
    return null
  } catch (different) {
    return `${name} returned fields that it does not declare: ${String(different)}`
  }
}
