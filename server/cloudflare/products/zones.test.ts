import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { closeProviders, errorResponse, hangUp, okResponse, startProvider } from '../testing.ts'
import { checkActivation, findZone, listZones } from './zones.ts'

const zone = (name: string, more: object = {}) => ({
  id: `id-${name}`,
  name,
  status: 'active',
  name_servers: ['a.ns.test', 'b.ns.test'],
  ...more,
})
const page = (number: number) => `GET /zones?account.id=acc&page=${number}&per_page=50`
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => zone(`d${String(n).padStart(2, '0')}.test`))

describe('zones at Cloudflare', () => {
  after(closeProviders)

  test('a zone is looked for in the connected account and found whatever the case of its name', async () => {
    const { cloud, calls } = await startProvider(
      okResponse([zone('my-shop.test'), zone('Shop.TEST', { status: 'pending' })]),
      okResponse([zone('my-shop.test')]),
    )
    assert.deepEqual(await findZone(cloud, 'shop.test'), {
      id: 'id-Shop.TEST',
      name: 'shop.test',
      status: 'pending',
      nameServers: ['a.ns.test', 'b.ns.test'],
    })
    assert.equal(await findZone(cloud, 'shop.test'), null)
    assert.deepEqual(calls(), Array(2).fill('GET /zones?name=shop.test&account.id=acc'))
  })

  test('a zone whose DNS is hosted elsewhere has no name servers', async () => {
    for (const servers of [{ name_servers: null }, { name_servers: undefined }, { name_servers: [] }]) {
      const { cloud } = await startProvider(okResponse([zone('shop.test', servers)]))
      assert.deepEqual((await findZone(cloud, 'shop.test'))?.nameServers, [])
    }
  })

  test('DNS zones are read page by page until a page is not full, and returned in the order of their names', async () => {
    const { cloud, calls } = await startProvider(
      okResponse(many(99).slice(49).toReversed()),
      okResponse(many(49)),
    )
    const zones = many(99).map(({ id, name, status }) => ({ id, name, status }))
    assert.deepEqual(await listZones(cloud), zones)
    assert.deepEqual(calls(), [page(1), page(2)])
  })

  test('listing DNS zones requests another page after every full page, and reads at most a thousand zones', async () => {
    const full = await startProvider(okResponse(many(50)), okResponse([]))
    assert.equal((await listZones(full.cloud)).length, 50)
    assert.deepEqual(full.calls(), [page(1), page(2)])
    const endless = await startProvider(okResponse(many(50)))
    assert.equal((await listZones(endless.cloud)).length, 1000)
    assert.equal(endless.seen.length, 20)
  })

  test("a request to check a zone's name servers is not retried, because Cloudflare accepts one only every few minutes", async () => {
    const path = 'PUT /zones/a%2Fb/activation_check'
    const fine = await startProvider(okResponse({ id: 'a/b' }))
    await checkActivation(fine.cloud, { id: 'a/b', name: 'shop.test' })
    assert.deepEqual(
      fine.requests.map(({ method, url }) => `${method} ${url}`),
      [path],
    )
    assert.deepEqual(fine.records, [])
    const lost = await startProvider(hangUp)
    await assert.rejects(checkActivation(lost.cloud, { id: 'a/b', name: 'shop.test' }), { fault: 'upstream' })
    const early = await startProvider(errorResponse(400, 1224, 'Too soon'))
    await assert.rejects(checkActivation(early.cloud, { id: 'a/b', name: 'shop.test' }), {
      message: 'The cloud account refused to check the name servers of shop.test: Too soon.',
    })
    assert.deepEqual([lost.seen.length, early.seen.length], [1, 1])
  })
})
