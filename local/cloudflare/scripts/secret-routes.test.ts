import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import { issueToken } from '../accounts/tokens.ts'
import { findScript, readActiveVersion } from '../store/scripts.ts'

const HELLO = 'export default { fetch() {} }'

describe('secrets of a worker', () => {
  let cloud: TestCloud
  beforeEach(async () => {
    cloud = testCloud()
    const bindings = [
      { type: 'plain_text', name: 'MODE', text: 'plain' },
      { type: 'secret_text', name: 'OLD', text: 'first' },
    ]
    await cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(HELLO, { bindings }))
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, `/A/workers/scripts/shop${path}`, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const putSecret = (name: string, text: string) =>
    call('PUT', '/secrets', { name, text, type: 'secret_text' })
  const patchSecrets = (secrets: object) => call('PATCH', '/secrets-bulk', { secrets })
  const activeVersion = () => {
    const script = findScript(cloud.store, cloud.accountId, 'shop')
    return script === null ? null : readActiveVersion(cloud.store, script.id)
  }
  /** Returns the bindings of the deployed version: name and text. */
  const deployed = () =>
    Object.fromEntries((activeVersion()?.content.bindings ?? []).map(({ name, text }) => [name, text]))

  test('setting a secret deploys a new version, and no response contains the value', async () => {
    const before = activeVersion()?.number ?? 0
    assert.deepEqual(await putSecret('KEY', 'hidden'), { name: 'KEY', type: 'secret_text' })
    assert.deepEqual(await call('GET', '/secrets'), [
      { name: 'OLD', type: 'secret_text' },
      { name: 'KEY', type: 'secret_text' },
    ])
    assert.deepEqual(deployed(), { MODE: 'plain', OLD: 'first', KEY: 'hidden' })
    assert.deepEqual(activeVersion()?.number, before + 1)
    const { deployments } = (await call('GET', '/deployments')) as { deployments: { annotations: object }[] }
    assert.deepEqual(deployments[0]?.annotations, { 'workers/triggered_by': 'secret' })
  })

  test('setting a worker\'s secret replaces the one of the same name, even with "", and a deleted secret returns 404', async () => {
    assert.deepEqual(await putSecret('OLD', ''), { name: 'OLD', type: 'secret_text' })
    assert.deepEqual(deployed(), { MODE: 'plain', OLD: '' })
    assert.deepEqual(await call('DELETE', '/secrets/OLD'), null)
    assert.deepEqual([await call('DELETE', '/secrets/OLD'), deployed()], [[404, 10056], { MODE: 'plain' }])
  })

  test('one request can set and remove several secrets, and creates one version', async () => {
    const before = activeVersion()?.number ?? 0
    const named = (name: string, text: string) => ({ name, text, type: 'secret_text' })
    const listed = await patchSecrets({ A: named('A', '1'), B: named('B', '2'), OLD: null, NONE: null })
    assert.deepEqual(listed, [
      { name: 'A', type: 'secret_text' },
      { name: 'B', type: 'secret_text' },
    ])
    assert.deepEqual([deployed(), activeVersion()?.number], [{ MODE: 'plain', A: '1', B: '2' }, before + 1])
  })

  test('simultaneous requests that set different secrets all take effect', async () => {
    const names = ['A', 'B', 'C', 'D']
    await Promise.all(names.map((name) => putSecret(name, name)))
    assert.deepEqual(deployed(), { MODE: 'plain', OLD: 'first', A: 'A', B: 'B', C: 'C', D: 'D' })
  })

  test('the secrets API neither replaces nor removes a binding that is not a secret', async () => {
    const before = activeVersion()?.id
    assert.deepEqual(
      [
        await putSecret('MODE', 'x'),
        await patchSecrets({ MODE: { name: 'MODE', text: 'x' }, NEW: { name: 'NEW', text: 'y' } }),
        await call('DELETE', '/secrets/MODE'),
      ],
      [
        [400, 10053],
        [400, 10053],
        [404, 10056],
      ],
    )
    assert.deepEqual(activeVersion()?.id, before)
    assert.deepEqual(await patchSecrets({ MODE: null }), [{ name: 'OLD', type: 'secret_text' }])
    assert.deepEqual(deployed(), { MODE: 'plain', OLD: 'first' })
  })

  test('a secret without a name or text, of another type, or for a missing worker is refused', async () => {
    const before = activeVersion()?.id
    const refused = [
      await call('PUT', '/secrets', { name: '', text: 'x', type: 'secret_text' }),
      await call('PUT', '/secrets', { name: 'KEY', type: 'secret_text' }),
      await call('PUT', '/secrets', { name: 'KEY', text: 'x', type: 'plain_text' }),
      await patchSecrets({ KEY: { name: 'KEY', text: 7 } }),
      await patchSecrets([]),
    ]
    assert.deepEqual(
      refused,
      Array.from({ length: 5 }, () => [400, 10001]),
    )
    const missing = await cloud.call('PUT', '/A/workers/scripts/none/secrets', {
      name: 'KEY',
      text: 'x',
      type: 'secret_text',
    })
    assert.deepEqual([missing.status, missing.errors[0]?.code, activeVersion()?.id], [404, 10007, before])
  })

  test('a token that may only read workers can list secrets but not delete one', async () => {
    const { secret } = issueToken(cloud.store, {
      kind: 'access',
      accountId: cloud.accountId,
      scopes: ['workers-scripts.read'],
      at: Date.now(),
    })
    assert.deepEqual(await call('GET', '/secrets', undefined, secret), [{ name: 'OLD', type: 'secret_text' }])
    const refused = await call('DELETE', '/secrets/OLD', undefined, secret)
    assert.deepEqual([refused, deployed()], [[403, 10000], { MODE: 'plain', OLD: 'first' }])
  })
})
