import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { href } from '../../../console/routes.ts'
import { textOfPdf } from '../../support/pdf-text.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundApp, press, signUpInApp } from './visitors.ts'
import { assertSoundSizes, assertSoundThemes, DESK, PHONE, type WatchedPage } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Cake shop',
  uses: ['auth', 'render'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Orders', access: 'members' }],
}
const HOME = `import { useState } from 'react'
import { Button, Page } from '@slipway/app/react'

export default () => {
  const [url, setUrl] = useState('')
  const order = async () => {
    const answer = await fetch('/api/invoice')
    setUrl(URL.createObjectURL(await answer.blob()))
  }
  return (
    <Page title="Orders">
      <Button onClick={() => void order()}>Order a cake</Button>
      {url === '' ? <p>Nothing is ordered</p> : <a href={url} download="invoice.pdf">Invoice</a>}
    </Page>
  )
}
`
const ROUTES = `import { auth, render } from '@slipway/app/server'
import { Hono } from 'hono'
import { html } from 'hono/html'

export const routes = new Hono()
routes.get('/menu', (c) => c.html('<h1>Cakes of today</h1>'))
routes.get('/invoice', async (c) => {
  const { name } = await auth.require(c.req.raw)
  const page = await html\`<h1>Invoice 7</h1><p>One cake for \${name}</p><p>Total: 42 \${'<script>'}</p>\`
  const pdf = await render.pdf({ html: String(page) })
  return c.body(pdf, 200, { 'content-type': 'application/pdf' })
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('the HTML from which the invoice of an order is rendered has the name of the person', async () => {
  const ada = await app.signUp('Ada')
  expect((await ada.get('/api/invoice')).status).toBe(200)
  expect((await app.renders())[0]?.html).toContain('One cake for Ada')
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'auth' } },
      { name: 'enable_capability', args: { key: 'render' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('server/routes.ts', ROUTES),
      write('tests/invoice.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Orders have an invoice.')], repeat: true },
]
/** Returns the width of a picture. Rejects when the browser cannot show it. */
const WIDTH_OF_PICTURE = `(async (picture) => {
  await picture.decode()
  return picture.naturalWidth
})(document.querySelector('main img'))`

describe('files that an app renders, in the browser', () => {
  let world: BrowserWorld
  let visitor: WatchedPage
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Cake shop',
      title: 'Every order makes an invoice',
      steps: STEPS,
    }))
    visitor = await world.open('nobody', { viewport: PHONE })
  })
  after(() => world?.close())

  test('a person downloads the invoice of an order as a PDF with their name and the total', async () => {
    const { page } = visitor
    await page.goto(address)
    await signUpInApp(page, 'Ann')
    await page.getByText('Nothing is ordered').waitFor()
    await press(page, 'Order a cake')
    const link = page.getByRole('link', { name: 'Invoice' })
    await link.waitFor()
    await assertSoundApp(page, 'app-render')
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const pdf = Buffer.concat(chunks)
    assert.match(pdf.subarray(0, 5).toString(), /^%PDF-$/)
    assert.deepEqual(textOfPdf(pdf).match(/Invoice 7|One cake for Ann|Total: 42 <script>/g), [
      'Invoice 7',
      'One cake for Ann',
      'Total: 42 <script>',
    ])
  })

  test('the console shows how many pages of an app were rendered this month', async () => {
    const desk = world.page
    await desk.goto(world.url + href.capability(projectId, 'render', { tab: 'live' }))
    await desk.getByText('1 of 500 pages rendered').waitFor()
    await assertSoundSizes(desk, 'render')
    visitor.assertQuiet()
    world.assertQuiet()
  })

  test('the operator renders a page of the app as a picture, a PDF and text', async () => {
    const desk = world.page
    await press(desk, 'Render page')
    await desk.getByRole('img', { name: 'Picture of /' }).waitFor()
    assert.equal(await desk.evaluate<number>(WIDTH_OF_PICTURE), 1280)
    await desk.getByText('2 of 500 pages rendered').waitFor()
    await assertSoundSizes(desk, 'render-picture')
    await desk.getByLabel('Format').selectOption('PDF')
    await press(desk, 'Render page')
    await desk.getByText('3 of 500 pages rendered').waitFor()
    const [download] = await Promise.all([desk.waitForEvent('download'), press(desk, 'Download')])
    assert.equal(download.suggestedFilename(), 'page.pdf')
    await desk.getByLabel('Page', { exact: true }).fill('/api/menu')
    await desk.getByLabel('Format').selectOption('Text')
    await press(desk, 'Render page')
    await desk.getByRole('region', { name: 'Text of /api/menu' }).getByText('# Cakes of today').waitFor()
    await assertSoundThemes(desk, 'render-text', DESK.width)
    world.assertQuiet()
  })

  test('rendering a page of a forbidden host is refused at the address field, and not counted as rendered', async () => {
    const desk = world.page
    await desk.getByLabel('Page', { exact: true }).fill('https://elsewhere.example.org/')
    await press(desk, 'Render page')
    await desk
      .getByText('Must be of this app or of an allowed host, which elsewhere.example.org is not.')
      .waitFor()
    await desk.getByText('4 of 500 pages rendered').waitFor()
    await assertSoundSizes(desk, 'render-refused')
    world.assertQuiet(/400/)
  })
})
