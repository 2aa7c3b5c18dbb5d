import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { ConnectionError } from '@slipway/sdk/errors.ts'
import { exportAccount, IncompleteExportError } from './account-export.ts'

const LINES = [
  '{"kind":"export"}',
  '{"kind":"organization","name":"Grün 🌱"}',
  '{"kind":"ticket","title":"a"}',
]
const WHOLE = `${[...LINES, '{"kind":"end","counts":{"organization":1,"ticket":1}}'].join('\n')}\n`
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Serves an export of these chunks. The export then ends, or fails with `failure`. */
function respondWith(t: TestContext, chunks: Uint8Array[], failure?: Error) {
  const left = [...chunks]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift()
      if (chunk !== undefined) controller.enqueue(chunk)
      else if (failure === undefined) controller.close()
      else controller.error(failure)
    },
  })
  t.mock.method(globalThis, 'fetch', async () => new Response(body, { status: 200 }))
}
const run = (
  signal = new AbortController().signal,
  onProgress = (_progress: { bytes: number; lines: number }) => {},
) => exportAccount(signal, onProgress)

describe('the export of an organization', () => {
  test('an export whose response has no body is reported as incomplete', async (t) => {
    t.mock.method(globalThis, 'fetch', async () => new Response(null, { status: 200 }))
    await assert.rejects(run(), IncompleteExportError)
  })

  test('a complete export is a file with exactly the received bytes, and reports the number of bytes and lines', async (t) => {
    const bytes = bytesOf(WHOLE)
    respondWith(t, [bytes.slice(0, 50), bytes.slice(50, 51), bytes.slice(51)])
    const taken = await run()
    assert.equal(await taken.file.text(), WHOLE)
    assert.equal(taken.file.type, 'application/x-ndjson')
    assert.deepEqual([taken.bytes, taken.lines], [bytes.length, 4])
    assert.deepEqual(taken.counts, { organization: 1, ticket: 1 })
  })

  test('the progress of an export counts the bytes and lines received so far, and finally all bytes and lines', async (t) => {
    const bytes = bytesOf(WHOLE)
    respondWith(t, [bytes.slice(0, 20), bytes.slice(20, 70), bytes.slice(70)])
    const seen: number[][] = []
    await run(undefined, ({ bytes: count, lines }) => seen.push([count, lines]))
    assert.deepEqual(seen, [
      [20, 1],
      [70, 2],
      [bytes.length, 4],
    ])
  })

  test('a large export has its bytes in the order in which its chunks were received', async (t) => {
    const long = `{"kind":"ticket","body":"${'x'.repeat(3_000_000)}"}`
    const text = `${['{"kind":"export"}', ...Array.from({ length: 6 }, (_, n) => long.replace('xxx', `${n}`.repeat(3)))].join('\n')}\n{"kind":"end","counts":{"ticket":6}}\n`
    const bytes = bytesOf(text)
    const chunks = Array.from({ length: Math.ceil(bytes.length / 1_000_000) }, (_, n) =>
      bytes.slice(n * 1_000_000, (n + 1) * 1_000_000),
    )
    respondWith(t, chunks)
    const taken = await run()
    assert.equal(taken.file.size, bytes.length)
    assert.ok((await taken.file.text()) === text, 'the file has the same bytes')
    assert.deepEqual(taken.counts, { ticket: 6 })
  })

  test('an export whose connection is lost after its first bytes is reported as incomplete', async (t) => {
    respondWith(t, [bytesOf(WHOLE).slice(0, 40)], new TypeError('lost'))
    await assert.rejects(run(), IncompleteExportError)
  })

  test('an export whose connection is lost before its first byte is reported as a connection error and not as incomplete', async (t) => {
    respondWith(t, [], new TypeError('lost'))
    await assert.rejects(run(), ConnectionError)
  })

  test('an export that ends at a line break before its last line is reported as incomplete', async (t) => {
    respondWith(t, [bytesOf(`${LINES.join('\n')}\n`)])
    await assert.rejects(run(), IncompleteExportError)
  })

  test('an export that the person stops is reported as stopped and not as incomplete', async (t) => {
    const stop = new AbortController()
    respondWith(t, [bytesOf(WHOLE).slice(0, 40)], new DOMException('aborted', 'AbortError'))
    await assert.rejects(
      run(stop.signal, () => stop.abort()),
      { name: 'AbortError' },
    )
  })
})
