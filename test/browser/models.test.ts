import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertSoundThemes } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const LOOK = '**/api/v1/connections/models/look'

/**
 * What the service returns after it has recognized a Groq API key, listed Groq's models and tried one model. Tests do
 * not call Groq itself.
 */
const testResult = (model: string, test: object) => ({
  ok: true,
  data: {
    service: 'groq',
    name: 'Groq',
    provider: 'openai-compatible',
    baseUrl: 'https://api.groq.com/openai/v1',
    models: [
      { id: 'openai/gpt-oss-120b', recommended: true },
      { id: 'llama-3.3-70b-versatile', recommended: false },
    ],
    test: { model, ok: true, latencyMs: 812, error: null, ...test },
  },
})

describe('connecting a model', () => {
  let world: BrowserWorld
  let page: Page
  let dialog: Locator
  let field: Locator

  before(async () => {
    world = await openBrowserWorld()
    page = world.page
    dialog = page.getByRole('dialog')
    field = dialog.getByLabel('Paste a key, or an address')
  })
  beforeEach(async () => {
    await page.goto(world.url + href.models())
    await page.getByRole('button', { name: 'Connect a model' }).click()
    await field.waitFor()
  })
  after(() => world?.close())

  /** Replaces the text of the field by cut and paste. */
  const pasteKey = async (text: string) => {
    await field.fill(text)
    await field.press('Control+A')
    await field.press('Control+X')
    await field.press('Control+V')
  }
  /** Waits for the visible text and not for the live region for screen readers. */
  const waitForMessage = (words: string | RegExp) =>
    dialog.getByText(words).and(dialog.locator(':not([role=status])')).waitFor()
  const findCard = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })

  test('the pasted URL of a model server is tested immediately and saved with a name, and the connection can be tested again', async () => {
    await pasteKey(world.model.baseUrl)
    await dialog.getByText(/^Answered in/).waitFor()
    await dialog.getByLabel('Name').fill('Mine at home')
    await dialog.getByLabel('Use for new builds').uncheck()
    await dialog.getByRole('button', { name: 'Connect model' }).click()
    await dialog.waitFor({ state: 'detached' })
    await findCard('Mine at home').getByRole('button', { name: 'Test' }).click()
    await findCard('Mine at home')
      .getByText(/^Answered in/)
      .waitFor()
    world.assertQuiet()
  })

  test('the dialog for connecting a model does not shift when the search for models on this machine ends', async () => {
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/v1/connections/models/local', async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await page.getByRole('button', { name: 'Connect a model' }).click()
    const link = dialog.getByRole('button', { name: 'Set it up by hand' })
    const looking = dialog.getByText('Looking for models there')
    await looking.waitFor({ state: 'attached' })
    const before = await link.boundingBox()
    answer()
    await looking.waitFor({ state: 'detached' })
    assert.deepEqual(await link.boundingBox(), before)
    await page.unroute('**/api/v1/connections/models/local')
  })

  test('a pasted API key selects the provider, its recommended model and a name, and a newly selected model is tested too', async () => {
    const asked: unknown[] = []
    await page.route(LOOK, async (route) => {
      const question = route.request().postDataJSON() as { model?: string }
      asked.push(question)
      const { model = 'openai/gpt-oss-120b' } = question
      const failed = {
        ok: false,
        latencyMs: null,
        error: 'The model provider returned status 400: not for you',
      }
      await route.fulfill({ json: testResult(model, model.startsWith('llama') ? failed : {}) })
    })
    // A line of an .env file, as people copy it. The field hides it like any secret.
    await field.fill('GROQ_API_KEY="gsk_right"')
    assert.equal(await field.getAttribute('type'), 'password')
    await field.press('Enter')
    await waitForMessage('Answered in 812 ms')
    await dialog
      .getByRole('status')
      .getByText('Groq: 2 models. openai/gpt-oss-120b answered')
      .waitFor({ state: 'attached' })
    const model = dialog.getByLabel('Model', { exact: true })
    assert.equal(await model.inputValue(), 'openai/gpt-oss-120b')
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Groq')
    await assertSoundThemes(page, 'connect-model-found', 1280)
    await model.selectOption('llama-3.3-70b-versatile')
    await dialog.getByText('not for you').waitFor()
    await model.selectOption('openai/gpt-oss-120b')
    await waitForMessage('Answered in 812 ms')
    await dialog.getByLabel('Use for new builds').uncheck()
    await dialog.getByRole('button', { name: 'Connect model' }).click()
    await findCard('Groq').getByText('saved').waitFor()
    await findCard('Groq').getByText('https://api.groq.com/openai/v1').waitFor()
    assert.deepEqual(asked, [
      { key: 'gsk_right' },
      { key: 'gsk_right', model: 'llama-3.3-70b-versatile' },
      { key: 'gsk_right', model: 'openai/gpt-oss-120b' },
    ])
    await page.unroute(LOOK)
    world.assertQuiet()
  })

  test('an API key of an unknown model provider is reported at its field, and the form asks for the provider', async () => {
    await field.fill('pk_live_1')
    await field.press('Enter')
    await waitForMessage(/say which provider it is for/)
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await dialog.getByLabel('Provider of this key').waitFor()
    // Another input starts another lookup, so the previous result disappears.
    await field.fill('http://10.0.0.7:1234/v1')
    assert.equal(await dialog.getByLabel('Provider of this key').count(), 0)
    await field.press('Enter')
    await waitForMessage(/10\.0\.0\.7 to SLIPWAY_OUTBOUND_ALLOW/)
    world.assertQuiet(/400/)
  })

  test('when a model server requires a key, the dialog shows a field for it', async () => {
    await page.route(LOOK, (route) => {
      const { key } = route.request().postDataJSON() as { key?: string }
      const message = 'key: models.example asks for a key (401)'
      const refused = { ok: false, error: { code: 'invalid_request', message } }
      return key === undefined
        ? route.fulfill({ status: 400, json: refused })
        : route.fulfill({ json: testResult('openai/gpt-oss-120b', {}) })
    })
    await field.fill('https://models.example/v1')
    await field.press('Enter')
    const key = dialog.getByLabel('Key of this server')
    await waitForMessage('Models.example asks for a key (401).')
    await key.fill('secret')
    await key.press('Enter')
    await waitForMessage('Answered in 812 ms')
    await page.unroute(LOOK)
    world.assertQuiet(/400/)
  })

  test('a model server on this machine is connected with one click, or the setting that allows it is shown', async () => {
    const closed = {
      name: 'LM Studio',
      baseUrl: 'http://127.0.0.1:1234/v1',
      state: 'not_allowed',
      models: [],
    }
    const open = { ...closed, name: 'Ollama', baseUrl: world.model.baseUrl, state: 'found' }
    const mockDiscovery = async (...servers: object[]) => {
      await page.unroute('**/connections/models/local')
      await page.route('**/connections/models/local', (route) =>
        route.fulfill({ json: { ok: true, data: { setting: 'SLIPWAY_OUTBOUND_ALLOW', servers } } }),
      )
      await page.reload()
      await page.getByRole('button', { name: 'Connect a model' }).click()
    }
    await mockDiscovery({ ...closed, allow: 'http://127.0.0.1:1234' })
    await dialog.getByText('A model on the machine of the service').click()
    await dialog.getByText('http://127.0.0.1:1234', { exact: true }).waitFor()
    await dialog.getByText(/adds its address to SLIPWAY_OUTBOUND_ALLOW/).waitFor()
    await assertSoundThemes(page, 'connect-model-local', 1280)
    await mockDiscovery({ ...open, allow: world.model.origin, models: [{ id: 'echo', recommended: true }] })
    await dialog.getByRole('button', { name: 'Use Ollama' }).click()
    await dialog.getByText(/^Answered in/).waitFor()
    await page.unroute('**/connections/models/local')
    world.assertQuiet()
  })

  test('a model can be set up by hand, and the user can return to the field for a pasted key', async () => {
    await dialog.getByRole('button', { name: 'Set it up by hand' }).click()
    await dialog.getByRole('button', { name: 'Paste a key instead' }).click()
    await field.waitFor()
    await dialog.getByRole('button', { name: 'Set it up by hand' }).click()
    await dialog.getByLabel('Provider').selectOption('openai-compatible')
    await dialog.getByLabel('Name').fill('By hand')
    await dialog.getByLabel('Model id').fill('echo')
    await dialog.getByLabel('Base address').fill(world.model.baseUrl)
    await dialog.getByLabel('Use for new builds').uncheck()
    await dialog.getByRole('button', { name: 'Connect model' }).click()
    await findCard('By hand').getByText(world.model.baseUrl).waitFor()
    world.assertQuiet()
  })

  test('the dialog for connecting a model fits the width of a phone, in the light and the dark theme', async () => {
    const {
      page: phone,
      context,
      assertQuiet,
    } = await world.open('Ada', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await phone.goto(world.url + href.models())
    await phone.getByRole('button', { name: 'Connect a model' }).click()
    const entry = phone.getByLabel('Paste a key, or an address')
    await entry.fill('pk_live_1')
    await entry.press('Enter')
    await phone.getByLabel('Provider of this key').waitFor()
    await assertSoundThemes(phone, 'connect-model-refused', 390)
    await entry.fill(world.model.baseUrl)
    await entry.press('Enter')
    await phone.getByText(/^Answered in/).waitFor()
    await assertSoundThemes(phone, 'connect-model-found', 390)
    assertQuiet(/400/)
    await context.close()
  })
})
