import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { type Endpoint, JsonStream, RawJson, type SseBytes } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { checkResponses } from './declared-responses.ts'

const Plant = z.object({ name: z.string(), pot: z.object({ size: z.int() }).nullable() })
const GOOD = { name: 'Fern', pot: { size: 3 } }

async function* piecesOf(...pieces: string[]) {
  yield* pieces
}

const framesOf = async function* (...frames: (string | SseBytes)[]) {
  for (const frame of frames) yield typeof frame === 'string' ? { data: frame } : frame
}

/** Returns an endpoint that declares a plant and a conflict. Its handler returns or throws what `handle` does. */
const plantEndpoint = (kind: 'json' | 'sse', handle: () => unknown): Endpoint[] =>
  group('Plants', {
    readPlant: {
      ...endpoint({
        route: 'GET /plants',
        scope: 'public',
        summary: 'One plant',
        returns: Plant,
        fails: ['conflict'],
        handle: () => GOOD,
      }),
      kind,
      handle,
    },
  })

/** Calls the endpoint, reads its whole result, and returns the faults that were found. */
async function faultsOf(handle: () => unknown, kind: 'json' | 'sse' = 'json'): Promise<string[]> {
  const faults: string[] = []
  const [checked] = checkResponses(plantEndpoint(kind, handle), (fault) => faults.push(fault))
  const input = {} as Parameters<Endpoint['handle']>[0]
  try {
    const result = await checked?.handle(input)
    const stream = result instanceof JsonStream ? result.pieces : kind === 'sse' ? result : piecesOf()
    for await (const piece of stream as AsyncIterable<unknown>) assert.ok(piece !== undefined)
  } catch (error) {
    assert.ok(error instanceof ApiError)
  }
  return faults
}

const bytesOf = (text: string): SseBytes => ({ bytes: new TextEncoder().encode(text) })

describe('responses compared with their declaration in tests', () => {
  test("the check of responses in tests accepts every form of response that matches the endpoint's declaration", async () => {
    const text = JSON.stringify(GOOD)
    assert.deepEqual(await faultsOf(() => GOOD), [])
    assert.deepEqual(await faultsOf(() => new RawJson(text)), [])
    assert.deepEqual(await faultsOf(() => new JsonStream(piecesOf(text.slice(0, 9), text.slice(9)))), [])
    const frames = [text, bytesOf(`id: r:1\ndata: ${text}\n\ndata: ${text}\n\n`), bytesOf(':\n\n')]
    assert.deepEqual(await faultsOf(() => framesOf(...frames), 'sse'), [])
    assert.deepEqual(await faultsOf(() => Promise.reject(new ApiError('conflict', 'x'))), [])
  })

  test('the check of responses in tests reports a wrong or undeclared value, even in a nested object or at the end of a stream', async () => {
    const wrong = [
      { name: 'Fern' },
      { name: 7, pot: null },
      { ...GOOD, secret: 'x' },
      { name: 'Fern', pot: { size: 3, owner: 'u' } },
      null,
      [],
    ]
    for (const value of wrong) {
      const text = JSON.stringify(value)
      const forms: [() => unknown, ('json' | 'sse')?][] = [
        [() => value],
        [() => new RawJson(text)],
        [() => new JsonStream(piecesOf(text.slice(0, 2), text.slice(2)))],
        [() => framesOf(JSON.stringify(GOOD), text), 'sse'],
        [() => framesOf(bytesOf(`data: ${JSON.stringify(GOOD)}\n\ndata: ${text}\n\n`)), 'sse'],
      ]
      for (const [handle, kind] of forms) {
        const faults = await faultsOf(handle, kind)
        assert.equal(faults.length, 1, text)
        assert.match(faults[0] ?? '', /^readPlant returned /)
      }
    }
  })

  test('the check of responses in tests compares a missing result, or a value that JSON changes, in the form in which it is sent', async () => {
    assert.equal((await faultsOf(() => undefined)).length, 1)
    assert.equal((await faultsOf(() => ({ name: 'Fern', pot: { size: Number.NaN } }))).length, 1)
    assert.deepEqual(await faultsOf(() => ({ ...GOOD, left: undefined })), [])
  })

  test('the check of responses in tests reports an error code that is neither declared by the endpoint nor common to all', async () => {
    assert.deepEqual(await faultsOf(() => Promise.reject(new ApiError('payment_required', 'x'))), [
      'readPlant failed with payment_required, which it does not declare',
    ])
    assert.deepEqual(await faultsOf(() => Promise.reject(new ApiError('rate_limited', 'x'))), [])
  })
})
