import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { describeSettings } from './environment.ts'

test('no setting is required: with an empty environment the service uses local emulators of Cloudflare, GitHub and the model', () => {
  const { config, warnings } = readConfig({})
  assert.equal(config.port, 4300)
  assert.equal(config.baseUrl, 'http://localhost:4300')
  assert.equal(config.localWorld, true)
  assert.equal(config.modelBaseUrl, 'http://127.0.0.1:4310/model/v1')
  assert.equal(config.cloudflare.appUrl('notes', 'acme'), 'http://notes.acme.localhost:4320')
  assert.deepEqual(warnings, [])
})

test('the service listens on the address that is set, else on loopback if its base address is loopback, else on all addresses', () => {
  const readHosts = (env: Record<string, string>) => readConfig(env).config.hosts
  assert.deepEqual(readHosts({}), ['127.0.0.1', '::1'])
  for (const baseUrl of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:4300'])
    assert.deepEqual(readHosts({ SLIPWAY_BASE_URL: baseUrl }), ['127.0.0.1', '::1'], baseUrl)
  assert.equal(readHosts({ SLIPWAY_BASE_URL: 'https://slipway.example.com' }), null)
  assert.equal(readHosts({ SLIPWAY_BASE_URL: 'https://localhost.example.com' }), null)
  assert.deepEqual(readHosts({ SLIPWAY_HOST: '0.0.0.0' }), ['0.0.0.0'])
  const behindProxy = { SLIPWAY_BASE_URL: 'https://slipway.example.com', SLIPWAY_HOST: '127.0.0.1' }
  assert.deepEqual(readHosts(behindProxy), ['127.0.0.1'])
  assert.throws(() => readHosts({ SLIPWAY_HOST: 'example.com' }), /SLIPWAY_HOST/)
})

test('when a setting of a real provider is given, the local emulators of all providers are disabled unless they are enabled explicitly', () => {
  const real = readConfig({ SLIPWAY_CLOUDFLARE_CLIENT_ID: 'client' }).config
  assert.equal(real.localWorld, false)
  assert.equal(real.cloudflare.appUrl('notes', 'acme'), 'https://notes.acme.workers.dev')
  assert.equal(real.modelBaseUrl, null)
  assert.equal(
    readConfig({ SLIPWAY_CLOUDFLARE_CLIENT_ID: 'c', SLIPWAY_LOCAL_WORLD: 'on' }).config.localWorld,
    true,
  )
})

test("other systems send ticket ideas to the service's base address unless an ingest address is set", () => {
  assert.equal(readConfig({}).config.ingestUrl, 'http://localhost:4300')
  const own = readConfig({ SLIPWAY_BASE_URL: 'https://a.test', SLIPWAY_INGEST_URL: 'https://ideas.a.test/' })
  assert.deepEqual([own.config.baseUrl, own.config.ingestUrl], ['https://a.test', 'https://ideas.a.test'])
})

test('all invalid settings are reported in one error, with the description of each setting', () => {
  assert.throws(
    () => readConfig({ SLIPWAY_PORT: 'http', SLIPWAY_ROLE: 'boss' }),
    (error: unknown) =>
      error instanceof ConfigError &&
      error.message.includes('SLIPWAY_PORT') &&
      error.message.includes('SLIPWAY_ROLE') &&
      error.message.includes('Empty: 4300'),
  )
})

test('the error for an invalid setting says which values are valid', () => {
  const reported = (env: Record<string, string>): string => {
    try {
      return JSON.stringify(readConfig(env).config)
    } catch (error) {
      return error instanceof ConfigError ? error.message : String(error)
    }
  }
  assert.match(reported({ SLIPWAY_PORT: 'http' }), /SLIPWAY_PORT: must be a number\. Port/)
  assert.match(reported({ SLIPWAY_PORT: '99999' }), /SLIPWAY_PORT: must be at most 65535\./)
  assert.match(reported({ SLIPWAY_ROLE: 'boss' }), /SLIPWAY_ROLE: must be one of all, web, worker\./)
})

test('a base URL or ingest URL without http or https is refused, even when its host name could be read as a scheme', () => {
  for (const name of ['SLIPWAY_BASE_URL', 'SLIPWAY_INGEST_URL'])
    for (const address of ['localhost:4300', 'slipway.example.com:443', 'ftp://slipway.example.com'])
      assert.throws(
        () => readConfig({ [name]: address }),
        new RegExp(`${name}: must be an address like https://example\\.com\\.`),
        address,
      )
})

test('an invalid address of a DNS server is refused at startup', () => {
  const read = (servers: string) => readConfig({ SLIPWAY_DNS_SERVERS: servers }).config.dnsServers
  const good = ['192.0.2.53', '127.0.0.1:5353', '[::1]:5353', '[::1]', '::1']
  assert.deepEqual(read(good.join(', ')), good)
  for (const wrong of ['dns.example', '192.0.2.53:99999', '[::1', '::1]', '1.2.3.4]'])
    assert.throws(() => read(wrong), /SLIPWAY_DNS_SERVERS: must hold addresses/, wrong)
})

test('the error for a database address of another system than Postgres omits the address, because it may contain a password', () => {
  for (const address of ['plants', 'localhost:5432/plants', 'mysql://ana:secret-1@db/plants'])
    assert.throws(
      () => readConfig({ DATABASE_URL: address }),
      (error: Error) =>
        /DATABASE_URL: must be an address like postgres:\/\/user:password@host:5432\/database\./.test(
          error.message,
        ) && !error.message.includes('secret-1'),
      address,
    )
  for (const address of [
    'postgres://ana:secret-1@db:5432/plants',
    'postgresql:///plants?host=/run/postgresql',
  ])
    assert.equal(readConfig({ DATABASE_URL: address }).config.databaseUrl, address)
})

test('a misspelt setting is reported with the name of the most similar setting', () => {
  const { warnings } = readConfig({
    SLIPWAY_DATADIR: '/x',
    SLIPWAY_LOCAL_MAX_WARM: '3',
    SLIPWAY_LOCAL_MAXWARM: '3',
    SLIPWAY_LOCAL_WROLD: 'off',
  })
  assert.deepEqual(warnings, [
    'SLIPWAY_DATADIR is not a setting; did you mean SLIPWAY_DATA_DIR?',
    'SLIPWAY_LOCAL_MAXWARM is not a setting; did you mean SLIPWAY_LOCAL_MAX_WARM?',
    'SLIPWAY_LOCAL_WROLD is not a setting; did you mean SLIPWAY_LOCAL_WORLD?',
  ])
})

test('the description of every setting says what an empty value means', () => {
  for (const { name, meaning } of describeSettings()) assert.match(meaning, /Empty:/, name)
})

test('the address of the Cloudflare API and the address pattern of the apps deployed there can each be set', () => {
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

test('with all billing settings set, plans are sold and a new organization is on the Free plan', () => {
  const env = {
    SLIPWAY_STRIPE_SECRET_KEY: 'sk_live_1',
    SLIPWAY_STRIPE_WEBHOOK_SECRET: 'whsec_1',
    SLIPWAY_STRIPE_PRICE_STARTER: 'price_2, price_1',
    SLIPWAY_STRIPE_PRICE_PRO: 'price_3',
  }
  const { config, warnings } = readConfig(env)
  assert.deepEqual(config.billing, {
    key: 'sk_live_1',
    webhookSecret: 'whsec_1',
    prices: { starter: ['price_2', 'price_1'], pro: ['price_3'] },
  })
  assert.deepEqual([config.defaultPlan, warnings], ['free', []])
  assert.equal(readConfig({ ...env, SLIPWAY_DEFAULT_PLAN: 'starter' }).config.defaultPlan, 'starter')
  const none = readConfig({}).config
  assert.deepEqual([none.billing, none.defaultPlan], [null, 'enterprise'])
})

test('billing settings with which a plan could be paid for but not granted are refused at startup', () => {
  const env = {
    SLIPWAY_STRIPE_SECRET_KEY: 'sk_test_local_operator',
    SLIPWAY_STRIPE_WEBHOOK_SECRET: 'whsec_1',
    SLIPWAY_STRIPE_PRICE_STARTER: 'price_1',
    SLIPWAY_STRIPE_PRICE_PRO: 'price_2',
  }
  const assertRefused = (change: Record<string, string>, words: RegExp) =>
    assert.throws(() => readConfig({ ...env, ...change }), words)
  assertRefused(
    { SLIPWAY_STRIPE_WEBHOOK_SECRET: '', SLIPWAY_STRIPE_PRICE_PRO: '' },
    /WEBHOOK_SECRET, .*PRICE_PRO as well/,
  )
  assertRefused({ SLIPWAY_STRIPE_PRICE_PRO: 'price_1' }, /the same price/)
  assertRefused({ SLIPWAY_LOCAL_WORLD: 'off' }, /stand-in, which is off/)
  assertRefused({ SLIPWAY_STRIPE_SECRET_KEY: 'pk_live_1' }, /secret or restricted key/)
  assertRefused({ SLIPWAY_STRIPE_PRICE_PRO: 'prod 1' }, /id of a price/)
})

test("by default builds check an app's pages in a browser; the path of the browser can be set, and this check can be disabled", () => {
  const { chromium, seesPages } = readConfig({}).config
  assert.deepEqual([chromium, seesPages], [null, true])
  const named = readConfig({ SLIPWAY_CHROMIUM: '/opt/chrome', SLIPWAY_SEE_PAGES: 'off' }).config
  assert.deepEqual([named.chromium, named.seesPages], ['/opt/chrome', false])
  assert.throws(() => readConfig({ SLIPWAY_SEE_PAGES: 'maybe' }), /SLIPWAY_SEE_PAGES/)
})
