import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from './config.ts'
import { consolePage } from './console.ts'

const dist = mkdtempSync(join(tmpdir(), 'slipway-console-'))
mkdirSync(join(dist, 'assets'))
writeFileSync(
  join(dist, 'index.html'),
  '<script nonce="__NONCE__"></script><script type="application/json">__BOOT__</script>',
)
writeFileSync(join(dist, 'assets/main-abc123.js'), 'plain')
writeFileSync(join(dist, 'assets/main-abc123.js.br'), 'packed')
writeFileSync(join(dist, 'secret.txt'), 'not for the public')
const { config } = readConfig({ SLIPWAY_DATA_DIR: dist })
const openConsole = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  consolePage(new Request(`http://localhost:4300${path}`, { headers }), config, dist)

describe('serving the console', () => {
  after(() => rmSync(dist, { recursive: true }))

  test("a console address opened in a browser returns the page with the console's configuration embedded", async () => {
    const page = await openConsole('/projects/prj_1?tab=build')
    assert.equal(page?.status, 200)
    assert.match((await page?.text()) ?? '', /"signup":"open","mail":"held","localWorld":true/)
    assert.equal(page?.headers.get('cache-control'), 'no-cache')
    assert.equal(page?.headers.get('etag'), null)
  })

  test("the configuration in the console's page contains whether the service sends mails, but nothing about the mail server", async () => {
    const mail = { smtpUrl: 'smtp://name:secret@mail.test', from: 'a@b.test' }
    const request = new Request('http://localhost:4300/', { headers: { accept: 'text/html' } })
    const page = await (await consolePage(request, { ...config, mail }, dist))?.text()
    assert.match(page ?? '', /"mail":"smtp"/)
    assert.doesNotMatch(page ?? '', /mail\.test|secret/)
  })

  test('an API address returns no console page, even to a browser', async () => {
    for (const path of ['/readyz', '/metrics', '/mcp', '/llms.txt'])
      assert.equal(await openConsole(path), null, path)
  })

  test('a request that does not accept HTML gets no console page', async () => {
    assert.equal(await openConsole('/projects', { accept: 'application/json' }), null)
    assert.equal(await openConsole('/projects', {}), null)
  })

  test('the console may frame the apps of a configured app domain, in each form that app addresses may have', async () => {
    for (const [apps, source] of [
      ['https://{worker}.{subdomain}.workers.dev', 'https://*.workers.dev'],
      ['https://{worker}-{subdomain}.apps.example.com', 'https://*.apps.example.com'],
      ['https://{worker}.eu.{subdomain}.example.com:8443', 'https://*.example.com:8443'],
      ['https://gate.example.com/{worker}/{subdomain}', 'https://gate.example.com'],
    ] as const) {
      const own = readConfig({ SLIPWAY_DATA_DIR: dist, SLIPWAY_CLOUDFLARE_APPS: apps }).config
      const request = new Request('http://localhost:4300/', { headers: { accept: 'text/html' } })
      const policy = (await consolePage(request, own, dist))?.headers.get('content-security-policy')
      const [, sources] = /frame-src ([^;]+)/.exec(policy ?? '') ?? []
      assert.ok(sources?.split(' ').includes(source), `${apps}: ${sources}`)
    }
  })

  test('the content security policy of each console response has a fresh nonce, which is also in the page', async () => {
    const [first, second] = [await openConsole('/'), await openConsole('/')]
    const nonceOf = (page: Response | null) =>
      /'nonce-([\w-]{20,})'/.exec(page?.headers.get('content-security-policy') ?? '')?.[1]
    const nonce = nonceOf(first)
    assert.ok(nonce)
    assert.notEqual(nonce, nonceOf(second))
    assert.ok((await first?.text())?.includes(`nonce="${nonce}"`))
  })

  test('the content security policy allows frames and uploads for the origins of deployed apps and for no other origins', async () => {
    const policy = (await openConsole('/'))?.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-src http:\/\/\*\.localhost:\d+ https:\/\/\*\.workers\.dev(;|$)/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /require-trusted-types-for 'script'/)
    assert.doesNotMatch(policy, /unsafe/)
  })

  test('console files with a hash in their name are cached for a year and compressed when the browser accepts it', async () => {
    const packed = await openConsole('/_console/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' })
    assert.equal(await packed?.text(), 'packed')
    assert.equal(packed?.headers.get('content-encoding'), 'br')
    assert.match(packed?.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    const plain = await openConsole('/_console/assets/main-abc123.js', {})
    assert.equal(await plain?.text(), 'plain')
    assert.match(plain?.headers.get('content-type') ?? '', /javascript/)
  })

  test('no file outside the built console can be read', async () => {
    assert.equal(await openConsole('/_console/assets/unknown.js'), null)
    assert.equal(await openConsole('/_console/assets/..%2Fsecret.txt'), null)
  })

  test('without a built console its address returns instructions to build it', async () => {
    const page = await consolePage(
      new Request('http://localhost:4300/', { headers: { accept: 'text/html' } }),
      config,
      join(dist, 'nowhere'),
    )
    assert.equal(page?.status, 503)
    assert.match((await page?.text()) ?? '', /build:console/)
  })
})
