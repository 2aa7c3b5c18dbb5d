import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Config, WorkerOptions } from 'miniflare'
import { Log, LogLevel, Miniflare } from './miniflare.ts'

const SHOP = `
import { WorkerEntrypoint } from 'cloudflare:workers'
export default class extends WorkerEntrypoint {
  fetch() { return new Response('the shop') }
  price(item) { return item.length * 10 }
}`
const ADMIN = `
export default {
  async fetch(request, env) {
    await caches.default.put('http://shop.test/kept', new Response('kept', { headers: { 'cache-control': 'max-age=60' } }))
    const kept = await (await caches.default.match('http://shop.test/kept')).text()
    return Response.json({ price: await env.SHOP.price('rake'), kept })
  },
}`
const OURS = `
export default {
  fetch: (request) =>
    fetch(new URL(request.url).searchParams.get('at')).catch(() => new Response('no way out')),
}`

describe('Miniflare as the local cloud loads it', () => {
  let miniflare: InstanceType<typeof Miniflare>
  const outside = createServer((_request, response) => response.end('out'))
  let dir: string
  let config: Config
  before(async () => {
    await once(outside.listen(0, '127.0.0.1'), 'listening')
    dir = mkdtempSync(join(tmpdir(), 'slipway-lean-'))
    const files = join(dir, 'files')
    mkdirSync(files)
    writeFileSync(join(files, 'page.html'), 'a page')
    process.env['MINIFLARE_WORKERD_CONFIG_DEBUG'] = join(dir, 'config.json')
    miniflare = new Miniflare({
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      cf: false,
      enableDevRegistry: false,
      telemetry: { enabled: false },
      workers: [
        workerOf('admin', ADMIN, { env: { SHOP: { type: 'worker', worker: 'shop' } } }),
        workerOf('shop', SHOP, { assets: { directory: files, hasUserWorker: true } }),
        workerOf('_ours', OURS),
      ],
    })
    await miniflare.ready
    delete process.env['MINIFLARE_WORKERD_CONFIG_DEBUG']
    config = JSON.parse(readFileSync(join(dir, 'config.json'), 'utf8')) as Config
  })
  after(async () => {
    await miniflare.dispose()
    outside.close()
    outside.closeAllConnections()
    rmSync(dir, { recursive: true, force: true })
  })
  const fetchWorker = async (worker: string, path = '/') => {
    const url = await miniflare.unsafeGetDirectURL(worker)
    return (await fetch(new URL(path, url))).text()
  }

  test("an app process starts only the app's workers and the services that these workers use", () => {
    const running = (config.services ?? []).filter((service) => 'worker' in service).map(({ name }) => name)
    assert.deepEqual(running.toSorted(), [
      'assets:assets-service:shop',
      'assets:kv:shop',
      'assets:router:shop',
      'assets:rpc-proxy:shop',
      'cache:0',
      'cache:cache',
      'core:user:_ours',
      'core:user:admin',
      'core:user:shop',
      'outbound:0',
    ])
  })

  test('with the reduced workerd configuration, assets, RPC calls to other workers and the cache still work', async () => {
    assert.equal(await fetchWorker('shop', '/page'), 'a page')
    assert.equal(await fetchWorker('shop'), 'the shop')
    assert.deepEqual(JSON.parse(await fetchWorker('admin')), { price: 40, kept: 'kept' })
  })

  test('a worker that belongs to the local cloud itself cannot reach the network', async () => {
    const { port } = outside.address() as AddressInfo
    const at = `http://127.0.0.1:${port}/`
    assert.equal(await (await fetch(at)).text(), 'out')
    assert.equal(await fetchWorker('_ours', `/?at=${encodeURIComponent(at)}`), 'no way out')
  })
})

function workerOf(
  name: string,
  contents: string,
  more: Partial<WorkerOptions['config']> = {},
): WorkerOptions {
  return {
    config: {
      name,
      compatibilityDate: '2026-06-01',
      manifest: { mainModule: 'index.js', modules: { 'index.js': { type: 'esm', contents } } },
      ...more,
    },
    dev: { stripCfConnectingIp: false, unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
  }
}
