import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import { findScript, readActiveVersion } from '../store/scripts.ts'

const HELLO = 'export default { fetch() {} }'

describe('what a new version keeps of the version before', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const upload = async (metadata: object, source = HELLO) => {
    const { status, errors } = await cloud.call(
      'PUT',
      '/A/workers/scripts/site',
      uploadForm(source, metadata),
    )
    return status === 200 ? 200 : [status, errors[0]?.code]
  }
  const activeContent = () => {
    const script = findScript(cloud.store, cloud.accountId, 'site')
    return script === null ? undefined : readActiveVersion(cloud.store, script.id)?.content
  }
  const filesOfSite = () => Object.keys(activeContent()?.assets?.files ?? {}).toSorted()

  /** Uploads these files and returns the completion token. */
  async function uploadFiles(files: Record<string, string>): Promise<string> {
    const hashOf = (text: string) => createHash('md5').update(text).digest('hex')
    const manifest = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, { hash: hashOf(text), size: text.length }]),
    )
    const session = await cloud.call('POST', '/A/workers/scripts/site/assets-upload-session', { manifest })
    const { jwt, buckets } = session.result as { jwt: string; buckets: string[][] }
    if (buckets.length === 0) return jwt
    const form = new FormData()
    for (const text of Object.values(files))
      form.set(hashOf(text), new File([Buffer.from(text).toString('base64')], hashOf(text)))
    const headers = { authorization: `Bearer ${jwt}` }
    const sent = await cloud.send('/A/workers/assets/upload?base64=true', {
      method: 'POST',
      body: form,
      headers,
    })
    return ((await sent.json()) as { result: { jwt: string } }).result.jwt
  }
  const withRules = { _headers: '/*\n  X-Frame-Options: DENY', _redirects: '/old /new 301' }

  test('a worker upload with keep_assets keeps asset files, config and rules, and one without assets removes all three', async () => {
    const jwt = await uploadFiles({ '/index.html': 'hello' })
    assert.equal(await upload({ assets: { jwt, config: { ...withRules, html_handling: 'none' } } }), 200)
    const first = activeContent()?.assets
    assert.deepEqual(filesOfSite(), ['/_headers', '/_redirects', '/index.html'])
    assert.equal(await upload({ keep_assets: true }, `${HELLO} // 2`), 200)
    assert.deepEqual(activeContent()?.assets, first)
    assert.equal(await upload({}, `${HELLO} // 3`), 200)
    assert.equal(activeContent()?.assets, null)
  })

  test("a new assets config replaces a worker's previous config, headers and redirects, and keeps the asset files", async () => {
    const jwt = await uploadFiles({ '/index.html': 'hello', '/a.css': 'a' })
    await upload({ assets: { jwt, config: withRules } })
    const change = async (config: object) => {
      assert.equal(await upload({ keep_assets: true, assets: { config } }), 200)
      return [filesOfSite(), activeContent()?.assets?.config]
    }
    const headers = { _headers: '/a\n  X-A: 1' }
    assert.deepEqual(await change(headers), [['/_headers', '/a.css', '/index.html'], headers])
    assert.deepEqual(await change({ html_handling: 'none' }), [
      ['/a.css', '/index.html'],
      { html_handling: 'none' },
    ])
  })

  test('uploading new asset files for a worker replaces all previous files, rules and the config', async () => {
    await upload({ assets: { jwt: await uploadFiles({ '/a.css': 'a' }), config: withRules } })
    await upload({ assets: { jwt: await uploadFiles({ '/b.css': 'b' }) } })
    assert.deepEqual([filesOfSite(), activeContent()?.assets?.config], [['/b.css'], {}])
  })

  test('a worker upload with keep_assets is refused when the worker has no assets, and changes nothing', async () => {
    assert.deepEqual(await upload({ keep_assets: true }), [400, 10021])
    assert.equal(findScript(cloud.store, cloud.accountId, 'site'), null)
    await upload({})
    assert.deepEqual(await upload({ assets: { config: {} } }, `${HELLO} // 2`), [400, 10021])
    assert.equal(activeContent()?.assets, null)
  })

  const namesOfBindings = () => activeContent()?.bindings.map(({ name }) => name)
  const text = (name: string, value = name) => ({ type: 'plain_text', name, text: value })
  const secret = (name: string) => ({ type: 'secret_text', name, text: 'hidden' })

  test('a worker upload keeps only bindings of the types in keep_bindings, and replaces kept ones of the same name', async () => {
    await upload({ bindings: [text('A'), secret('B'), secret('C')] })
    await upload({ bindings: [text('C', 'open')], keep_bindings: ['secret_text'] })
    assert.deepEqual(activeContent()?.bindings, [secret('B'), text('C', 'open')])
    await upload({ bindings: [text('D')] })
    assert.deepEqual(namesOfBindings(), ['D'])
  })

  test('a worker upload can inherit a binding under its own or a new name, and not a missing binding', async () => {
    await upload({ bindings: [text('A', 'one'), secret('B')] })
    const inherit = (name: string, old_name?: string) => ({
      type: 'inherit',
      name,
      ...(old_name && { old_name }),
    })
    assert.equal(await upload({ bindings: [inherit('A'), inherit('KEY', 'B')] }), 200)
    assert.deepEqual(activeContent()?.bindings, [text('A', 'one'), { ...secret('B'), name: 'KEY' }])
    assert.deepEqual(await upload({ bindings: [inherit('B')] }), [400, 10021])
    assert.deepEqual(await upload({ bindings: [text('A'), inherit('A')] }), [400, 10021])
    assert.deepEqual(namesOfBindings(), ['A', 'KEY'])
  })

  test("changing a secret keeps the worker's code, assets and other bindings, and no response contains the value", async () => {
    const jwt = await uploadFiles({ '/index.html': 'hello' })
    await upload({
      assets: { jwt },
      bindings: [text('A'), secret('B')],
      annotations: { 'workers/message': 'first' },
    })
    const before = activeContent()
    const body = { name: 'B', text: 'new value', type: 'secret_text' }
    const answer = await cloud.call('PUT', '/A/workers/scripts/site/secrets', body)
    assert.equal(answer.status, 200)
    const after = activeContent()
    assert.deepEqual([after?.modules, after?.assets], [before?.modules, before?.assets])
    assert.deepEqual(after?.bindings, [text('A'), { ...secret('B'), text: 'new value' }])
    assert.deepEqual(after?.annotations, {}, 'the message is about another change')
    const shown = await Promise.all(
      ['secrets', 'settings', 'versions'].map((path) => cloud.call('GET', `/A/workers/scripts/site/${path}`)),
    )
    assert.doesNotMatch(JSON.stringify([answer, ...shown]), /new value|hidden/)
  })

  test("a worker version's compatibility date and flags come only from its upload, not from the previous version", async () => {
    await upload({ compatibility_flags: ['nodejs_compat'], compatibility_date: '2026-01-01' })
    await upload({ compatibility_date: '2026-05-01' })
    const { compatibilityDate, compatibilityFlags } = activeContent() ?? {}
    assert.deepEqual([compatibilityDate, compatibilityFlags], ['2026-05-01', []])
  })
})
