import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../support/scripted-model.ts'
import { assertBecomes } from './browser.ts'
import { makeScriptedProject } from './scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const BUILT = [
  { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
  { toolCalls: [finish()] },
]
const REFUSED = { fault: 'http_401', repeat: true }
const QUESTION = { id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }
const ASK = { toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }

describe('messages about builds that end while another page is open', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1440, height: 850 } } })
  })
  after(() => world?.close())

  const findMessages = (page: Page) => page.getByRole('region', { name: 'Messages' })
  const findCard = (page: Page, name: RegExp) => page.getByRole('listitem').filter({ hasText: name })
  const projectSaying = (steps: ScriptedStep[], titles: string[]) =>
    makeScriptedProject(world, { steps, titles })
  const nameOf = async (projectId: string) =>
    (await world.person.call<{ name: string }>(`GET /projects/${projectId}`)).name
  const queueTickets = (projectId: string, ticketIds: string[]) =>
    world.person.call(`POST /projects/${projectId}/build/queue`, { ticketIds })

  test('when builds end while another page is open, messages link to them, and the title and project cards count them', async () => {
    const { page } = world
    await page.goto(world.url + href.projects())
    await page.getByRole('heading', { name: 'What do you want to build?' }).waitFor()
    const asking = await projectSaying([ASK], ['Which ones'])
    const failing = await projectSaying([REFUSED], ['Water them'])
    await queueTickets(asking.projectId, asking.tickets)
    await queueTickets(failing.projectId, failing.tickets)
    await findMessages(page)
      .getByRole('paragraph')
      .filter({ hasText: 'Build failed: Water them' })
      .last()
      .waitFor()
    await findMessages(page)
      .getByRole('paragraph')
      .filter({ hasText: 'Needs your answer: Which ones' })
      .last()
      .waitFor()
    await assertBecomes(async () => (await page.title()).slice(0, 4), '(2) ')
    await findCard(page, new RegExp(await nameOf(failing.projectId)))
      .getByText('1 build failed')
      .waitFor()
    await findCard(page, new RegExp(await nameOf(asking.projectId)))
      .getByText('1 question for you')
      .waitFor()

    const message = findMessages(page).locator('div').filter({ hasText: 'Water them' })
    await message.getByRole('button', { name: 'Open' }).first().click()
    await page.waitForURL(new RegExp(`${failing.projectId}\\?.*ticket=${failing.tickets[0]}`))
    await page
      .getByRole('row')
      .filter({ hasText: 'Water them' })
      .getByText(/^Failed /)
      .waitFor()
    await assertBecomes(async () => (await page.title()).slice(0, 4), '(1) ')
    // Visiting the project removes its question from the count in the title.
    await page.goto(world.url + href.project(asking.projectId))
    await assertBecomes(async () => /^\(\d/.test(await page.title()), false)
    await page.goto(world.url + href.projects())
    await page.getByText('1 question for you').waitFor()
    world.assertQuiet()
  })

  test('a workspace that is open during a build of another ticket updates its preview and its Ship button', async () => {
    const { page } = world
    const { projectId, tickets } = await projectSaying(BUILT, ['In sight', 'Out of sight'])
    const [inSight = '', outOfSight = ''] = tickets
    await page.goto(world.url + href.project(projectId, { ticket: inSight }))
    await page.getByText('Nothing built yet').waitFor()
    await queueTickets(projectId, [outOfSight])
    await page.getByTitle('Preview of the app').waitFor()
    await findMessages(page)
      .getByRole('paragraph')
      .filter({ hasText: 'Built: Out of sight' })
      .last()
      .waitFor()
    const ship = page.getByRole('button', { name: 'Ship', exact: true })
    await assertBecomes(() => ship.getAttribute('aria-disabled'), null)
    world.assertQuiet()
  })

  test('a build whose page is open in the browser causes no notification message', async () => {
    const { page } = world
    const { projectId, tickets } = await projectSaying(BUILT, ['Watched'])
    await page.goto(world.url + href.project(projectId, { ticket: tickets[0] ?? '', tab: 'build' }))
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    const read = page.waitForResponse((answer) => answer.url().endsWith('/attention'))
    await page.getByText('Plants are tracked.').first().waitFor()
    await read
    assert.equal(await findMessages(page).getByText('Watched').count(), 0)
    world.assertQuiet()
  })
})
