import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Cloudflare, NotFoundError, toFile } from 'cloudflare'
import { askApp, startTestWorld, type TestWorld } from './world.ts'

let world: TestWorld
let client: Cloudflare
before(async () => {
  world = await startTestWorld()
  client = new Cloudflare({
    apiToken: world.account.token,
    baseURL: `${world.restUrl}/cloudflare/client/v4`,
    maxRetries: 0,
  })
})
after(() => world.remove())

test("the provider's own SDK uploads a worker, puts it on its address and reads it back", async () => {
  const { id: account_id } = world.account
  const source = 'export default { fetch: () => new Response("from the SDK") }'
  await client.workers.scripts.update('by-sdk', {
    account_id,
    metadata: { main_module: 'index.js', compatibility_date: '2026-06-01' },
    files: [await toFile(Buffer.from(source), 'index.js', { type: 'application/javascript+module' })],
  })
  await client.workers.scripts.subdomain.create('by-sdk', { account_id, enabled: true })
  assert.equal((await askApp(world, 'by-sdk', '/')).text, 'from the SDK')
  const { items } = (await client.workers.scripts.versions.list('by-sdk', { account_id })).result
  assert.equal(items?.[0]?.number, 1)
})

test('its page lists end', async () => {
  const names: (string | undefined)[] = []
  for await (const script of client.workers.scripts.list({ account_id: world.account.id }))
    names.push(script.id)
  assert.deepEqual(names, ['by-sdk'])
  let accounts = 0
  for await (const _account of client.accounts.list()) accounts++
  assert.equal(accounts, 1)
})

test('its errors carry status and code', async () => {
  const { id: account_id } = world.account
  await assert.rejects(client.workers.scripts.versions.list('nobody', { account_id }), (error: unknown) => {
    assert.ok(error instanceof NotFoundError)
    assert.equal(error.errors[0]?.code, 10007)
    return true
  })
})
