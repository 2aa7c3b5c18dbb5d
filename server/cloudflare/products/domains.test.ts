import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { attachDomain, findDomain, removeDomain } from './domains.ts'
import { closeProviders, errorResponse, hangUp, okResponse, startProvider } from '../testing.ts'

const PATH = '/accounts/acc/workers/domains'
const FIND = `GET ${PATH}?hostname=shop.test`
const listed = (hostname: string, more: object = {}) => ({
  id: `id-${hostname}`,
  hostname,
  service: 'shop',
  cert_id: 'c1',
  ...more,
})
const desired = { hostname: 'shop.test', service: 'shop', zoneId: 'z1' }
const attach = [
  `PUT ${PATH}`,
  { hostname: 'shop.test', service: 'shop', zone_id: 'z1', environment: 'production' },
]

describe('custom domains at Cloudflare', () => {
  after(closeProviders)

  test('a custom domain is found by its exact name, in upper or lower case', async () => {
    const { cloud, calls } = await startProvider(
      okResponse([listed('www.shop.test'), listed('Shop.Test', { service: 'other' })]),
      okResponse([listed('www.shop.test')]),
      okResponse([]),
    )
    const found = { id: 'id-Shop.Test', service: 'other', certificateId: 'c1' }
    assert.deepEqual(await findDomain(cloud, 'shop.test'), found)
    assert.equal(await findDomain(cloud, 'shop.test'), null)
    assert.equal(await findDomain(cloud, 'shop.test'), null)
    assert.deepEqual(calls(), [FIND, FIND, FIND])
  })

  test('a custom domain may lack a certificate; a custom domain without a worker or id throws an error for an unexpected response', async () => {
    for (const certificate of [{ cert_id: null }, { cert_id: undefined }]) {
      const { cloud } = await startProvider(okResponse([listed('shop.test', certificate)]))
      assert.equal((await findDomain(cloud, 'shop.test'))?.certificateId, null)
    }
    for (const odd of [{ service: null }, { id: '' }]) {
      const { cloud } = await startProvider(okResponse([listed('shop.test', odd)]))
      await assert.rejects(findDomain(cloud, 'shop.test'), {
        message:
          'The cloud account returned an unexpected response when asked to read which worker serves shop.test.',
      })
    }
  })

  test('a request to attach a host name that gets no response is sent again, and the change is recorded once', async () => {
    const { cloud, calls, records } = await startProvider(hangUp, okResponse(listed('shop.test')))
    const made = { id: 'id-shop.test', service: 'shop', certificateId: 'c1' }
    assert.deepEqual(await attachDomain(cloud, desired), made)
    assert.deepEqual(calls(), [attach, attach])
    assert.deepEqual(records, ['domain.attach shop.test ok'])
  })

  test('attaching a host name that already has DNS records fails with name_taken and does not change the records', async () => {
    const { cloud, calls, records } = await startProvider(
      errorResponse(409, 100117, 'Hostname already has externally managed DNS records'),
    )
    await assert.rejects(attachDomain(cloud, desired), {
      fault: 'name_taken',
      answersWith: 'conflict',
      status: 409,
      message:
        'shop.test already has a DNS record of its own, which is not overwritten. Remove it at Cloudflare, then attach the domain.',
    })
    assert.deepEqual(calls(), [attach])
    assert.deepEqual(records, ['domain.attach shop.test failed'])
  })

  test("a refusal to attach a host name for any reason but DNS records is thrown with Cloudflare's message", async () => {
    const { cloud } = await startProvider(errorResponse(400, 100116, 'Zone is not active'))
    await assert.rejects(attachDomain(cloud, desired), {
      fault: 'upstream',
      message: 'The cloud account refused to attach shop.test to the worker shop: Zone is not active.',
    })
  })

  test('detaching a host name that is not attached succeeds, and the id of the domain is encoded in the address of the request', async () => {
    const { cloud, requests, records } = await startProvider(errorResponse(404, 100114, 'Not found'))
    await removeDomain(cloud, { id: 'a/b' }, 'shop.test')
    assert.deepEqual(
      requests.map(({ method, url }) => `${method} ${url}`),
      [`DELETE ${PATH}/a%2Fb`],
    )
    assert.deepEqual(records, ['domain.detach shop.test ok'])
  })
})
