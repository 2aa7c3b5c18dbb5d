import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { buildConsole } from '../../scripts/console-build.ts'
import { Person } from '../support/client.ts'
import { finish, type ScriptedStep, serveScriptedModel, write } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'
import {
  assertSoundPage,
  launchBrowser,
  openPage,
  signIn,
  waitForOutcome,
  type WatchedPage,
} from './browser.ts'
import { makeScriptedProject } from './scripted-project.ts'

const EMAIL = 'ann@example.test'
const QUESTIONS = [
  { id: 'what', question: 'What should it keep track of?', options: ['Tasks', 'Plants'], default: 'Tasks' },
  { id: 'more', question: 'Which extras?', options: ['Search', 'Export'], default: 'Search', multiple: true },
]
const ASK: ScriptedStep = { toolCalls: [{ name: 'ask_user', args: { questions: QUESTIONS } }] }
const END: ScriptedStep = { toolCalls: [finish('Done.')], repeat: true }
/** Talks until it is stopped. */
const LONG_TURN: ScriptedStep = {
  text: 'I write a small file and check it. '.repeat(100),
  toolCalls: [write('shared/a.ts', 'export const a = 1\n')],
  fault: { kind: 'slow', perSecond: 4 },
}
const BREAKS = `export function App() {
  setTimeout(() => {
    throw new Error('The plants are gone')
  }, 1500)`

let service: ServiceProcess
let model: Awaited<ReturnType<typeof serveScriptedModel>>
let browser: Browser
let ann: Person
let watched: WatchedPage

before(async () => {
  await buildConsole()
  ;[service, model, browser] = await Promise.all([
    ServiceProcess.start(),
    serveScriptedModel(),
    launchBrowser(),
  ])
  ann = await Person.signUp(service.url, EMAIL)
  watched = await openPage(browser, { viewport: { width: 1360, height: 850 } })
  await signIn(watched.page, service.url, EMAIL)
})
after(async () => {
  await browser?.close()
  await service?.dispose()
  await model?.close()
})

test('questions are answered in fields that outlive a reload, and the model reads the answers', async () => {
  const { page } = watched
  const place = await openWorkspace(page, [
    ASK,
    { toolCalls: [write('shared/a.ts', 'export const a = 1\n')] },
    END,
  ])
  await page.getByRole('button', { name: 'Build this ticket' }).click()
  assert.match(await waitForOutcome(page), /^A question/)
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
  assert.equal(await waitForOutcome(page), 'Built, checked and committed')
  const heard = JSON.stringify((await model.calls(place.key)).at(-1)?.request.messages)
  assert.match(heard, /what: Cacti/)
  assert.match(heard, /more: Search, Export/)
  watched.assertQuiet()
})

test('a build is corrected and stopped, the line behind it goes on, and the next build reads what was said', async () => {
  const { page } = watched
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
  await page.keyboard.press('Control+.')
  assert.match(await waitForOutcome(page), /^Stopped/)
  await page.getByRole('button', { name: /^Building|waiting/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Build again' }).click()
  await waitForOutcome(page)
  const { items } = await ann.call<{ items: { ticketId: string }[] }>(`GET /projects/${place.projectId}/runs`)
  assert.deepEqual(
    items.toReversed().map(({ ticketId }) => place.tickets.indexOf(ticketId)),
    [0, 1, 3, 0],
  )
  const heard = JSON.stringify((await model.calls(place.key)).at(-1)?.request.messages)
  assert.match(heard, /Name it after the plant/)
  watched.assertQuiet()
})

test('what breaks in the preview is sent to the next build, which reads it', async () => {
  const { page } = watched
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
  assert.equal(await waitForOutcome(page), 'Built, checked and committed')
  await page.getByRole('button', { name: /web\/App\.tsx/ }).click()
  await page.getByRole('link', { name: 'Open the whole file' }).waitFor()
  await page.getByText('Uncaught Error: The plants are gone').waitFor()
  await page.getByRole('button', { name: 'Send to the next build' }).click()
  await page.getByText('The next build of “First” reads them.').waitFor()
  await page.getByRole('button', { name: 'Build now' }).click()
  assert.equal(await waitForOutcome(page), 'The model answered instead of building')
  const calls = await model.calls(place.key)
  assert.match(JSON.stringify(calls[2]?.request.messages), /The plants are gone/)
  watched.assertQuiet(/The plants are gone/)
})

test('a build whose preview could not be published is published again without building', async () => {
  const { page } = watched
  const place = await openWorkspace(page, [
    { toolCalls: [write('shared/a.ts', 'export const a = 1\n')] },
    END,
  ])
  await control('POST', { match: { provider: 'cloudflare', times: 1000 }, do: { status: 500 } })
  await page.getByRole('button', { name: 'Build this ticket' }).click()
  assert.equal(await waitForOutcome(page), 'Built, checked and committed')
  await page.getByRole('heading', { name: 'The preview could not be published' }).waitFor()
  await control('DELETE')
  await page.getByRole('button', { name: 'Publish again' }).click()
  await page.getByRole('button', { name: 'Reload the preview' }).waitFor()
  await page.frameLocator('iframe').getByRole('heading', { name: 'Ready to build' }).waitFor()
  assert.equal((await model.calls(place.key)).length, 2)
  watched.assertQuiet()
})

test('a model that is missed is connected in place, and the build that missed it begins', async () => {
  const { page } = watched
  const place = await openWorkspace(page, [END])
  const models = await ann.call<{ id: string }[]>('GET /connections/models')
  for (const { id } of models) await ann.call(`DELETE /connections/models/${id}`)
  await page.goto(place.address(place.tickets[0]))
  await page.getByRole('button', { name: 'Build this ticket' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Provider').selectOption('scaffold')
  await dialog.getByLabel('Name').fill('Built in')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await waitForOutcome(page)
  watched.assertQuiet(/412/)
})

/** Makes calls of the local cloud fail, or lets them be again. */
async function control(method: 'POST' | 'DELETE', body?: object): Promise<void> {
  const token = readFileSync(join(service.dataDir, 'local', 'control.token'), 'utf8').trim()
  const answer = await fetch(`${service.localUrl}/_control/faults`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, await answer.text())
}

/** A project with tickets, the first of them open, whose model says these turns. */
async function openWorkspace(page: Page, steps: ScriptedStep[], titles = ['First']) {
  const made = await makeScriptedProject(ann, model, { steps, titles })
  const address = (ticket: string | undefined) =>
    service.url + href.project(made.projectId, { ticket, tab: 'build' })
  await page.goto(address(made.tickets[0]))
  return { ...made, address }
}
