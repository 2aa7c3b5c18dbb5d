import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeTextEvents } from './stream.ts'

const encodeUtf8 = (text: string) => new TextEncoder().encode(text)
const streamOf = (...pieces: Uint8Array[]) => new Blob(pieces as Uint8Array<ArrayBuffer>[]).stream()

test('text is parsed from the event streams of Workers AI and OpenAI, wherever the chunks are split', async () => {
  const text =
    'data: {"response":"Ä fern "}\n\ndata: {"choices":[{"delta":{"content":"likes "}}]}\n\ndata: {"response":"","usage":{}}\n\n: ping\n\ndata: {"response":7}\n\ndata: [DONE]\n\n'
  const all = encodeUtf8(text)
  const single = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of all) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  assert.equal(await new Response(decodeTextEvents(single)).text(), 'Ä fern likes 7')
})

test("a model's event stream that fails, or ends without its last event, throws a model error", async () => {
  const cut = decodeTextEvents(streamOf(encodeUtf8('data: {"response":"half"}\n\n')))
  await assert.rejects(new Response(cut).text(), { code: 'model_error' })
  const failing = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('gone')),
  })
  await assert.rejects(new Response(decodeTextEvents(failing)).text(), { code: 'model_error' })
})

test("canceling the text stream of a model cancels the model provider's stream", async () => {
  let reason: unknown = null
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encodeUtf8('data: {"response":"."}\n\n')),
    cancel: (why) => void (reason = why),
  })
  const reader = decodeTextEvents(endless).getReader()
  await reader.read()
  await reader.cancel('enough')
  assert.equal(reason, 'enough')
})
