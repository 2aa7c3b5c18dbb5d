import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { starterTree } from '../../../server/agent/source/tree.ts'
import { type RunningApp, startApp } from '../../../server/agent/testing/bundle.ts'
import { addEntry, assertSoundApp, signUpInApp, visitApp } from './visitors.ts'
import { launchBrowser } from '../browser.ts'

const text = { type: 'text', required: true }
const MANIFEST = {
  slipway: 1,
  name: 'Book club',
  uses: ['auth', 'data'],
  pages: [
    { path: '/', file: 'Home.tsx', title: 'Books' },
    { path: '/diary', file: 'Diary.tsx', title: 'My diary', access: 'members' },
    { path: '/desk', file: 'Home.tsx', title: 'Desk', access: 'staff' },
  ],
  collections: {
    books: { partition: 'app', read: 'public', write: 'owner', fields: { title: text } },
    diary: { partition: 'user', read: 'owner', write: 'owner', fields: { title: text } },
  },
}
const pageOf = (
  title: string,
  collection: string,
) => `import { Page, RecordForm, RecordList } from '@slipway/app/react'
export default () => (
  <Page title="${title}">
    <RecordForm collection="${collection}" submitLabel="Add entry" />
    <RecordList collection="${collection}" columns={['title']} />
  </Page>
)
`

/** Tests the sign-in pages that the platform adds to every app with accounts. */
describe('the people of an app, in the browser', () => {
  let app: RunningApp
  let browser: Browser
  before(async () => {
    const tree = new Map([
      ...starterTree('Book club'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', pageOf('Books', 'books')],
      ['web/pages/Diary.tsx', pageOf('My diary', 'diary')],
    ])
    app = await startApp(tree, { enabled: ['auth', 'data'] })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const openApp = (path: string) => visitApp(browser, app, path)

  test("a members' page of an app asks a visitor to sign in, and shows each person only their own records", async () => {
    const ada = await openApp('/diary')
    await ada.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertSoundApp(ada, 'app-sign-in')
    await signUpInApp(ada, 'Ada')
    await ada.getByRole('heading', { name: 'My diary' }).waitFor()
    await addEntry(ada, 'A quiet day')
    await ada.getByRole('link', { name: 'Ada' }).waitFor()
    const ben = await openApp('/diary')
    await signUpInApp(ben, 'Ben')
    await ben.getByRole('heading', { name: 'My diary' }).waitFor()
    await addEntry(ben, 'A loud day')
    assert.equal(await ben.getByText('A quiet day').count(), 0)
    // The record is shown again after a reload, and on another page of the same person.
    await ada.reload()
    await ada.getByText('A quiet day').first().waitFor()
    await Promise.all([ada, ben].map((page) => page.context().close()))
  })

  test("an app's sign-in form reports a wrong password and keeps the email address, and its sign-up form a too short password", async () => {
    const page = await openApp('/sign-in')
    await page.getByLabel('Email').fill('nobody@example.test')
    await page.getByLabel('Password').fill('guessed wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor()
    assert.equal(await page.getByLabel('Email').inputValue(), 'nobody@example.test')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Eve')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByText('This must have 10 to 200 characters').waitFor()
    await page.context().close()
  })

  test("an app's account page changes the name, lists devices and signs out, and a staff page refuses members", async () => {
    const page = await openApp('/sign-in')
    await signUpInApp(page, 'Cleo')
    await page.getByRole('link', { name: 'Cleo' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByText('This device').waitFor()
    await assertSoundApp(page, 'app-account')
    await page.getByRole('textbox', { name: 'Name' }).fill('Cleopatra')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('link', { name: 'Cleopatra' }).waitFor()
    await page.goto(new URL('/desk', app.url).href)
    await page.getByText('This page is for staff').waitFor()
    await page.getByRole('link', { name: 'Cleopatra' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.context().close()
  })
})
