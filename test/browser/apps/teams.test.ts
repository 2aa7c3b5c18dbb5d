import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { starterTree } from '../../../server/agent/source/tree.ts'
import { type RunningApp, startApp } from '../../../server/agent/testing/bundle.ts'
import { TEAM_TASKS } from './team-page.ts'
import { assertSoundApp, inviteToTeam, makeTeam, press, signUpInApp, visitApp } from './visitors.ts'
import { launchBrowser } from '../browser.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Crews',
  uses: ['auth', 'data', 'team'],
  roles: ['editor'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Tasks', access: 'members' }],
  collections: {
    tasks: {
      partition: 'team',
      read: 'team',
      write: 'team',
      fields: { title: { type: 'text', required: true } },
    },
  },
}
/** Tests the team pages that the platform adds to every app with teams. */
describe('teams of an app in the browser', () => {
  let app: RunningApp
  let browser: Browser
  const variables: Record<string, string> = {}
  const tree = new Map([
    ...starterTree('Crews'),
    ['app.json', JSON.stringify(MANIFEST)],
    ['web/pages/Home.tsx', TEAM_TASKS],
  ])
  before(async () => {
    app = await startApp(tree, { enabled: ['auth', 'data', 'team'], variables })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const openApp = (path: string) => visitApp(browser, app, path)
  const findTask = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
  const rowOf = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Members' }).getByRole('listitem').filter({ hasText: name })

  test('two people share a team of an app from its invitation link to its deletion, and a third person cannot see it', async () => {
    const ada = await openApp('/teams')
    await signUpInApp(ada, 'Ada')
    await ada.getByText('You are in no team yet').waitFor()
    await assertSoundApp(ada, 'app-teams-none')
    await press(ada, 'Create team')
    await ada.getByText(/^This (?:is required|must have)/).waitFor()
    await makeTeam(ada, 'Red crew')

    await ada.getByLabel('Role', { exact: true }).selectOption('editor')
    const link = await inviteToTeam(ada)
    await ada.getByText('Whoever has the link').waitFor()
    await assertSoundApp(ada, 'app-team-invited')

    // Opening the invitation link does not use it up: it is still valid after the visitor has signed up.
    const ben = await openApp(link)
    await signUpInApp(ben, 'Ben')
    await ben.getByRole('heading', { name: 'You are invited to a team' }).waitFor()
    await assertSoundApp(ben, 'app-team-join')
    await press(ben, 'Join the team')
    await ben.getByRole('heading', { level: 1, name: 'Red crew' }).waitFor()
    await rowOf(ben, 'Ben').getByText('Editor').waitFor()
    const address = ben.url()

    // A record that one member adds appears on the other member's page immediately.
    for (const page of [ada, ben]) await page.goto(app.url.href)
    await ada.getByLabel('Task').fill('Paint the fence')
    await press(ada, 'Add task')
    await findTask(ben, 'Paint the fence').waitFor()

    // A third person sees neither the records nor the team, and cannot use the link, which is for one person.
    const eve = await openApp('/')
    await signUpInApp(eve, 'Eve')
    await eve.getByText('No team yet').waitFor()
    await eve.goto(address)
    await eve.getByText('You cannot open this team').waitFor()
    await eve.goto(link)
    await press(eve, 'Join the team')
    await eve.getByRole('alert').waitFor()

    // The only owner cannot leave the team before it gets another owner.
    await ada.goto(address)
    await press(ada, 'Leave team')
    const leaving = ada.getByRole('dialog', { name: 'Leave this team?' })
    await leaving.getByRole('button', { name: 'Leave team' }).click()
    await leaving.getByRole('alert').waitFor()
    await assertSoundApp(ada, 'app-team-last-owner')
    await leaving.getByRole('button', { name: 'Stay' }).click()
    await ada.getByLabel('Role of Ben').selectOption('owner')
    await ada.getByText('Ben: Owner').waitFor()
    await press(ada, 'Leave team')
    await leaving.getByRole('button', { name: 'Leave team' }).click()
    await ada.getByText('You are in no team yet').waitFor()

    await ben.goto(address)
    await press(ben, 'Remove team')
    const removing = ben.getByRole('dialog', { name: 'Remove Red crew?' })
    await removing.getByLabel('Type Red crew').fill('Red crew')
    await removing.getByRole('button', { name: 'Remove team' }).click()
    await ben.getByText('You are in no team yet').waitFor()
    await Promise.all([ada, ben, eve].map((page) => page.context().close()))
  })

  test("while an app's sign-up is closed, an invited visitor creates an account from the link, and other visitors cannot", async () => {
    const dan = await openApp('/teams')
    await signUpInApp(dan, 'Dan')
    await makeTeam(dan, 'Blue crew')
    const link = await inviteToTeam(dan)
    variables['AUTH_OPEN_SIGNUP'] = 'off'
    await app.ship(tree)

    const stranger = await openApp('/teams')
    await stranger.getByLabel('Password').waitFor()
    assert.equal(await stranger.getByRole('button', { name: 'Create an account' }).count(), 0)

    const gus = await openApp(link)
    await gus.getByText('You are invited to a team of Crews.').waitFor()
    await assertSoundApp(gus, 'app-team-invited-visitor')
    await signUpInApp(gus, 'Gus')
    await press(gus, 'Join the team')
    await gus.getByRole('heading', { level: 1, name: 'Blue crew' }).waitFor()
    await Promise.all([dan, stranger, gus].map((page) => page.context().close()))
  })
})
