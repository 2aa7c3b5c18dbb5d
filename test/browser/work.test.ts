import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../support/scripted-model.ts'
import { assertBecomes, assertSoundPage, assertSoundThemes, waitForFocus, waitForOutcome } from './browser.ts'
import { makeScriptedProject } from './scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const QUESTIONS = [
  { id: 'what', question: 'What should it keep track of?', options: ['Tasks', 'Plants'], default: 'Tasks' },
  { id: 'more', question: 'Which extras?', options: ['Search', 'Export'], default: 'Search', multiple: true },
]
const ASK: ScriptedStep = { toolCalls: [{ name: 'ask_user', args: { questions: QUESTIONS } }] }
const END: ScriptedStep = { toolCalls: [finish('Done.')], repeat: true }
/** A response of the model that does not end until the build is stopped. */
const LONG_TURN: ScriptedStep = {
  text: 'I write a small file and check it. '.repeat(1000),
  toolCalls: [write('shared/a.ts', 'export const a = 1\n')],
  fault: { kind: 'slow', perSecond: 4 },
}
const BREAKS = `export function App() {
  setTimeout(() => {
    throw new Error('The plants are gone')
  }, 1500)`

describe('work on a ticket', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1360, height: 850 } } })
  })
  after(() => world?.close())

  test("the fields for the build agent's questions keep their input after a reload, and the model gets the answers", async () => {
    const { page } = world
    const place = await openWorkspace(page, [
      ASK,
      { toolCalls: [write('shared/a.ts', 'export const a = 1\n')] },
      END,
    ])
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    assert.equal(await waitForOutcome(page), '2 questions first')
    await page.getByRole('button', { name: 'Answer' }).click()
    const first = page.getByRole('group', { name: 'What should it keep track of?' })
    await first.getByRole('radio', { name: 'Tasks' }).and(page.locator(':focus')).waitFor()
    await first.getByRole('radio', { name: 'Something else' }).check()
    await first.getByRole('textbox').fill('Cacti')
    await page.getByRole('checkbox', { name: 'Export' }).check()
    await page.reload()
    await first.getByRole('textbox').waitFor()
    assert.equal(await first.getByRole('textbox').inputValue(), 'Cacti')
    await assertSoundPage(page, 'questions')
    await page.getByRole('button', { name: 'Send and build' }).click()
    assert.equal(await waitForOutcome(page), 'Ready')
    const heard = JSON.stringify((await world.model.calls(place.key)).at(-1)?.request.messages)
    assert.match(heard, /what: Cacti/)
    assert.match(heard, /more: Search, Export/)
    world.assertQuiet()
  })

  test('a built ticket is accepted on its board card, which shows the token usage, and undo reverts the acceptance', async () => {
    const { page } = world
    const place = await openWorkspace(page, [
      { toolCalls: [write('shared/a.ts', 'export const a = 1\n')] },
      END,
    ])
    const ticket = place.tickets[0] ?? ''
    const readStatus = async () =>
      (await world.person.call<{ status: string }>(`GET /projects/${place.projectId}/tickets/${ticket}`))
        .status
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    assert.equal(await waitForOutcome(page), 'Ready')
    await page.getByText(/^This build used [\d.,k]+ tokens: .+ written\.$/).waitFor()
    await assertSoundThemes(page, 'built-card', 1360)
    await page.getByRole('button', { name: 'Accept' }).press('Enter')
    await waitForFocus(page.getByText('Accepted: the ticket is done.'))
    await assertBecomes(readStatus, 'done')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await assertBecomes(readStatus, 'in_review')
    await page.goto(world.url + href.ship(place.projectId))
    // The version that would be shipped next has the title of its ticket.
    await page.getByText('Will be live').locator('..').getByText('First').waitFor()
    await assertSoundThemes(page, 'ship-version-title', 1360)
    world.assertQuiet()
  })

  test('a running build gets a correction and is stopped, the queue continues, and the next build reads the correction', async () => {
    const { page } = world
    const place = await openWorkspace(page, [LONG_TURN, END], ['First', 'Second', 'Third', 'Fourth'])
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    await page.getByRole('log').getByText('I write a small').waitFor()
    await page.getByLabel('Correct this build').fill('Name it after the plant')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Name it after the plant').waitFor()
    await page.getByRole('log').getByText('Read before the next step').waitFor()
    for (const ticket of place.tickets.slice(1)) {
      await page.goto(place.address(ticket))
      await page.getByRole('tabpanel').getByRole('button', { name: 'Add to queue' }).click()
      await page
        .getByText(/^Number \d of/)
        .first()
        .waitFor()
    }
    await page.getByRole('button', { name: /^Building 1, 3 waiting/ }).click()
    await page.getByRole('button', { name: 'Take “Third” out of the queue' }).waitFor()
    await assertSoundPage(page, 'queue')
    await page.getByRole('button', { name: 'Take “Third” out of the queue' }).click()
    await page.getByRole('button', { name: /^Building 1, 2 waiting/ }).waitFor()
    await page.getByRole('dialog').getByRole('link', { name: 'First' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    // Wait until the dialog is closed, because an open dialog handles the keys itself.
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+.')
    assert.match(await waitForOutcome(page), /^Stopped/)
    // Wait until the queue is empty, which takes as long as two builds.
    await assertBecomes(() => page.getByRole('button', { name: /^Building|waiting/ }).count(), 0)
    await page.getByRole('button', { name: 'Build again' }).click()
    await waitForOutcome(page)
    const { items } = await world.person.call<{ items: { ticketId: string }[] }>(
      `GET /projects/${place.projectId}/runs`,
    )
    assert.deepEqual(
      items.toReversed().map(({ ticketId }) => place.tickets.indexOf(ticketId)),
      [0, 1, 3, 0],
    )
    const heard = JSON.stringify((await world.model.calls(place.key)).at(-1)?.request.messages)
    assert.match(heard, /Name it after the plant/)
    world.assertQuiet()
  })

  test('the model of the next build reads errors that the preview has reported', async () => {
    const { page } = world
    const place = await openWorkspace(page, [
      {
        toolCalls: [
          { name: 'edit_file', args: { path: 'web/App.tsx', old: 'export function App() {', new: BREAKS } },
        ],
      },
      { toolCalls: [finish('Shown.')] },
      END,
    ])
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    assert.equal(await waitForOutcome(page), 'Ready')
    await page.getByRole('button', { name: /web\/App\.tsx/ }).click()
    await page.getByRole('link', { name: 'Open the whole file' }).waitFor()
    await page.getByText('Uncaught Error: The plants are gone').waitFor()
    await page.getByRole('button', { name: 'Send to the next build' }).click()
    await page.getByText('The next build of “First” reads them.').waitFor()
    await page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Build now' }).click()
    assert.equal(await waitForOutcome(page), 'The model answered instead of building')
    const calls = await world.model.calls(place.key)
    assert.match(JSON.stringify(calls[2]?.request.messages), /The plants are gone/)
    // The page throws on every reload, so leave it before the next test.
    await page.goto('about:blank')
    world.assertQuiet(/The plants are gone/)
  })

  test('a preview that could not be published is published later without another build', async () => {
    const { page } = world
    const place = await openWorkspace(page, [
      { toolCalls: [write('shared/a.ts', 'export const a = 1\n')] },
      END,
    ])
    await world.service.controlFaults('POST', {
      match: { provider: 'cloudflare', times: 1000 },
      do: { status: 500 },
    })
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    assert.equal(await waitForOutcome(page), 'Ready')
    await page.getByRole('heading', { name: 'The preview could not be published' }).waitFor()
    await world.service.controlFaults('DELETE')
    await page.getByRole('button', { name: 'Publish again' }).click()
    await page.getByRole('button', { name: 'Reload the preview' }).waitFor()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Ready to build' }).waitFor()
    assert.equal((await world.model.calls(place.key)).length, 2)
    world.assertQuiet()
  })

  test('a ticket from a sentence is built, queued or left alone as the user chose, and the setting is remembered', async () => {
    const { page } = world
    const place = await openWorkspace(page, [{ text: '{}' }, LONG_TURN, { text: '{}', repeat: true }])
    const box = page.getByLabel('Describe a change')
    const captureSentence = async (sentence: string) => {
      const kept = page.waitForResponse(/tickets\/capture$/)
      await box.fill(sentence)
      await page.keyboard.press('Enter')
      const answer = (await (await kept).json()) as { data: { id: string } }
      return answer.data.id
    }
    const stateOf = async (id: string) =>
      (
        await world.person.call<{ build: { state: string } }>(
          `GET /projects/${place.projectId}/tickets/${id}`,
        )
      ).build.state
    const first = await captureSentence('Add a search field')
    await assertBecomes(() => stateOf(first), 'running')
    // Each call of the model gets the next scripted response, and capturing a sentence also calls the model, for a title. So wait until the
    // build has made its call.
    await assertBecomes(async () => (await world.model.calls(place.key)).length, 2)
    const second = await captureSentence('Add a field for the light')
    await assertBecomes(() => stateOf(second), 'queued')
    // Like the button, the shortcut queues a ticket that cannot be built now.
    const other = page.getByRole('button', { name: 'First', exact: true })
    await other.click()
    await page.keyboard.press('b')
    await assertBecomes(() => stateOf(place.tickets[0] ?? ''), 'queued')
    await page
      .getByRole('group', { name: 'What Enter does' })
      .getByRole('button', { name: 'Just add' })
      .click()
    await page.reload()
    const third = await captureSentence('Think of a better name')
    await page.getByRole('heading', { name: 'Not built yet' }).waitFor()
    assert.equal(await stateOf(third), 'idle')
    await world.person.call(`POST /projects/${place.projectId}/tickets/${first}/build/cancel`, {})
    world.assertQuiet()
  })

  test('a missing model is connected in the workspace, and then the build starts', async () => {
    const { page } = world
    const place = await openWorkspace(page, [END])
    const models = await world.person.call<{ id: string }[]>('GET /connections/models')
    for (const { id } of models) await world.person.call(`DELETE /connections/models/${id}`)
    await page.goto(place.address(place.tickets[0]))
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Set it up by hand' }).click()
    await dialog.getByLabel('Provider').selectOption('scaffold')
    await dialog.getByLabel('Name').fill('Built in')
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await waitForOutcome(page)
    world.assertQuiet(/412/)
  })

  /** Makes a project with these tickets and a scripted model that replies with `steps`, and opens the first ticket. */
  async function openWorkspace(page: Page, steps: ScriptedStep[], titles = ['First']) {
    const made = await makeScriptedProject(world, { steps, titles })
    const address = (ticket: string | undefined) =>
      world.url + href.project(made.projectId, { ticket, tab: 'build' })
    await page.goto(address(made.tickets[0]))
    return { ...made, address }
  }
})
