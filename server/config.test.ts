import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, describeSettings, readConfig } from './config.ts'

test('nothing is required: an empty environment is a working configuration with the local world on', () => {
  const { config, warnings } = readConfig({})
  assert.equal(config.port, 4300)
  assert.equal(config.baseUrl, 'http://localhost:4300')
  assert.equal(config.localWorld, true)
  assert.equal(config.modelBaseUrl, 'http://127.0.0.1:4310/model/v1')
  assert.equal(config.cloudflare.appUrl('notes', 'acme'), 'http://notes.acme.localhost:4320')
  assert.deepEqual(warnings, [])
})

test('the service listens on this machine only while the base address is on it, unless an address is set', () => {
  const hosts = (env: Record<string, string>) => readConfig(env).config.hosts
  assert.deepEqual(hosts({}), ['127.0.0.1', '::1'])
  for (const baseUrl of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:4300'])
    assert.deepEqual(hosts({ SLIPWAY_BASE_URL: baseUrl }), ['127.0.0.1', '::1'], baseUrl)
  assert.equal(hosts({ SLIPWAY_BASE_URL: 'https://slipway.example.com' }), null)
  assert.equal(hosts({ SLIPWAY_BASE_URL: 'https://localhost.example.com' }), null)
  assert.deepEqual(hosts({ SLIPWAY_HOST: '0.0.0.0' }), ['0.0.0.0'])
  const behindProxy = { SLIPWAY_BASE_URL: 'https://slipway.example.com', SLIPWAY_HOST: '127.0.0.1' }
  assert.deepEqual(hosts(behindProxy), ['127.0.0.1'])
  assert.throws(() => hosts({ SLIPWAY_HOST: 'example.com' }), /SLIPWAY_HOST/)
})

test('a real provider switches the local world off unless it is switched on explicitly', () => {
  const real = readConfig({ SLIPWAY_CLOUDFLARE_CLIENT_ID: 'client' }).config
  assert.equal(real.localWorld, false)
  assert.equal(real.cloudflare.appUrl('notes', 'acme'), 'https://notes.acme.workers.dev')
  assert.equal(real.modelBaseUrl, null)
  assert.equal(
    readConfig({ SLIPWAY_CLOUDFLARE_CLIENT_ID: 'c', SLIPWAY_LOCAL_WORLD: 'on' }).config.localWorld,
    true,
  )
})

test('ideas are posted to the base address unless ingest has its own host', () => {
  assert.equal(readConfig({}).config.ingestUrl, 'http://localhost:4300')
  const own = readConfig({ SLIPWAY_BASE_URL: 'https://a.test', SLIPWAY_INGEST_URL: 'https://ideas.a.test/' })
  assert.deepEqual([own.config.baseUrl, own.config.ingestUrl], ['https://a.test', 'https://ideas.a.test'])
})

test('all mistakes are reported at once, with the meaning of each setting', () => {
  assert.throws(
    () => readConfig({ SLIPWAY_PORT: 'http', SLIPWAY_ROLE: 'boss' }),
    (error: unknown) =>
      error instanceof ConfigError &&
      error.message.includes('SLIPWAY_PORT') &&
      error.message.includes('SLIPWAY_ROLE') &&
      error.message.includes('Empty: 4300'),
  )
})

test('a misspelt name is reported with the nearest real one', () => {
  const { warnings } = readConfig({ SLIPWAY_DATADIR: '/x', SLIPWAY_LOCAL_MAX_WARM: '3' })
  assert.deepEqual(warnings, ['SLIPWAY_DATADIR is not a setting; did you mean SLIPWAY_DATA_DIR?'])
})

test('every setting says what happens when it is empty', () => {
  for (const { name, meaning } of describeSettings()) assert.match(meaning, /Empty:/, name)
})

test('the address of the real cloud can be set, together with that of its apps', () => {
  const { cloudflare } = readConfig({}).config.real
  assert.equal(cloudflare.appUrl('shop', 'acme'), 'https://shop.acme.workers.dev')
  const own = readConfig({
    SLIPWAY_CLOUDFLARE_API: 'http://127.0.0.1:9/client/v4/',
    SLIPWAY_CLOUDFLARE_APPS: 'http://{worker}.{subdomain}.localhost:8',
  }).config.real.cloudflare
  assert.equal(own.api, 'http://127.0.0.1:9/client/v4')
  assert.equal(own.appUrl('shop', 'acme'), 'http://shop.acme.localhost:8')
  assert.throws(
    () => readConfig({ SLIPWAY_CLOUDFLARE_APPS: 'https://{worker}.dev' }),
    /SLIPWAY_CLOUDFLARE_APPS/,
  )
})
