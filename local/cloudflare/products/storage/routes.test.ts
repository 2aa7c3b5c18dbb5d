import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

const SOURCE = 'export default { fetch() {} }'

describe('KV namespaces and D1 databases of an account', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const newNamespace = async (title: string) =>
    ((await cloud.call('POST', '/A/storage/kv/namespaces', { title })).result as { id: string }).id
  const newDatabase = async (name: string) =>
    ((await cloud.call('POST', '/A/d1/database', { name })).result as { uuid: string }).uuid
  const deployWorker = (name: string, bindings: object[], source = SOURCE) =>
    cloud.call('PUT', `/A/workers/scripts/${name}`, uploadForm(source, { bindings }))
  const outcomeOf = ({ status, errors }: { status: number; errors: { code: number }[] }) => [
    status,
    errors[0]?.code,
  ]

  test('a KV namespace is found by its id, renamed and deleted, and a title that is taken is refused', async () => {
    const id = await newNamespace('shelves')
    const taken = await cloud.call('POST', '/A/storage/kv/namespaces', { title: 'shelves' })
    assert.deepEqual(outcomeOf(taken), [400, 10014])
    await cloud.call('PUT', `/A/storage/kv/namespaces/${id}`, { title: 'racks' })
    const { result } = await cloud.call('GET', `/A/storage/kv/namespaces/${id}`)
    assert.deepEqual(result, { id, title: 'racks', supports_url_encoding: true })
    await cloud.call('DELETE', `/A/storage/kv/namespaces/${id}`)
    assert.deepEqual(outcomeOf(await cloud.call('GET', `/A/storage/kv/namespaces/${id}`)), [404, 10013])
  })

  test('the list of KV namespaces is empty after its last page', async () => {
    for (const title of ['a', 'b', 'c']) await newNamespace(title)
    const listTitles = async (page: number) => {
      const answer = await cloud.call('GET', `/A/storage/kv/namespaces?per_page=2&page=${page}&order=title`)
      return (answer.result as { title: string }[]).map(({ title }) => title)
    }
    assert.deepEqual([await listTitles(1), await listTitles(2), await listTitles(3)], [['a', 'b'], ['c'], []])
  })

  test('KV namespaces are sorted by title or id, in both directions', async () => {
    const ids = new Map<string, string>()
    for (const title of ['b', 'a', 'c']) ids.set(title, await newNamespace(title))
    const titles = async (query: string) =>
      ((await cloud.call('GET', `/A/storage/kv/namespaces?${query}`)).result as { title: string }[])
        .map(({ title }) => title)
        .join('')
    const byId = [...ids].toSorted(([, one], [, other]) => (one < other ? -1 : 1)).map(([title]) => title)
    assert.equal(await titles('order=title'), 'abc')
    assert.equal(await titles('order=title&direction=desc'), 'cba')
    assert.equal(await titles('order=id'), byId.join(''))
    assert.equal(await titles('order=id&direction=desc'), byId.toReversed().join(''))
    assert.equal((await cloud.call('GET', '/A/storage/kv/namespaces?order=size')).status, 400)
  })

  test('a D1 database is found by its id and by its name, and a name that is taken is refused', async () => {
    const uuid = await newDatabase('books')
    const found = await cloud.call('GET', '/A/d1/database/books?fields=uuid,name')
    assert.deepEqual(found.result, { uuid, name: 'books' })
    const whole = (await cloud.call('GET', `/A/d1/database/${uuid}`)).result as { num_tables: number }
    assert.equal(whole.num_tables, 0)
    assert.deepEqual(outcomeOf(await cloud.call('POST', '/A/d1/database', { name: 'books' })), [400, 7502])
    assert.deepEqual(outcomeOf(await cloud.call('GET', '/A/d1/database/nothing')), [404, 7404])
  })

  test('a free account is limited to ten databases and a hundred Durable Object classes', async () => {
    const { id } = createAccount(cloud.store, { name: 'Free', plan: 'free', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: id, scopes: [], at: 1 })
    const createDatabase = (n: number) =>
      cloud.call('POST', `/accounts/${id}/d1/database`, { name: `db${n}` }, secret)
    for (let n = 0; n < 10; n++) assert.equal((await createDatabase(n)).status, 200)
    assert.deepEqual(outcomeOf(await createDatabase(10)), [403, 7406])
    const names = Array.from({ length: 101 }, (_, n) => `Box${n}`)
    const uploadClasses = (classes: string[]) =>
      cloud.call(
        'PUT',
        `/accounts/${id}/workers/scripts/boxes`,
        uploadForm(`${classes.map((name) => `export class ${name} {}`).join('\n')}\n${SOURCE}`, {
          migrations: { new_tag: 'v1', new_sqlite_classes: classes },
        }),
        secret,
      )
    const refused = await uploadClasses(names)
    assert.equal(refused.status, 403)
    assert.match(refused.errors[0]?.message ?? '', /limit of 100 Durable Object classes/)
    assert.equal((await uploadClasses(names.slice(0, 100))).status, 200)
  })

  test('an API token without the permissions for KV and D1 is refused by both APIs', async () => {
    const scopes = ['workers-scripts.write']
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: cloud.accountId, scopes, at: 1 })
    assert.equal((await cloud.call('GET', '/A/storage/kv/namespaces', undefined, secret)).status, 403)
    assert.equal((await cloud.call('GET', '/A/d1/database', undefined, secret)).status, 403)
  })

  test('a binding to a missing KV namespace, a missing D1 database or an unsupported product is refused, each with its own error code', async () => {
    const kv = { type: 'kv_namespace', name: 'KV', namespace_id: 'f'.repeat(32) }
    const d1 = { type: 'd1', name: 'DB', id: '00000000-0000-4000-8000-000000000000' }
    assert.deepEqual(outcomeOf(await deployWorker('reader', [kv])), [400, 10041])
    assert.deepEqual(outcomeOf(await deployWorker('reader', [d1])), [400, 10181])
    const vectorize = { type: 'vectorize', name: 'V', index_name: 'x' }
    const refused = await deployWorker('reader', [vectorize])
    assert.deepEqual(outcomeOf(refused), [400, 10021])
    assert.match(refused.errors[0]?.message ?? '', /not available in the local cloud/)
  })

  test('a rollback to a version with a deleted KV namespace is refused', async () => {
    const id = await newNamespace('shelves')
    await deployWorker('reader', [{ type: 'kv_namespace', name: 'KV', namespace_id: id }])
    await deployWorker('reader', [])
    await cloud.call('DELETE', `/A/storage/kv/namespaces/${id}`)
    const { items } = (await cloud.call('GET', '/A/workers/scripts/reader/versions?deployable=true'))
      .result as { items: { id: string; number: number }[] }
    const rollBackTo = (number: number) =>
      cloud.call('POST', '/A/workers/scripts/reader/deployments', {
        strategy: 'percentage',
        versions: [{ version_id: items.find((item) => item.number === number)?.id, percentage: 100 }],
      })
    assert.deepEqual(outcomeOf(await rollBackTo(1)), [400, 10041])
    assert.equal((await rollBackTo(2)).status, 200)
  })

  test('only the ten newest versions of a worker can be deployed', async () => {
    for (let n = 0; n < 11; n++)
      await deployWorker('many', [{ type: 'plain_text', name: 'N', text: String(n) }])
    const listNamespaces = async (query: string) =>
      (
        (await cloud.call('GET', `/A/workers/scripts/many/versions?per_page=50${query}`)).result as {
          items: { id: string; number: number }[]
        }
      ).items
    assert.deepEqual((await listNamespaces('&deployable=true')).map(({ number }) => number).at(-1), 2)
    const eleventh = (await listNamespaces('')).find(({ number }) => number === 1)
    const answer = await cloud.call('POST', '/A/workers/scripts/many/deployments', {
      strategy: 'percentage',
      versions: [{ version_id: eleventh?.id, percentage: 100 }],
    })
    assert.equal(answer.status, 400)
  })

  test('a secret key binding survives an upload with `keep_bindings`, and its value is never returned', async () => {
    const key = { type: 'secret_key', name: 'KEY', format: 'raw', usages: ['sign'], key_base64: 'aGlkZGVu' }
    await deployWorker('signer', [key])
    const form = uploadForm(SOURCE, { keep_bindings: ['secret_text', 'secret_key'] })
    await cloud.call('PUT', '/A/workers/scripts/signer', form)
    const settings = await cloud.call('GET', '/A/workers/scripts/signer/settings')
    const { bindings } = settings.result as { bindings: object[] }
    assert.deepEqual(bindings, [{ type: 'secret_key', name: 'KEY', format: 'raw', usages: ['sign'] }])
  })

  test('the workers that bind a worker are listed, and prevent its deletion', async () => {
    const box = `export class Box {}\n${SOURCE}`
    await cloud.call(
      'PUT',
      '/A/workers/scripts/owner',
      uploadForm(box, { migrations: { new_tag: 'v1', new_sqlite_classes: ['Box'] } }),
    )
    await deployWorker('guest', [
      { type: 'durable_object_namespace', name: 'BOX', class_name: 'Box', script_name: 'owner' },
    ])
    await cloud.call('PATCH', '/A/workers/scripts/guest/script-settings', {
      tail_consumers: [{ service: 'owner' }],
    })
    const { result } = await cloud.call('GET', '/A/workers/scripts/owner/references')
    const { durable_objects: objects } = result as {
      durable_objects: { service: string; durable_object_namespace_name: string }[]
    }
    assert.deepEqual(
      objects.map((one) => [one.service, one.durable_object_namespace_name]),
      [['guest', 'Box']],
    )
    const tails = await cloud.call('GET', '/A/workers/tails/by-consumer/owner')
    assert.equal((tails.result as { producer: { service: string } }[])[0]?.producer.service, 'guest')
    assert.match((await cloud.call('DELETE', '/A/workers/scripts/owner')).errors[0]?.message ?? '', /guest/)
  })
})
