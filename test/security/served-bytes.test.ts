import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { wholeBrowserPath } from '../../server/testing/chromium.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { starterTree } from '../../server/agent/source/tree.ts'
import { textAsset, uploadAsset } from '../../server/capabilities/assets/testing.ts'
import { attach, fileOf, setClock } from '../../server/attachments/testing.ts'
import { cloudFetch } from '../../server/cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../server/releases/testing.ts'
import type { Client } from '../../server/testing/app.ts'
import { launchBrowser } from '../browser/browser.ts'

/** A script that renames the page and sends the page's cookies, if it runs. */
const ATTACK = `document.title='ran';try{fetch('/stolen?'+document.cookie)}catch{}new Image().src='/stolen'`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>${ATTACK}</script></svg>`
const PDF = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction 3 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
3 0 obj<</S/JavaScript/JS(app.alert\\('ran'\\))>>endobj
trailer<</Root 1 0 R>>`

/** Content that runs scripts in some browser, with its media type. */
const SMUGGLED: readonly (readonly [type: string, text: string])[] = [
  ['text/html', `<!doctype html><script>${ATTACK}</script><img src=x onerror="${ATTACK}">`],
  ['image/svg+xml', SVG],
  ['application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml"><script>${ATTACK}</script></html>`],
  ['text/xml', `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${ATTACK}</x:script>`],
  ['text/javascript', ATTACK],
  ['application/pdf', PDF],
  ['application/octet-stream', `<script>${ATTACK}</script>`],
]

const ROUTES = `import { Hono } from 'hono'
import { files } from '@slipway/app/server'

export const routes = new Hono()
routes.post('/put', async (c) => {
  const { id, key } = await files.put(await c.req.text(), { name: 'x.html', type: c.req.query('type') ?? '' })
  return c.json({ key, link: await files.url(id) })
})
`
const CONSOLE = 'http://console.test'

describe('uploaded bytes, opened in Chromium', () => {
  let cloud: CloudApp
  let browser: Browser
  let context: BrowserContext
  let person: Client
  let path: string
  let url: string
  const stolen: string[] = []

  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
    const made = await cloud.personWithProject('Served')
    ;({ person, path } = made)
    for (const key of ['files', 'assets'])
      await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
    await until(async () => {
      const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}`)
      return data.provision.state === 'idle'
    })
    await cloud.build(made.project.id, new Map([...starterTree('Served'), ['server/routes.ts', ROUTES]]))
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    url = shipped.data.url
    browser = await launchBrowser([], wholeBrowserPath())
    context = await browser.newContext()
    context.on('request', (request) => {
      if (request.url().includes('/stolen')) stolen.push(request.url())
    })
    await context.addCookies([{ name: 'secret', value: 'canary', url: CONSOLE }])
    await context.addCookies([{ name: 'secret', value: 'canary', url }])
    // Passes requests to the service in this process, without a port.
    await context.route(`${CONSOLE}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url())
      if (pathname === '/control') {
        await route.fulfill({ contentType: 'text/html', body: SMUGGLED[0]?.[1] ?? '' })
        return
      }
      const answer = await person.raw(`GET ${pathname}${search}`)
      const body = Buffer.from(await answer.arrayBuffer())
      await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body })
    })
  })
  after(async () => {
    await browser.close()
    await cloud.close()
  })

  /** Opens a URL as a person does who follows a link. Returns the title after scripts had time to run. */
  async function openPage(address: string): Promise<string> {
    const page: Page = await context.newPage()
    // When the response is a download, the navigation is aborted.
    await page.goto(address, { waitUntil: 'load' }).catch(() => null)
    const title = await page.title().catch(() => '')
    await page.close()
    return title
  }

  const openAll = (addresses: string[]) => Promise.all(addresses.map(openPage))

  test('on a page without protection, the script that the other security tests inject runs and is detected', async () => {
    assert.equal(await openPage(`${CONSOLE}/control`), 'ran')
    assert.ok(stolen.splice(0).length > 0)
  })

  test("the script in an uploaded asset runs neither on the console's host nor on the app's host", async () => {
    for (const [index, [type, text]] of SMUGGLED.entries()) {
      const asset = await uploadAsset(person, path, textAsset(`evil/${index}`, text, type))
      assert.notEqual(asset.url, null)
      const addresses = [`${CONSOLE}/api/v1${path}/assets/evil/${index}`, asset.url ?? '']
      assert.ok(!(await openAll(addresses)).includes('ran'), type)
      assert.deepEqual(stolen, [], type)
    }
  })

  test('no file stored by an app runs a script when it is opened by its public link or in the console', async () => {
    for (const [type, text] of SMUGGLED) {
      const put = await cloudFetch(`${url}/api/put?type=${encodeURIComponent(type)}`, {
        method: 'POST',
        body: text,
      })
      const { key, link } = (await put.json()) as { key: string; link: string }
      const object = `${CONSOLE}/api/v1${path}/capabilities/files/object?key=${encodeURIComponent(key)}`
      const read = await person.raw(`GET ${path}/capabilities/files/object?key=${encodeURIComponent(key)}`)
      assert.equal(await read.text(), text)
      assert.ok(!(await openAll([url + link, object])).includes('ran'), type)
      assert.deepEqual(stolen, [], type)
    }
  })

  test('a PDF attachment with an embedded script does not run the script when it is opened', async () => {
    const file = fileOf('application/pdf', 1000, PDF.slice(9))
    const key = await attach(person, path, file, 'application/pdf')
    const address = `${CONSOLE}/api/v1${path}/attachments/${key.slice('_prompt/'.length)}`
    assert.notEqual(await openPage(address), 'ran')
    assert.deepEqual(stolen, [])
  })
})
