import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Connections, ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { cloudStep, codeStep, isWelcomeComplete, modelStep, sentenceStep } from './steps.ts'

const NOT_CONNECTED = {
  connected: false,
  status: 'none',
  profile: null,
  signIns: ['local'],
  scopes: [],
  missingScopes: [],
}
const cloudIn = (state: object) =>
  ({ ...NOT_CONNECTED, account: null, method: null, ...state }) as Connections['cloudflare']
const codeHostIn = (state: object) => ({ ...NOT_CONNECTED, login: null, ...state }) as Connections['github']
const modelIn = (state: object) =>
  ({ id: 'm', label: 'Mine', defaultModel: 'm', ...state }) as ModelConnection

describe('the steps of the welcome page', () => {
  test('the local cloud, code host and built-in model each complete a welcome step that still offers “Use your own”', () => {
    const local = { status: 'connected', profile: 'local' }
    const steps = [
      cloudStep(cloudIn(local)),
      codeStep(codeHostIn(local)),
      modelStep([modelIn({ provider: 'scaffold', isDefault: true })]),
    ]
    for (const step of steps) {
      assert.equal(step.state, 'done')
      assert.match(step.sentence, /local|built-in/i)
      assert.equal(step.action?.label, 'Use your own')
    }
  })

  test('a welcome step without a connection links to its settings, and one with a refused connection offers to reconnect', () => {
    assert.deepEqual(cloudStep(cloudIn({})).action, { label: 'Connect', to: '/settings/connections' })
    assert.deepEqual(modelStep([]).action, { label: 'Connect', to: '/settings/models' })
    const refused = codeStep(codeHostIn({ status: 'needs_reconnect', profile: 'real' }))
    assert.deepEqual([refused.state, refused.action?.label], ['failed', 'Connect again'])
  })

  test('a cloud connection without a chosen account does not complete its welcome step', () => {
    const signedIn = { status: 'connected', profile: 'real' }
    assert.equal(cloudStep(cloudIn(signedIn)).state, 'todo')
    const chosen = cloudStep(cloudIn({ ...signedIn, account: { id: 'a', name: 'Acme', subdomain: null } }))
    assert.deepEqual([chosen.state, chosen.sentence], ['done', 'Cloudflare, account Acme.'])
  })

  test('a connected cloud, a connected model and a first project complete the welcome page, even without a code host', () => {
    const steps = {
      cloud: cloudStep(cloudIn({ status: 'connected', profile: 'local' })),
      model: modelStep([modelIn({ provider: 'anthropic', isDefault: true, defaultModel: 'opus' })]),
    }
    assert.equal(isWelcomeComplete({ ...steps, sentence: sentenceStep(undefined) }), false)
    assert.equal(
      isWelcomeComplete({ ...steps, sentence: sentenceStep({ id: 'prj_1', name: 'Plants' }) }),
      true,
    )
  })
})
