import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { finish, type ScriptedStep, write } from '../support/scripted-model.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'
import { assertBecomes, takeScreenshot, waitForOutcome } from './browser.ts'
import { makeScriptedProject } from './scripted-project.ts'
import { assertShowsStored } from './shown-build.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

/** Distinct words, so that a missing or repeated word is detected. */
const WORDS = Array.from({ length: 30 }, (_, index) => `word${index + 1}`)
const TURN: ScriptedStep = {
  reasoning: 'Two files are enough.',
  text: `I write two small files: ${WORDS.join(' ')}.`,
  toolCalls: [write('shared/a.ts', 'export const a = 1\n'), write('shared/b.ts', 'export const b = 2\n')],
}
/**
 * Numbers of events in the model's response stream. After 5 events 14 words were sent, and after 7 events 25
 * words.
 */
const AT_WORD_14 = 5
const AT_WORD_25 = 7
const END: ScriptedStep = { toolCalls: [finish('Two files were added.')], repeat: true }

describe('the stream of a build', () => {
  let line: TcpProxy
  let world: BrowserWorld
  before(async () => {
    line = await TcpProxy.lay()
    world = await openBrowserWorld({ line, page: { viewport: { width: 1360, height: 850 } } })
  })
  after(() => world?.close())

  test('reloading the page during a build neither loses nor repeats streamed text', async () => {
    const { page } = world
    const { projectId, goOn } = await openWorkspace(page, [TURN, END], AT_WORD_14)
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    const log = page.getByRole('log')
    await log.getByText('word3 ').waitFor()
    await takeScreenshot(page, 'streams-1-building')
    await page.reload()
    await log.getByText('word3 ').waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    goOn()
    assert.equal(await waitForOutcome(page), 'Ready')
    await assertShowsStored(page, world.person, projectId)
    world.assertQuiet()
  })

  test('losing and regaining the network during a build neither loses nor repeats streamed text', async () => {
    const { page } = world
    const { projectId, goOn } = await openWorkspace(page, [TURN, END], AT_WORD_14, AT_WORD_25)
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    await page.getByRole('log').getByText('word3 ').waitFor()
    line.cut()
    await page.getByText(/Connection lost|The connection is gone/).waitFor()
    await takeScreenshot(page, 'streams-2-offline')
    goOn()
    await assertBecomes(async () => (await storedWords(projectId)).includes('word20 '), true)
    line.mend()
    await page.getByRole('log').getByText('word20 ').waitFor()
    goOn()
    assert.equal(await waitForOutcome(page), 'Ready')
    await assertShowsStored(page, world.person, projectId)
    world.assertQuiet(/Failed to load resource/)
  })

  test('the keyboard shortcut stops a running build, and works again for the next build', async () => {
    const { page } = world
    await openWorkspace(page, [TURN, TURN, END], AT_WORD_14)
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    await page.getByRole('log').getByText('I write two').waitFor()
    await page.getByLabel('Describe a change').focus()
    await page.keyboard.press('Control+.')
    assert.match(await waitForOutcome(page), /^Stopped/)
    await page.getByRole('button', { name: 'Build again' }).click()
    await page.getByRole('log').getByText('I write two').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await page.keyboard.press('Control+.')
    assert.match(await waitForOutcome(page), /^Stopped/)
    await page.getByRole('button', { name: 'Build again' }).waitFor()
    world.assertQuiet()
  })

  test('a build continues after the service is killed and restarted, and the build page reconnects automatically', async () => {
    const { page } = world
    // After the restart the service requests the interrupted response again, so the script has it twice.
    const { projectId, goOn } = await openWorkspace(page, [TURN, TURN, END], AT_WORD_14)
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    await page.getByRole('log').getByText('word3 ').waitFor()
    await world.service.kill()
    await page.getByText(/Connection lost|The connection is gone/).waitFor()
    await takeScreenshot(page, 'streams-2-connection-lost')
    goOn()
    await world.service.restart()
    assert.equal(await waitForOutcome(page), 'Ready')
    await assertShowsStored(page, world.person, projectId)
    world.assertQuiet(/Failed to load resource/)
  })

  test('an invalid model key ends the build with the kind of error and a link to the model settings', async () => {
    const { page } = world
    await openWorkspace(page, [{ fault: 'http_401', repeat: true }])
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    assert.match(await waitForOutcome(page), /^The build did not finish/)
    await takeScreenshot(page, 'streams-3-failed')
    await page
      .getByRole('tabpanel')
      .getByText(/model_error · run_/)
      .waitFor()
    await page.getByRole('tabpanel').getByRole('link', { name: 'Models' }).click()
    await page.waitForURL(/\/settings\/models/)
    world.assertQuiet()
  })

  test('a build is queued while another build runs, and the running build can be opened', async () => {
    const { page } = world
    const first = await openWorkspace(page, [TURN, END], AT_WORD_14)
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    await page.getByRole('log').getByText('I write two').waitFor()
    const second = await world.person.call<{ id: string }>(`POST /projects/${first.projectId}/tickets`, {
      title: 'Another',
    })
    // Hide the running build from the page, so that the Build button is enabled.
    const isLine = (url: URL) => url.pathname.endsWith('/build/queue')
    await page.route(isLine, (route) =>
      route.fulfill({ json: { ok: true, data: { running: null, queued: [] } } }),
    )
    await page.goto(`${world.url}/projects/${first.projectId}?ticket=${second.id}`)
    const asked = page.waitForRequest(/\/build\/stream$/)
    await Promise.all([asked, page.getByRole('button', { name: 'Build this ticket' }).click()])
    await page.unroute(isLine)
    await page.getByText('Number 1 of 1 in the queue').waitFor()
    await takeScreenshot(page, 'streams-4-queued')
    await page.getByRole('button', { name: /^Building 1, 1 waiting/ }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Track plants' }).click()
    await page.getByRole('log').getByText('I write two').waitFor()
    world.assertQuiet(/409/)
  })

  /**
   * Opens a project with one ticket. Its model sends the responses `steps`, and pauses each response after the numbers of events in
   * `stops`. Each call of `goOn` releases one stop.
   */
  async function openWorkspace(page: Page, steps: ScriptedStep[], ...stops: number[]) {
    const { key, projectId } = await makeScriptedProject(world, { steps, titles: ['Track plants'] })
    const goOn = world.model.hold(key, ...stops)
    await page.goto(`${world.url}/projects/${projectId}`)
    return { projectId, goOn }
  }

  /** Returns the stored text of the model, read directly and not through the proxy that the test interrupts. */
  async function storedWords(projectId: string): Promise<string> {
    const person = world.person.at(world.service.url)
    const { items } = await person.call<{ items: { id: string }[] }>(`GET /projects/${projectId}/runs`)
    return JSON.stringify(await person.call(`GET /projects/${projectId}/runs/${items[0]?.id}/events`))
  }
})
