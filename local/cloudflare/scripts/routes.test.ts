import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../../testing/cloud.ts'
import { issueToken } from '../accounts/tokens.ts'

const cloud = testCloud()
const HELLO = 'export default { fetch() { return new Response("hello") } }'
const deployWorker = (name: string, source = HELLO, metadata: object = {}) =>
  cloud.call('PUT', `/A/workers/scripts/${name}`, uploadForm(source, metadata))

describe('the scripts API', () => {
  after(() => cloud.close())

  test('a request to the workers API gets 401 with an unknown token, and 403 with a token of another account', async () => {
    assert.equal((await cloud.call('GET', '/user', undefined, 'nonsense')).status, 401)
    const verify = await cloud.call('GET', '/user/tokens/verify', undefined, 'nonsense')
    assert.deepEqual([verify.status, verify.errors[0]?.code], [401, 1000])
    const foreign = await cloud.call('GET', `/accounts/${'0'.repeat(32)}/workers/scripts`)
    assert.equal(foreign.status, 403)
  })

  test('a token without a permission for workers is refused, and the read permission allows reading but not deleting', async () => {
    const issueSecret = (scopes: string[]) =>
      issueToken(cloud.store, { kind: 'access', accountId: cloud.accountId, scopes, at: Date.now() }).secret
    const blind = await cloud.call('GET', '/A/workers/scripts', undefined, issueSecret(['user-details.read']))
    assert.deepEqual([blind.status, blind.errors[0]?.code], [403, 10000])
    const reader = issueSecret(['workers-scripts.read'])
    assert.equal((await cloud.call('GET', '/A/workers/scripts', undefined, reader)).status, 200)
    assert.equal((await cloud.call('DELETE', '/A/workers/scripts/any', undefined, reader)).status, 403)
  })

  test('an unknown API route gets error code 7003 and is recorded as unimplemented in the request journal', async () => {
    const answer = await cloud.call('POST', '/A/hyperdrive/configs', {})
    assert.deepEqual([answer.status, answer.errors[0]?.code], [404, 7003])
    const entries = cloud.journal.read(0) as { path: string; unimplemented: boolean }[]
    assert.deepEqual(
      entries.filter((entry) => entry.unimplemented).map((entry) => entry.path),
      [`/accounts/${cloud.accountId}/hyperdrive/configs`],
    )
  })

  test('a missing worker has error code 10090 in the services API and 10007 in the scripts API', async () => {
    assert.equal((await cloud.call('GET', '/A/workers/services/none')).errors[0]?.code, 10090)
    for (const path of ['secrets', 'deployments', 'settings', 'versions', 'subdomain']) {
      const answer = await cloud.call('GET', `/A/workers/scripts/none/${path}`)
      assert.deepEqual([answer.status, answer.errors[0]?.code], [404, 10007], path)
    }
  })

  test('one response lists all workers of an account, and can be filtered by tags', async () => {
    const many = testCloud()
    const upload = (name: string, tags: string[]) =>
      many.call('PUT', `/A/workers/scripts/${name}`, uploadForm(HELLO, { tags }))
    for (let n = 10; n < 31; n++) await upload(`shop-${n}`, n === 30 ? ['live', 'app:shop'] : ['live'])
    await upload('blog', ['draft', 'app:shop'])
    await upload('plain', [])
    const names = async (query = '') =>
      ((await many.call('GET', `/A/workers/scripts${query}`)).result as { id: string }[]).map(({ id }) => id)
    assert.equal((await names()).length, 23)
    assert.deepEqual(await names('?tags=live:no'), ['blog', 'plain'])
    assert.deepEqual(await names('?tags=app:shop:yes'), ['blog', 'shop-30'])
    assert.deepEqual(await names('?tags=app:shop:yes,live:no'), ['blog'])
    assert.deepEqual(await names('?tags=none:yes'), [])
    many.close()
  })

  test('the list of workers is empty after its last page, and its page 0 is the first page', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) assert.equal((await deployWorker(name)).success, true)
    const first = await cloud.call('GET', '/A/workers/scripts?per_page=2&page=0')
    assert.equal((first.result as unknown[]).length, 2)
    assert.deepEqual(first.result_info, { page: 1, per_page: 2, count: 2, total_count: 3, total_pages: 2 })
    const past = await cloud.call('GET', '/A/workers/scripts?per_page=2&page=3')
    assert.deepEqual(past.result, [])
  })

  test('a worker upload with invalid code, an invalid binding or an invalid name creates no worker', async () => {
    const unknown = await deployWorker('bad', HELLO, {
      bindings: [{ type: 'vectorize', name: 'V', index_name: 'x' }],
    })
    assert.deepEqual([unknown.status, unknown.errors[0]?.code], [400, 10021])
    assert.match(unknown.errors[0]?.message ?? '', /vectorize is not available in the local cloud/)
    assert.match(
      (await deployWorker('bad', HELLO, { main_module: 'other.js' })).errors[0]?.message ?? '',
      /other\.js/,
    )
    assert.equal((await deployWorker('_egress')).errors[0]?.code, 10016)
    assert.equal((await deployWorker('bad', '// nothing here')).errors[0]?.code, 10068)
    assert.equal((await deployWorker('bad', 'BROKEN')).errors[0]?.code, 10021)
    const dangling = await deployWorker('bad', HELLO, {
      bindings: [{ type: 'service', name: 'S', service: 'nobody' }],
    })
    assert.equal(dangling.errors[0]?.code, 10143)
    assert.equal((await cloud.call('GET', '/A/workers/services/bad')).status, 404)
  })

  test('a worker upload that is not a multipart request is refused', async () => {
    assert.equal((await cloud.call('PUT', '/A/workers/scripts/plain', { main_module: 'x' })).status, 415)
  })

  test('a worker version can be uploaded without deployment, deployed later and rolled back', async () => {
    await deployWorker('steps')
    const uploaded = await cloud.call(
      'POST',
      '/A/workers/scripts/steps/versions',
      uploadForm(`${HELLO} // 2`),
    )
    const version = uploaded.result as {
      id: string
      number: number
      resources: { script: { handlers: string[] } }
    }
    assert.equal(version.number, 2)
    assert.deepEqual(version.resources.script.handlers, ['fetch'])
    const activeVersion = async () => {
      const { result } = await cloud.call('GET', '/A/workers/scripts/steps/deployments')
      return (result as { deployments: { versions: { version_id: string }[] }[] }).deployments[0]?.versions[0]
        ?.version_id
    }
    const first = await activeVersion()
    assert.notEqual(first, version.id)
    const deployVersion = (id: string, percentage = 100) =>
      cloud.call('POST', '/A/workers/scripts/steps/deployments', {
        strategy: 'percentage',
        versions: [{ version_id: id, percentage }],
        annotations: { 'workers/message': 'why' },
      })
    assert.equal((await deployVersion(version.id)).status, 200)
    assert.equal(await activeVersion(), version.id)
    const back = await deployVersion(first ?? '')
    const { annotations } = back.result as { annotations: Record<string, string> }
    assert.deepEqual(annotations, { 'workers/message': 'why', 'workers/triggered_by': 'rollback' })
    assert.equal((await deployVersion(version.id, 50)).status, 400)
    assert.equal((await deployVersion('00000000-0000-0000-0000-000000000000')).status, 404)
  })

  test('a worker version from before a Durable Object migration cannot be deployed again', async () => {
    const source = `${HELLO}; export class Room {}`
    await deployWorker('migrated', source)
    const { result } = await cloud.call('GET', '/A/workers/scripts/migrated/versions')
    const [old] = (result as { items: { id: string }[] }).items
    await deployWorker('migrated', source, { migrations: { new_tag: 'v1', new_sqlite_classes: ['Room'] } })
    const answer = await cloud.call('POST', '/A/workers/scripts/migrated/deployments', {
      strategy: 'percentage',
      versions: [{ version_id: old?.id, percentage: 100 }],
    })
    assert.equal(answer.status, 400)
    assert.match(answer.errors[0]?.message ?? '', /migration/)
  })

  test("a worker's secrets survive an upload with `keep_bindings` and are removed by an upload without it", async () => {
    await deployWorker('secretive')
    await cloud.call('PUT', '/A/workers/scripts/secretive/secrets', {
      name: 'KEY',
      text: 'hidden',
      type: 'secret_text',
    })
    const listSecrets = async () => (await cloud.call('GET', '/A/workers/scripts/secretive/secrets')).result
    assert.deepEqual(await listSecrets(), [{ name: 'KEY', type: 'secret_text' }])
    await deployWorker('secretive', HELLO, { keep_bindings: ['secret_text'] })
    assert.deepEqual(await listSecrets(), [{ name: 'KEY', type: 'secret_text' }])
    const patch = { secrets: { KEY: null, OTHER: { name: 'OTHER', text: 'x', type: 'secret_text' } } }
    await cloud.call('PATCH', '/A/workers/scripts/secretive/secrets-bulk', patch)
    assert.deepEqual(await listSecrets(), [{ name: 'OTHER', type: 'secret_text' }])
    await deployWorker('secretive')
    assert.deepEqual(await listSecrets(), [])
  })

  test('deploying a worker again restarts it only if the code has changed', async () => {
    await deployWorker('same')
    const before = cloud.reloaded.length
    await deployWorker('same', HELLO, { annotations: { 'workers/message': 'again' } })
    assert.equal(cloud.reloaded.length, before)
    await deployWorker('same', `${HELLO} // changed`)
    assert.equal(cloud.reloaded.length, before + 1)
  })

  test('a worker is validated with the workers that it binds, and a bound worker is deleted only with force=true', async () => {
    await deployWorker('shop-live', `${HELLO}; export class Production {}`)
    const bindings = [{ type: 'service', name: 'LIVE', service: 'shop-live', entrypoint: 'Production' }]
    await deployWorker('shop', HELLO, { bindings })
    assert.deepEqual(cloud.booted.at(-1), ['shop', 'shop-live'])
    const refused = await cloud.call('DELETE', '/A/workers/scripts/shop-live')
    assert.match(refused.errors[0]?.message ?? '', /bound by shop/)
    assert.equal((await cloud.call('DELETE', '/A/workers/services/shop-live?force=true')).status, 200)
    assert.equal((await cloud.call('GET', '/A/workers/services/shop-live')).status, 404)
  })

  test("a worker cannot bind another project's worker when both have Durable Objects, and the error names both", async () => {
    const room = { migrations: { new_tag: 'v1', new_sqlite_classes: ['Room'] } }
    await deployWorker('left', `${HELLO}; export class Room {}`, room)
    await deployWorker('right', `${HELLO}; export class Room {}`, room)
    const bindings = [{ type: 'service', name: 'OTHER', service: 'right' }]
    const answer = await deployWorker('left', `${HELLO}; export class Room {}`, {
      bindings,
      migrations: { old_tag: 'v1', new_tag: 'v1', steps: [] },
    })
    assert.equal(answer.errors[0]?.code, 10021)
    assert.match(answer.errors[0]?.message ?? '', /left and right/)
  })

  test('the subdomain of an account can be changed to a valid name that is not taken', async () => {
    assert.deepEqual((await cloud.call('GET', '/A/workers/subdomain')).result, { subdomain: 'acme' })
    const putSubdomain = async (subdomain: unknown) =>
      (await cloud.call('PUT', '/A/workers/subdomain', { subdomain })).status
    assert.deepEqual(
      [
        await putSubdomain('acme'),
        await putSubdomain('new-acme'),
        await putSubdomain('Bad Name'),
        await putSubdomain(7),
      ],
      [200, 200, 409, 400],
    )
    assert.equal(await putSubdomain('x-demo'), 409)
  })

  test('a request with a badly encoded path and a body that is not JSON gets status 400 or 404', async () => {
    const answer = await cloud.call('POST', '/A/workers/scripts/any%zz/deployments', new FormData())
    assert.ok(answer.status === 400 || answer.status === 404, String(answer.status))
  })
})
