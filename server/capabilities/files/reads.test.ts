import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { closeProviders, cutShort, startProvider } from '../../cloudflare/testing.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { readFileObject } from './reads.ts'

type Answer = Parameters<typeof startProvider>[0]
const bytesOfType =
  (contentType: string): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': contentType }).end('<script>')

/** A response of the app itself, which Cloudflare's page for an address without a worker is not. */
const refusal =
  (status: number, code: string): Answer =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: false, error: { code, message: 'No.' } }))

describe('reading a file of a live app as its operator', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  after(async () => {
    await app.close()
    await closeProviders()
  })

  /** Reads an object of an app that responds like this. */
  async function read(answer: Answer, key = 'uploads/a.png') {
    const { options, requests } = await startProvider(answer)
    const requireCloud = async () => ({
      id: 'con',
      account_id: 'acc',
      subdomain: 'demo',
      endpoints: { ...app.config.cloudflare, appUrl: () => options.api },
      credential: () => options.credential,
    })
    const ctx = {
      ...app.platform,
      accounts: { ...app.platform.accounts, requireCloud },
      requestId: 'req',
      address: '127.0.0.1',
      signal: new AbortController().signal,
    }
    const project = { id: 'prj_1', org_id: 'org_1', slug: 'plants' }
    const result = await readFileObject(ctx, project, key, new Request('http://localhost')).catch(
      (error: unknown) => error,
    )
    return { result, urls: requests.map(({ url }) => url) }
  }

  test('a file whose stored content type is not a plain type/subtype is returned as application/octet-stream', async () => {
    for (const [given, shown] of [
      ['image/png', 'image/png'],
      ['text/html; charset=utf-8', 'application/octet-stream'],
      ['html', 'application/octet-stream'],
    ] as const) {
      const { result } = await read(bytesOfType(given))
      assert.equal((result as { contentType: string }).contentType, shown)
    }
  })

  test('the key of a file is sent to the live app as one query value, whatever characters the key has', async () => {
    for (const key of ['a b', '../x', 'a&key=b', 'ü?#']) {
      const { urls } = await read(refusal(404, 'not_found'), key)
      assert.deepEqual(
        urls.map((url) => new URL(url, 'http://localhost').searchParams.getAll('key')),
        [[key]],
      )
    }
  })

  test('reading a missing file returns not_found, and reading a file of an app without uploads returns not_enabled', async () => {
    for (const code of ['not_found', 'not_enabled']) {
      const { result } = await read(refusal(404, code))
      assert.equal((result as { code: string }).code, code)
    }
  })

  test('a refused or cut-off read of a file is an error of the cloud account, not an internal error', async () => {
    for (const answer of [refusal(403, 'forbidden'), cutShort(400)])
      assert.ok((await read(answer)).result instanceof CloudflareError)
  })
})
