import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConnectionError, SlipwayError } from './errors.ts'
import { StreamInterruptedError } from './event-stream.ts'
import { type PlanFrame, readPlanStream } from './plan-stream.ts'

const deltaFrame = (text: string) => ({ type: 'delta', text }) satisfies PlanFrame
const failedFrame = { type: 'error', kind: 'model_error', message: 'No.' } satisfies PlanFrame
const sseText = (...frames: PlanFrame[]) =>
  frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')

async function readReply(
  answer: () => Response,
): Promise<{ texts: string[]; accepted: number; error: unknown }> {
  const texts: string[] = []
  let accepted = 0
  try {
    const options = {
      url: 'http://localhost/api/v1/projects/p/plan/stream',
      signal: new AbortController().signal,
      fetch: async () => answer(),
      onAccepted: () => accepted++,
    }
    for await (const frame of readPlanStream(options, { text: 'Hello' }))
      texts.push(frame.type === 'delta' ? (frame.text ?? '') : frame.type)
    return { texts, accepted, error: null }
  } catch (error) {
    return { texts, accepted, error }
  }
}

describe('the stream of a plan turn', () => {
  test('the streamed reply of a plan chat is read up to its final frame and no further', async () => {
    const { texts, accepted, error } = await readReply(
      () => new Response(sseText(deltaFrame('a'), deltaFrame('b'), failedFrame, deltaFrame('c'))),
    )
    assert.deepEqual([texts, accepted, error], [['a', 'b', 'error'], 1, null])
  })

  test('a streamed reply of a plan chat that breaks off yields the frames received so far and then throws', async () => {
    const { texts, error } = await readReply(() => new Response(sseText(deltaFrame('a'))))
    assert.deepEqual(texts, ['a'])
    assert.ok(error instanceof StreamInterruptedError)
  })

  test('a plan chat request that fails throws the reason and is not reported as accepted', async () => {
    const body = JSON.stringify({ ok: false, error: { code: 'conflict', message: 'Answering already.' } })
    const refused = await readReply(
      () => new Response(body, { status: 409, headers: { 'content-type': 'application/json' } }),
    )
    assert.equal(refused.accepted, 0)
    assert.ok(refused.error instanceof SlipwayError)
    assert.equal(refused.error.code, 'conflict')
    const unheard = await readReply(() => {
      throw new TypeError('refused')
    })
    assert.ok(unheard.error instanceof ConnectionError)
  })
})
