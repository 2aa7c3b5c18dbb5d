import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import type { ScriptedStep } from '../support/scripted-model.ts'
import { assertBecomes, assertSoundThemes } from './browser.ts'
import { chooseScriptedModel, makeScriptedProject } from './scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const createTicketCall = (title: string) => ({
  name: 'create_ticket',
  args: { title, body: 'Seen in the list.', type: 'feature', priority: 'none' },
})
const WRITING: ScriptedStep = {
  reasoning: 'Two tickets are enough.',
  text: 'I write **two tickets**.',
  toolCalls: [
    createTicketCall('Keep a catalogue'),
    createTicketCall('Take orders'),
    { name: 'write_readme', args: { text: '# Plant shop\n\nFor the owner and two helpers.' } },
  ],
}
const WRITTEN: ScriptedStep = {
  text: 'Both are there. See [the guide](https://example.com/guide).\n\n<b onclick="x">No HTML</b> ![sketch](https://example.com/s.png)',
}
/** A reply that does not end until it is stopped. */
const SLOW: ScriptedStep = {
  text: 'I think about it at length. '.repeat(1000),
  fault: { kind: 'slow', perSecond: 4 },
}

describe('the Plan chat', () => {
  let world: BrowserWorld
  let page: Page
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1360, height: 850 } } })
    page = world.page
  })
  after(() => world?.close())

  test('an empty project opens with the chat with the planning agent, and a ticket that the agent writes can be opened', async () => {
    await openPlan([WRITING, WRITTEN])
    await page.getByRole('button', { name: /^For my plant shop/ }).click()
    await page.keyboard.press('Enter')
    const reply = page.getByRole('article', { name: 'Plan agent' })
    await reply.getByText('Both are there.').waitFor()
    await reply.getByText('Reasoning').waitFor()
    await reply.getByText('Wrote the README').waitFor()
    const link = reply.getByRole('link', { name: 'the guide (example.com)' })
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    await reply.getByText('<b onclick="x">No HTML</b>').waitFor()
    await reply.getByRole('link', { name: 'sketch (example.com)' }).waitFor()
    assert.equal(await reply.locator('img[src*=example]').count(), 0)
    await page.getByRole('button', { name: 'README', exact: true }).click()
    await page.getByRole('heading', { name: 'Plant shop' }).waitFor()
    await assertSoundThemes(page, 'plan-readme', 1360)
    await page.setViewportSize({ width: 390, height: 844 })
    await reply.getByText('Both are there.').waitFor()
    await assertSoundThemes(page, 'plan-replied', 390)
    await page.setViewportSize({ width: 1360, height: 850 })
    await reply.getByRole('link', { name: 'Keep a catalogue' }).click()
    await page.getByRole('heading', { name: 'Keep a catalogue', level: 2 }).waitFor()
    assert.match(page.url(), /ticket=tkt_\w+&tab=ticket/)
    await page.keyboard.press('1')
    await reply.getByText('Both are there.').waitFor()
    world.assertQuiet()
  })

  test('after a reload during a reply of the planning agent, the page shows the reply so far and can stop it', async () => {
    await openPlan([SLOW])
    await sendMessage('What would you build first?')
    await page.getByText('I think about it').waitFor()
    await page.reload()
    await page.getByText('What would you build first?').waitFor()
    await page.getByText('The reply is being written.').waitFor()
    await page.keyboard.press('Control+.')
    await page.getByText('Stopped. The reply so far is kept.').waitFor()
    await page.getByText('I think about it').waitFor()
    world.assertQuiet()
  })

  test('a message written while the planning agent replies to another member is kept and can be sent afterwards', async () => {
    const { projectId } = await openPlan([SLOW, { text: 'Your turn.' }])
    const other = world.person.request(`POST /projects/${projectId}/plan/message`, {
      text: 'From another place',
    })
    await assertBecomes(() => countMessages(projectId), 1)
    await sendMessage('From here')
    await page.getByText('is replying to another member').waitFor()
    await page.getByText('From another place').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await other
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Your turn.').waitFor()
    world.assertQuiet(/409/)
  })

  test("retrying the planning agent's failed reply writes no ticket twice", async () => {
    await openPlan([WRITING, { fault: 'http_401' }, { text: 'Now it is done.' }])
    await sendMessage('A shop for plants')
    await page.getByText('The reply was not finished').waitFor()
    await page.getByText('model_error').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    const reply = page.getByRole('article', { name: 'Plan agent' })
    await reply.getByText('Now it is done.').waitFor()
    assert.equal(await reply.count(), 1)
    await reply.getByRole('heading', { name: '2 tickets written' }).waitFor()
    world.assertQuiet()
  })

  test('the planning chat sends pictures to models that read images, and refuses them for other models', async () => {
    const { projectId } = await openPlan([{ text: 'A small red dot.' }], ['images'])
    await page.locator('input[type=file]').setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
    ])
    await page.getByText('Only PNG, JPEG, GIF, WebP and PDF can be attached.').waitFor()
    await waitForUpload('dot.png')
    await sendMessage('What is this?')
    await page.getByText('A small red dot.').waitFor()
    await page.getByRole('link', { name: 'Attachment 1 of 1' }).waitFor()
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor({ state: 'detached' })

    await chooseScriptedModel(world, {
      projectId,
      steps: [{ text: 'Without it, then.' }],
      modalities: [],
    })
    await page.locator('input[type=file]').setInputFiles({
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: PIXEL,
    })
    await waitForUpload('dot.png')
    await sendMessage('And this?')
    await page.getByText('The model cannot read this').waitFor()
    await assertSoundThemes(page, 'plan-unreadable', 1360)
    await page.getByRole('button', { name: 'Send without them' }).click()
    await page.getByText('Without it, then.').waitFor()
    world.assertQuiet(/412/)
  })

  test('without a model the planning chat asks for one, keeps the message, and sends it after a model is connected', async () => {
    for (const { id } of await world.person.call<{ id: string }[]>('GET /connections/models'))
      await world.person.call(`DELETE /connections/models/${id}`)
    const { id } = await world.person.call<{ id: string }>('POST /projects', { name: 'No model' })
    await page.goto(world.url + href.project(id, { tab: 'plan' }))
    await sendMessage('- a list of boats\n- a list of sailors')
    const note = page.getByRole('alert').filter({ hasText: 'Your message is kept' })
    await note.getByRole('button', { name: 'Connect a model' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Set it up by hand' }).click()
    await dialog.getByLabel('Provider').selectOption('scaffold')
    await dialog.getByLabel('Name').fill('Scaffold')
    await dialog.getByRole('button', { name: 'Connect model' }).click()
    await page.getByRole('heading', { name: '2 tickets written' }).waitFor()
    world.assertQuiet(/412/)
  })

  /** Creates a project whose scripted model sends these responses, and opens its plan conversation. */
  async function openPlan(steps: ScriptedStep[], modalities: string[] = []): Promise<{ projectId: string }> {
    const { projectId } = await makeScriptedProject(world, { steps, modalities, titles: [] })
    await page.goto(world.url + href.project(projectId))
    // Wait until the page has loaded the empty thread. The page then polls for messages of other people.
    await page.getByRole('heading', { name: 'Plan it first' }).waitFor()
    return { projectId }
  }

  async function waitForUpload(name: string): Promise<void> {
    const file = page
      .getByRole('list', { name: 'Attachments' })
      .getByRole('listitem')
      .filter({ hasText: name })
    await file.getByText(`${PIXEL.length} B`).waitFor()
  }

  async function countMessages(projectId: string): Promise<number> {
    return (await world.person.call<{ total: number }>(`GET /projects/${projectId}/plan/messages`)).total
  }

  async function sendMessage(text: string): Promise<void> {
    // Wait for the button, which is disabled until the current reply has ended.
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await page.getByLabel('Message to the Plan agent').fill(text)
    await page.keyboard.press('Control+Enter')
  }
})
