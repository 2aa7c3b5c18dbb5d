import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openStore } from '../../schema.ts'
import { createAccount } from '../accounts/accounts.ts'
import { ApiFailure } from '../rest/failure.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'
import { unboundGroup } from '../scripts/groups.ts'
import { insertScript } from '../store/scripts.ts'
import type { Binding } from '../types.ts'
import type { BindingContext } from './binding.ts'
import { bindingKind } from './index.ts'

describe('bindings without a product behind them', () => {
  const store = openStore(':memory:')
  const { id: accountId } = createAccount(store, { name: 'Acme', plan: 'paid', at: 0 })
  const other = createAccount(store, { name: 'Other', plan: 'paid', at: 0 }).id
  const add = (name: string, owner: string) =>
    insertScript(store, { accountId: owner, groupId: unboundGroup(store, owner), name, at: 0 })
  add('api', accountId)
  add('foreign', other)
  after(() => store.close())

  const context: BindingContext = {
    store,
    accountId,
    scriptName: 'shop',
    ownNamespaces: [],
    hasAssets: false,
  }
  const version = { id: 'v1', createdAt: 1000 }
  const worker = {
    script: { name: 'shop' },
    version,
    content: { annotations: { 'workers/tag': 'first' } },
    namespaces: [],
  } as unknown as PlannedWorker
  const plan = { workers: [worker, { script: { name: 'api' } }] } as unknown as GroupPlan
  const binding = (type: string, more: object = {}): Binding => ({ type, name: 'B', ...more })
  const kindOf = (type: string) => bindingKind(type) ?? assert.fail(`no ${type}`)
  const env = (type: string, more: object = {}, by = worker) =>
    kindOf(type).env(binding(type, more), by, plan)
  const shown = (type: string, more: object) => kindOf(type).shown?.(binding(type, more))
  /** Returns the error code of a refused binding; null when it is accepted. */
  const check = (type: string, more: object = {}, by = context) => {
    try {
      kindOf(type).check?.(binding(type, more), by)
      return null
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return error.code
    }
  }

  test('the value of a text or JSON binding reaches the worker unchanged, and a missing text is empty', () => {
    assert.deepEqual(
      [
        env('plain_text', { text: 'a' }),
        env('plain_text'),
        env('json', { json: { a: [1] } }),
        env('secret_text', { text: 's' }),
      ],
      [
        { type: 'text', value: 'a' },
        { type: 'text', value: '' },
        { type: 'json', value: { a: [1] } },
        { type: 'text', value: 's' },
      ],
    )
  })

  test("the API returns the settings of a worker's key bindings, but neither keys nor secret values", () => {
    assert.deepEqual(shown('secret_text', { text: 's' }), { type: 'secret_text', name: 'B' })
    const key = { format: 'raw', usages: ['sign'] }
    const hidden = { key_base64: 'aGlkZGVu', key_jwk: { k: 'hidden' } }
    assert.deepEqual(shown('secret_key', { ...key, ...hidden }), { type: 'secret_key', name: 'B', ...key })
  })

  test('a secret key binding needs base64 for the format raw, or a JSON Web Key for the format jwk', () => {
    const jwk = { kty: 'oct', k: 'aGlkZGVu' }
    assert.deepEqual(
      [
        env('secret_key', { format: 'raw', key_base64: 'aGlkZGVu' }),
        env('secret_key', { format: 'jwk', key_jwk: jwk }),
      ],
      [
        { type: 'text', value: 'aGlkZGVu' },
        { type: 'text', value: JSON.stringify(jwk) },
      ],
    )
    assert.deepEqual(
      [
        check('secret_key', { format: 'raw', key_base64: 'aGlkZGVu' }),
        check('secret_key', { format: 'jwk', key_jwk: jwk }),
        check('secret_key', { format: 'raw' }),
        check('secret_key', { format: 'raw', key_base64: '' }),
        check('secret_key', { format: 'raw', key_jwk: jwk }),
        check('secret_key', { format: 'jwk' }),
        check('secret_key', { format: 'jwk', key_jwk: 'text' }),
      ],
      [null, null, 10021, 10021, 10021, 10021, 10021],
    )
  })

  test('a service binding names a worker of the same account or the worker itself, and passes its entrypoint and props', () => {
    assert.deepEqual(
      [
        check('service', { service: 'api' }),
        check('service', { service: 'shop' }),
        check('service', { service: 'none' }),
        check('service', { service: 'foreign' }),
        check('service', {}),
        check('service', { service: 7 }),
      ],
      [null, null, 10143, 10143, 10021, 10021],
    )
    const target = { type: 'worker', worker: 'api' }
    assert.deepEqual(
      [
        env('service', { service: 'api' }),
        env('service', { service: 'api', entrypoint: 'Admin', props: { role: 'admin' } }),
        env('service', { service: 'api', entrypoint: '', props: 'text' }),
        env('service', { service: 'deleted' }),
      ],
      [target, { ...target, exportName: 'Admin', props: { role: 'admin' } }, target, null],
    )
    assert.deepEqual(kindOf('service').joins?.(binding('service', { service: 'api' })), [{ script: 'api' }])
  })

  test('an assets binding is refused for a worker without assets', () => {
    assert.deepEqual([check('assets'), check('assets', {}, { ...context, hasAssets: true })], [10021, null])
  })

  test("a version_metadata binding contains the deployed version's values, and empty values while an upload is validated", () => {
    const value = { id: 'v1', tag: 'first', timestamp: '1970-01-01T00:00:01.000Z' }
    assert.deepEqual(env('version_metadata'), { type: 'json', value })
    const draft = { ...worker, version: null, content: { annotations: {} } } as unknown as PlannedWorker
    assert.deepEqual(env('version_metadata', {}, draft), {
      type: 'json',
      value: { id: '', tag: '', timestamp: '1970-01-01T00:00:00.000Z' },
    })
  })

  test('a rate limit binding needs a namespace, a positive whole number as limit and a period of 10 or 60 seconds', () => {
    const limit = (change: object = {}, namespace: unknown = '1001') => ({
      namespace_id: namespace,
      simple: { limit: 1, period: 10, ...change },
    })
    assert.deepEqual(
      [limit(), limit({ period: 60 })].map((more) => check('ratelimit', more)),
      [null, null],
    )
    for (const wrong of [
      limit({ limit: 0 }),
      limit({ limit: 1.5 }),
      limit({ period: 30 }),
      limit({}, ''),
      limit({}, 7),
      {},
    ])
      assert.equal(check('ratelimit', wrong), 10021)
    assert.deepEqual(env('ratelimit', limit({ limit: 5 })), {
      type: 'rate-limit',
      namespace: '1001',
      simple: { limit: 5, period: 10 },
    })
  })
})
