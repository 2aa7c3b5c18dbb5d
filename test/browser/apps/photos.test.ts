import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openPeopleApp, type PeopleApp } from '../../../server/capabilities/files/testing.ts'
import { assertSoundApp, press, visitApp } from './visitors.ts'
import { assertBecomes, launchBrowser, takeScreenshot } from '../browser.ts'

const PLANTS = {
  partition: 'app',
  read: 'public',
  write: 'members',
  fields: {
    name: { type: 'text', required: true, unique: true },
    photo: { type: 'file', help: 'From your phone.' },
    age: { type: 'integer' },
  },
}
const HOME = `import { Button, data, Dialog, Page, RecordForm, RecordList, useQuery, useUser } from '@slipway/app/react'
import { useState } from 'react'

function Correction() {
  const plants = useQuery('plants', { sort: 'createdAt' }).rows
  const [at, setAt] = useState(-1)
  return (
    <>
      <Button onClick={() => setAt(0)}>Correct plants</Button>
      <Dialog title="Correct plants" open={at >= 0} onClose={() => setAt(-1)}>
        <RecordForm collection="plants" record={plants[at]} fields={['name', 'age']} onSaved={() => setAt(-1)} />
        <Button onClick={() => setAt(at + 1)}>Next plant</Button>
      </Dialog>
    </>
  )
}

export default function Home() {
  const user = useUser()
  return (
    <Page title="Plants">
      {user !== null && <RecordForm collection="plants" />}
      <RecordList collection="plants" onEdit={({ id }, input) => data.update('plants', id, input)} />
      {user !== null && <Correction />}
    </Page>
  )
}
`
const BYTES_MAX = 10_000
/** A red picture of 2 by 2 pixels. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
)

/** An image element, declared here because this program has no DOM types. */
interface Picture {
  decode(): Promise<void>
  naturalWidth: number
}

describe('records with files, in the browser', () => {
  let app: PeopleApp
  let browser: Browser
  let ada: Page
  let visitor: Page

  before(async () => {
    app = await openPeopleApp(
      { uses: ['auth', 'data', 'files'], collections: { plants: PLANTS } },
      { maxBytes: BYTES_MAX },
      HOME,
    )
    browser = await launchBrowser()
    const at = { url: new URL(app.url) }
    ada = await visitApp(browser, at, '/sign-in')
    await ada.getByLabel('Email').fill('ada@example.test')
    await ada.getByLabel('Password').fill('ada likes apples')
    await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ada.getByRole('heading', { name: 'Plants', exact: true }).waitFor()
    visitor = await visitApp(browser, at, '/')
  })
  after(async () => {
    await browser?.close()
    await app?.cloud.close()
  })

  test('a person adds a record with a picture in an app, and a visitor sees it', async () => {
    await ada.getByLabel('Name').fill('Fern')
    await ada.getByLabel('Photo').setInputFiles({ name: 'fern.png', mimeType: 'image/png', buffer: PICTURE })
    await ada.getByText('fern.png', { exact: true }).waitFor()
    await assertSoundApp(ada, 'a form with a chosen file')
    await takeScreenshot(ada, 'app-photo-chosen')
    await ada.getByRole('button', { name: 'Add record' }).click()
    const link = visitor.getByRole('row', { name: /Fern/ }).getByRole('link', { name: 'Open: Photo' })
    await link.waitFor()
    const width = await link.getByRole('img').evaluate(async (image) => {
      await (image as unknown as Picture).decode()
      return (image as unknown as Picture).naturalWidth
    })
    assert.equal(width, 2, 'the picture is shown')
    await takeScreenshot(visitor, 'app-photo-list')
  })

  test('the photo of a record can be replaced by a text file, which is shown as a link, and then be removed', async () => {
    await ada.getByRole('button', { name: 'Edit Fern' }).click()
    const dialog = ada.getByRole('dialog')
    await dialog.getByRole('link', { name: 'Open the file' }).waitFor()
    const note = { name: 'care.txt', mimeType: 'text/plain', buffer: Buffer.from('Water it.') }
    await dialog.getByLabel('Photo').setInputFiles(note)
    await dialog.getByText('care.txt', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await visitor.getByRole('link', { name: 'Open the file' }).waitFor()
    await ada.getByRole('button', { name: 'Edit Fern' }).click()
    await dialog.getByRole('button', { name: 'Remove file' }).click()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await visitor.getByRole('link', { name: 'Open the file' }).waitFor({ state: 'detached' })
  })

  test("text typed in an app's form during an upload is kept, and the form is submitted only after the upload", async () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    await ada.route('**/_app/files', async (route) => {
      await held
      await route.continue()
    })
    await ada.getByLabel('Photo').setInputFiles({ name: 'ivy.png', mimeType: 'image/png', buffer: PICTURE })
    await ada.getByLabel('Name').fill('Ivy')
    await ada.getByRole('button', { name: 'Add record' }).click()
    await ada.getByText('A file is still on its way. Save when it has arrived.').waitFor()
    go()
    await ada.getByText('ivy.png', { exact: true }).waitFor()
    assert.equal(await ada.getByLabel('Name').inputValue(), 'Ivy')
    await ada.getByRole('button', { name: 'Add record' }).click()
    await visitor.getByRole('row', { name: /Ivy/ }).getByRole('link', { name: 'Open: Photo' }).waitFor()
    await ada.unroute('**/_app/files')
  })

  test("a file uploaded for a refused record is kept while the app's form is open, and deleted when the form is left", async () => {
    const countFiles = () =>
      ada.evaluate(async () => {
        const answer = (await (await fetch('/_app/files')).json()) as { data: { items: unknown[] } }
        return answer.data.items.length
      })
    const before = await countFiles()
    const submitInvalid = async (name: string) => {
      await ada
        .getByLabel('Photo')
        .setInputFiles({ name: 'more.png', mimeType: 'image/png', buffer: PICTURE })
      await ada.getByText('more.png', { exact: true }).waitFor()
      await ada.getByLabel('Name').fill(name)
      await ada.getByRole('button', { name: 'Add record' }).click()
      await ada.locator('[aria-invalid="true"]').waitFor()
    }
    await submitInvalid('Ivy')
    await ada.getByLabel('Name').fill('Palm')
    await ada.getByRole('button', { name: 'Add record' }).click()
    await visitor.getByRole('row', { name: /Palm/ }).getByRole('link', { name: 'Open: Photo' }).waitFor()
    await ada.goto(new URL('/account', app.url).href)
    await ada.goto(app.url)
    assert.equal(await countFiles(), before + 1, 'a record refers to it')
    await submitInvalid('Palm')
    assert.equal(await countFiles(), before + 2)
    await ada.goto(new URL('/account', app.url).href)
    await assertBecomes(countFiles, before + 1)
    await ada.goto(app.url)
    await submitInvalid('Palm')
    // Navigate as a link of the app does, without loading the page again.
    await ada.evaluate(
      "history.pushState(null, '', '/account'); dispatchEvent(new PopStateEvent('popstate'))",
    )
    await assertBecomes(countFiles, before + 1)
    await ada.goto(app.url)
  })

  test('an app shows the reason for a refused file at its field, and the form keeps the typed text', async () => {
    await ada.getByLabel('Name').fill('Moss')
    const large = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(BYTES_MAX + 1) }
    await ada.getByLabel('Photo').setInputFiles(large)
    await ada.getByText(/must be at most/).waitFor()
    assert.equal(await ada.getByLabel('Name').inputValue(), 'Moss')
  })

  test("an app's edit form that switches to the next record drops the text typed for the previous one, and saves the next", async () => {
    await press(ada, 'Correct plants')
    const dialog = ada.getByRole('dialog')
    await dialog.locator('input[value="Fern"]').waitFor()
    await dialog.getByLabel('Age').fill('12k')
    await press(ada, 'Next plant')
    await dialog.locator('input[value="Ivy"]').waitFor()
    assert.equal(await dialog.getByLabel('Age').inputValue(), '')
    await dialog.getByLabel('Age').fill('3')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await visitor.getByRole('row', { name: /Ivy.*3/ }).waitFor()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await visitor.getByRole('rowheader').count(), 3)
  })
})
