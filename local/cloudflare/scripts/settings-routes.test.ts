import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import { findScript, listVersions } from '../store/scripts.ts'

const HELLO = 'export default { fetch() {} }'
const NO_SETTINGS = { tags: [], logpush: false, observability: { enabled: false }, tail_consumers: null }

describe('settings of a worker', () => {
  let cloud: TestCloud
  beforeEach(async () => {
    cloud = testCloud()
    const bindings = [
      { type: 'plain_text', name: 'MODE', text: 'plain' },
      { type: 'secret_text', name: 'KEY', text: 'hidden' },
    ]
    await cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(HELLO, { bindings }))
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object) => {
    const answer = await cloud.call(method, `/A/workers/scripts/shop${path}`, body)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const countVersions = () =>
    listVersions(cloud.store, findScript(cloud.store, cloud.accountId, 'shop')?.id ?? '').length
  const sendSettings = async (body: string | FormData, headers: Record<string, string> = {}) => {
    const path = '/A/workers/scripts/shop/settings'
    const response = await cloud.send(path, { method: 'PATCH', body, headers })
    const { success, result, errors } = (await response.json()) as {
      success: boolean
      result: unknown
      errors: { code: number }[]
    }
    return success ? result : [response.status, errors[0]?.code]
  }
  const settingsForm = (part: string | File) => {
    const form = new FormData()
    form.set('settings', part)
    return form
  }
  const OWN_BINDINGS = [
    { type: 'plain_text', name: 'MODE', text: 'plain' },
    { type: 'secret_text', name: 'KEY' },
  ]
  const settings = (change: object = {}) => ({
    ...NO_SETTINGS,
    bindings: OWN_BINDINGS,
    compatibility_date: '2026-06-01',
    compatibility_flags: [],
    usage_model: 'standard',
    migration_tag: null,
    annotations: {},
    ...change,
  })

  test("a worker's settings list the bindings of the deployed version without the values of secrets", async () => {
    assert.deepEqual(
      [await call('GET', '/settings'), await call('GET', '/script-settings')],
      [settings(), NO_SETTINGS],
    )
  })

  test("changing a worker's tags, logpush, observability or tail consumers creates no version", async () => {
    const change = {
      tags: ['a'],
      logpush: true,
      observability: { enabled: true },
      tail_consumers: [{ service: 'watcher' }],
    }
    assert.deepEqual(await call('PATCH', '/script-settings', change), change)
    assert.deepEqual(await call('PATCH', '/script-settings', { tags: ['b'] }), { ...change, tags: ['b'] })
    const reset = { tags: null, logpush: null, tail_consumers: null }
    assert.deepEqual(
      await call('PATCH', '/settings', reset),
      settings({ observability: { enabled: true }, tail_consumers: [] }),
    )
    assert.equal(countVersions(), 1)
  })

  test("changing a worker's bindings creates a new version, which keeps the secrets that the change does not name", async () => {
    const changed = await call('PATCH', '/settings', {
      bindings: [{ type: 'plain_text', name: 'MODE', text: 'new' }],
      tags: ['a'],
    })
    const bindings = [
      { type: 'secret_text', name: 'KEY' },
      { type: 'plain_text', name: 'MODE', text: 'new' },
    ]
    assert.deepEqual([changed, countVersions()], [settings({ tags: ['a'], bindings }), 2])
  })

  test("a worker's settings can be sent as JSON, or as the text or file `settings` of a form", async () => {
    const text = (tag: string) => JSON.stringify({ tags: [tag] })
    assert.deepEqual(
      [
        await sendSettings(text('a')),
        await sendSettings(settingsForm(text('b'))),
        await sendSettings(settingsForm(new File([text('c')], 'settings.json'))),
      ],
      ['a', 'b', 'c'].map((tag) => settings({ tags: [tag] })),
    )
  })

  test('malformed worker settings and an unsupported binding are refused and change nothing', async () => {
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
    const empty = new FormData()
    empty.set('other', '{}')
    assert.deepEqual(
      [
        await sendSettings('{'),
        await sendSettings(''),
        await sendSettings('{"tags":7}'),
        await sendSettings('[]'),
        await sendSettings(settingsForm('{')),
        await sendSettings(empty),
        await sendSettings('broken', multipart),
        await call('PATCH', '/script-settings', { tags: [7] }),
        await call('PATCH', '/settings', { tags: ['a'], bindings: [{ type: 'vectorize', name: 'V' }] }),
      ],
      [...Array.from({ length: 8 }, () => [400, 10001]), [400, 10021]],
    )
    assert.deepEqual([await call('GET', '/settings'), countVersions()], [settings(), 1])
  })

  test("enabling a worker's subdomain clears the host name cache, and keeps previews_enabled when the request omits it", async () => {
    const onSubdomain = (enabled: boolean, previews: boolean) => ({ enabled, previews_enabled: previews })
    assert.deepEqual(await call('GET', '/subdomain'), onSubdomain(false, false))
    cloud.apps.hosts.set('shop.acme.localhost', null)
    assert.deepEqual(
      [
        await call('POST', '/subdomain', { enabled: true, previews_enabled: true }),
        await call('POST', '/subdomain', { enabled: false }),
        await call('GET', '/subdomain'),
        await call('POST', '/subdomain', {}),
      ],
      [onSubdomain(true, true), onSubdomain(false, true), onSubdomain(false, true), [400, 10001]],
    )
    assert.deepEqual(cloud.apps.hosts.size, 0)
  })

  test("a worker upload that ends after the worker's subdomain was enabled leaves the subdomain enabled", async () => {
    const upload = cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(`${HELLO} // 2`, { tags: ['b'] }))
    await call('POST', '/subdomain', { enabled: true })
    await upload
    assert.deepEqual(await call('GET', '/subdomain'), { enabled: true, previews_enabled: false })
    assert.deepEqual(((await call('GET', '/script-settings')) as { tags: string[] }).tags, ['b'])
  })
})
