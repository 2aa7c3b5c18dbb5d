import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { starterTree } from '../../server/agent/source/tree.ts'
import { type RunningApp, startApp } from '../../server/agent/testing/bundle.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage, sidewaysOf, takeScreenshot } from './browser.ts'

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

/** The pages every app with accounts has: no line of the app is about signing in. */
describe('people in the browser', () => {
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

  /** Readable by everyone in both themes, on a phone without sideways scrolling. */
  async function assertSound(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Colours change over a moment.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)',
      )
      await takeScreenshot(page, `${name}-${colorScheme}-390`)
      assert.deepEqual(await findViolations(page, 'all'), [], `${name}, ${colorScheme}`)
    }
    assert.equal(await sidewaysOf(page), 0)
  }

  async function visit(path: string): Promise<Page> {
    const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } })
    await page.goto(new URL(path, app.url).href)
    return page
  }
  async function signUp(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.test`)
    await page.getByLabel('Password').fill(`${name} likes apples`)
    await page.getByRole('button', { name: 'Create an account' }).click()
  }
  async function addEntry(page: Page, title: string): Promise<void> {
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Add entry' }).click()
    await page.getByRole('list').or(page.getByRole('table')).getByText(title).first().waitFor()
  }

  test('a page for members asks to sign in, opens after signing up, and shows everyone their own', async () => {
    const ada = await visit('/diary')
    await ada.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertSound(ada, 'app-sign-in')
    await signUp(ada, 'Ada')
    await ada.getByRole('heading', { name: 'My diary' }).waitFor()
    await addEntry(ada, 'A quiet day')
    await ada.getByRole('link', { name: 'Ada' }).waitFor()
    const ben = await visit('/diary')
    await signUp(ben, 'Ben')
    await ben.getByRole('heading', { name: 'My diary' }).waitFor()
    await addEntry(ben, 'A loud day')
    assert.equal(await ben.getByText('A quiet day').count(), 0)
    // Its own record comes back after a reload, and from another page of the same person.
    await ada.reload()
    await ada.getByText('A quiet day').first().waitFor()
    await Promise.all([ada, ben].map((page) => page.context().close()))
  })

  test('a wrong password says so at the form, a short one at its field, and nothing typed is lost', async () => {
    const page = await visit('/sign-in')
    await page.getByLabel('Email').fill('nobody@example.test')
    await page.getByLabel('Password').fill('guessed wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor()
    assert.equal(await page.getByLabel('Email').inputValue(), 'nobody@example.test')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Eve')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByText('This must have 10 to 200 characters').waitFor()
    await page.context().close()
  })

  test('the account page changes the name, shows devices, and signs out; a page for staff stays closed', async () => {
    const page = await visit('/sign-in')
    await signUp(page, 'Cleo')
    await page.getByRole('link', { name: 'Cleo' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByText('This device').waitFor()
    await assertSound(page, 'app-account')
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
