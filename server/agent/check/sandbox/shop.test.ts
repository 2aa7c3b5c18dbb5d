import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bundleApp } from '../../bundle/bundle.ts'
import { completeTree, starterTree } from '../../source/tree.ts'
import { openSandbox } from './sandbox.ts'
import { workersOf } from './workers.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['auth', 'data', 'pay'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    sales: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { what: { type: 'text', required: true } },
    },
  },
}
const ROUTES = `import { auth, pay } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/chapter', async (c) => {
  const { id } = await auth.require(c.req.raw)
  return (await pay.entitled(id, 'book')) ? c.json({ text: 'Once' }) : c.json({ text: 'Buy it' }, 402)
})
`
const PAID = `import { data, type PaidEvent } from '@slipway/app/server'

export default async ({ productId, amount }: PaidEvent) => {
  await data.system.create('sales', { what: productId + ' ' + amount })
}
`
const TESTS = `import { app, expect, test } from '@slipway/app/testing'

test('only a person who bought a product can use what it unlocks, until the refund', async () => {
  await app.pay.sell({ id: 'book', name: 'The book', amount: 1200 })
  const [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')]
  expect((await app.get('/_app/pay/products')).body.data[0].amount).toBe(1200)
  expect((await ada.get('/api/chapter')).status).toBe(402)
  await app.pay.buy(ada, 'book')
  expect((await ada.get('/api/chapter')).body.text).toBe('Once')
  expect((await bob.get('/api/chapter')).status).toBe(402)
  expect((await app.data.list('sales')).items.map(({ what }) => what)).toEqual(['book 1200'])
  await expect(app.pay.buy(ada, 'book')).toReject()
  await app.pay.refund(ada, 'book')
  expect((await ada.get('/api/chapter')).status).toBe(402)
})

test("a subscription is one of a person's purchases until the refund", async () => {
  await app.pay.sell({ id: 'club', interval: 'month' })
  const ada = await app.signUp('Ada')
  await app.pay.buy(ada, 'club')
  expect((await ada.get('/_app/pay/entitlements')).body.data[0].kind).toBe('subscription')
  await app.pay.refund(ada, 'club')
  expect((await ada.get('/_app/pay/entitlements')).body.data).toEqual([])
})

test('buying a product that is not for sale is refused, and so is refunding a product that was not bought', async () => {
  const ada = await app.signUp('Ada')
  await expect(app.pay.buy(ada, 'film')).toReject()
  await expect(app.pay.refund(ada, 'book')).toReject()
})
`

interface Result {
  name: string
  ok: boolean
  error: string | null
}

describe('payments in the tests of an app', () => {
  test('the tests inside a generated app can buy, refund and subscribe to its products without a network', async () => {
    const tree = new Map([
      ...starterTree('Shop'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['server/routes.ts', ROUTES],
      ['server/jobs/paid.ts', PAID],
      ['tests/pay.test.ts', TESTS],
    ])
    const bundled = await bundleApp(completeTree(tree, new Set(MANIFEST.uses)), {
      parts: ['server', 'web', 'tests'],
      minify: false,
    })
    assert.ok(bundled.ok)
    const folder = mkdtempSync(join(tmpdir(), 'slipway-shop-'))
    const sandbox = await openSandbox(await workersOf(bundled.bundle, MANIFEST.uses), {
      folder,
      timeoutMs: 30_000,
    })
    try {
      const results = JSON.parse((await sandbox.get('tests', '/run', 30_000)).body) as Result[]
      assert.deepEqual(
        results.filter(({ ok }) => !ok),
        [],
      )
      assert.equal(results.length, 3)
    } finally {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
