import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signWebhook } from '@slipway/sdk/webhook.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { checkSignature } from './check-signature.ts'
import { exampleOf } from './events.ts'

const secret = 'whsec_abc'
const body = exampleOf('ticket.created')
const words = webhooksText.checker
const checkHeader = (change: Partial<Parameters<typeof checkSignature>[0]>, header: string) =>
  checkSignature({ secret, header, body, ignoreAge: false, ...change })

describe('the signature checker', () => {
  test('a webhook signature pasted with surrounding spaces or its header name is accepted, and the result names the event', async () => {
    const header = await signWebhook({ payload: body, secret })
    for (const copied of [header, ` ${header}\n`, `Service-Signature: ${header}`])
      assert.deepEqual(await checkHeader({}, copied), {
        isRight: true,
        sentence: words.rightEvent('ticket.created'),
      })
  })

  test('an invalid webhook signature is rejected with a hint at the cause', async () => {
    const header = await signWebhook({ payload: body, secret })
    const old = await signWebhook({ payload: body, secret, now: new Date(Date.now() - 600_000) })
    assert.equal((await checkHeader({ secret: 'whsec_other' }, header)).sentence, words.problems.wrong)
    assert.equal((await checkHeader({ body: `${body}\n` }, header)).sentence, words.problems.wrong)
    assert.equal((await checkHeader({}, 'v1=1')).sentence, words.problems.malformed)
    assert.equal((await checkHeader({}, '')).sentence, words.missing)
    assert.deepEqual(await checkHeader({}, old), { isRight: false, sentence: words.problems.stale })
    assert.equal((await checkHeader({ ignoreAge: true }, old)).isRight, true)
  })

  test('a valid webhook signature of a body that is not an event is accepted', async () => {
    const header = await signWebhook({ payload: 'hello', secret })
    assert.deepEqual(await checkHeader({ body: 'hello' }, header), { isRight: true, sentence: words.right })
  })
})
