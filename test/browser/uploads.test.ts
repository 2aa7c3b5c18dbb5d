import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { starterTree } from '../../server/agent/source/tree.ts'
import { setClock } from '../../server/attachments/testing.ts'
import { cloudFetch } from '../../server/cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../server/releases/testing.ts'
import { launchBrowser } from './browser.ts'

const ROUTES = `import { Hono } from 'hono'
import { files } from '@slipway/app/server'

export const routes = new Hono()
routes.get('/ticket', async (c) => c.text(await files.ticket()))
routes.get('/files/:id', async (c) => (await files.get(c.req.param('id'))) ?? c.notFound())
`

/** One upload by a page of the app: its size in bytes, and the fraction after which it is cancelled. */
interface Attempt {
  ticket: string
  size: number
  stopAfter?: number
}
interface Outcome {
  id?: string
  name?: string
  error?: string
  shares: number[]
}

describe('a page of an app that uploads a file', () => {
  let cloud: CloudApp
  let browser: Browser
  let page: Page
  let url: string

  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
    const { person, path, project } = await cloud.personWithProject('Uploads')
    const settings = { maxBytes: 200 * 1024 * 1024 }
    await person.call(`PUT ${path}/capabilities/files`, { enabled: true, settings })
    await until(async () => {
      const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}`)
      return data.provision.state === 'idle'
    })
    await cloud.build(project.id, new Map([...starterTree('Uploads'), ['server/routes.ts', ROUTES]]))
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    url = shipped.data.url
    const client = new URL('../../runtime/files/client.ts', import.meta.url).pathname
    const { outputFiles } = await build({
      entryPoints: [client],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'slipway',
    })
    browser = await launchBrowser()
    // This test injects a script, which the app's content security policy would forbid.
    page = await (await browser.newContext({ bypassCSP: true })).newPage()
    await page.goto(url)
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  })
  after(async () => {
    await browser?.close()
    await cloud?.close()
  })

  const fetchUploadTicket = async () => await (await cloudFetch(`${url}/api/ticket`)).text()
  const attemptUpload = (how: Attempt): Promise<Outcome> =>
    page.evaluate<Outcome>(`(${inPage})(${JSON.stringify(how)})`)

  test('a page of an app shows the progress of an upload, and stores a large file in parts', async () => {
    for (const size of [300_000, 100 * 1024 * 1024]) {
      const {
        id = '',
        name,
        error,
        shares,
      } = await attemptUpload({ ticket: await fetchUploadTicket(), size })
      assert.deepEqual([error, name], [undefined, 'höhe.bin'])
      assert.equal(shares.at(-1), 1)
      assert.deepEqual(
        shares,
        shares.toSorted((a, b) => a - b),
      )
      const stored = await cloudFetch(`${url}/api/files/${id}`, { method: 'HEAD' })
      assert.equal(stored.headers.get('content-length'), String(size))
    }
  })

  test('a page of an app can cancel an upload, and gets the reason for a refused upload', async () => {
    const stopped = await attemptUpload({
      ticket: await fetchUploadTicket(),
      size: 100 * 1024 * 1024,
      stopAfter: 0.1,
    })
    assert.match(stopped.error ?? '', /stopped by the test/)
    assert.match(
      (await attemptUpload({ ticket: 'none', size: 10 })).error ?? '',
      /^forbidden: The ticket is invalid/,
    )
    const large = await attemptUpload({ ticket: await fetchUploadTicket(), size: 201 * 1024 * 1024 })
    assert.match(large.error ?? '', /^invalid_request: size: must be at most/)
  })
})

/** Code that runs in the page, where `slipway` is the bundle above. */
const inPage = `async ({ ticket, size, stopAfter }) => {
  const shares = []
  const stop = new AbortController()
  const onProgress = (share) => {
    shares.push(share)
    if (stopAfter !== undefined && share >= stopAfter) stop.abort(new Error('stopped by the test'))
  }
  try {
    const file = new File([new Uint8Array(size)], 'höhe.bin', { type: 'application/octet-stream' })
    const { id, name } = await slipway.files.upload(file, { ticket, onProgress, signal: stop.signal })
    return { id, name, shares }
  } catch (error) {
    return { error: (error.code ? error.code + ': ' : '') + error.message, shares }
  }
}`
