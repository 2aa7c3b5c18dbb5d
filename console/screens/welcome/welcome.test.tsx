import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  button,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
} from '../../testing/console.tsx'
import { homePath } from './home.ts'
import { Welcome } from './welcome.tsx'

const TEST_MODEL = 'POST /connections/models/mdl_1/test'
const LIST_PROJECTS = 'GET /projects'
const notConnected = { status: 'none', profile: null, account: null, login: null }
const localCloud = { ...notConnected, status: 'connected', profile: 'local' }
const model = { id: 'mdl_1', provider: 'anthropic', label: 'Claude', defaultModel: 'sonnet', isDefault: true }
const plants = { id: 'prj_1', name: 'Plants' }

interface WelcomeOptions {
  role?: string
  cloud?: object
  models?: object[]
  projects?: object[]
  answers?: Record<string, () => unknown>
}

function serveWelcome({
  role = 'owner',
  cloud = localCloud,
  models = [model],
  projects = [],
  answers = {},
}: WelcomeOptions) {
  return serve({
    'GET /me': () => ({
      user: { id: 'usr_1', name: 'Ada Lovelace' },
      organization: { id: 'org_1', name: 'Acme' },
      role,
      scopes: [],
      plan: 'free',
    }),
    'GET /connections': () => ({ cloudflare: cloud, github: notConnected }),
    'GET /connections/models': () => models,
    [LIST_PROJECTS]: () => ({ items: projects, nextCursor: null }),
    ...answers,
  })
}

async function renderWelcome(shown: WelcomeOptions = {}) {
  const calls = serveWelcome(shown)
  const page = await showAt('/app/welcome', Welcome, '/welcome')
  await screen.findByRole('heading', { name: 'Welcome, Ada' })
  return { calls, ...page }
}
/** Returns the steps with their state, as a screen reader reads them. */
async function stepTitles() {
  const list = within(await screen.findByRole('list', { name: 'Steps' }))
  return list.getAllByRole('heading').map(({ textContent }) => textContent)
}

describe('the welcome page', () => {
  test('each step of the welcome page shows whether it is done, and links to its page when it is not done', async () => {
    await renderWelcome({ cloud: notConnected, models: [] })
    assert.deepEqual(await stepTitles(), [
      'A cloud to run apps in (To do)',
      'A place to keep the code (To do)',
      'A model that writes the code (To do)',
      'Your first sentence (To do)',
    ])
    const link = screen.getByRole('link', { name: 'Connect: A model that writes the code' })
    assert.match(link.getAttribute('href') ?? '', /models/)
    assert.ok(!isThere('button', 'Test model'))
  })

  test('the welcome page has a field for the description of the first project', async () => {
    await renderWelcome()
    assert.ok(await screen.findByLabelText('Describe what you want to build'))
  })

  test('on the welcome page a connection that the provider no longer accepts is marked as needing attention', async () => {
    await renderWelcome({ cloud: { ...localCloud, status: 'needs_reconnect' } })
    assert.equal((await stepTitles())[0], 'A cloud to run apps in (Needs attention)')
    assert.ok(isThere('link', 'Connect again: A cloud to run apps in'))
  })

  test('a member sees the steps of the welcome page without the buttons that only an admin may use', async () => {
    await renderWelcome({ role: 'member', cloud: notConnected })
    await stepTitles()
    assert.ok(screen.getAllByText('Owners and admins can change this.').length > 0)
    assert.ok(!isThere('link', /^Connect/))
    assert.ok(!isThere('button', 'Test model'))
  })

  test('when the welcome steps cannot be loaded, an alert shows the request id and offers a retry', async () => {
    const answers: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    await renderWelcome({
      answers: {
        'GET /connections': () => answers.shift() ?? { cloudflare: localCloud, github: notConnected },
      },
    })
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.equal((await stepTitles()).length, 4)
  })
})

describe('the test of the model', () => {
  const result = (words: RegExp) =>
    screen.getAllByRole('status').some(({ textContent }) => words.test(textContent))

  test('screen readers announce a successful test of the model, with the time that it took', async () => {
    await renderWelcome({ answers: { [TEST_MODEL]: () => ({ model: 'sonnet', latencyMs: 1500 }) } })
    fireEvent.click(await screen.findByRole('button', { name: 'Test model' }))
    await waitFor(() => assert.ok(result(/^sonnet answered in 1\.5/)))
  })

  test('while a test of the model runs, the welcome page says that it waits for the model, and a second click sends nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls } = await renderWelcome({ answers: { [TEST_MODEL]: () => promise } })
    fireEvent.click(await screen.findByRole('button', { name: 'Test model' }))
    await waitFor(() => assert.ok(result(/^Waiting for the model/)))
    press(/Test model/)
    resolve(new Refusal(409, 'model_error', 'Your credit is used up.'))
    await assertAlert(/did not respond as expected.*Your credit is used up.*req_test/)
    assert.equal(calls[TEST_MODEL]?.length, 1)
  })
})

describe('leaving the welcome page', () => {
  test('after the welcome page is skipped the home URL opens the projects, and Undo in the message brings the page back', async () => {
    const { place } = await renderWelcome()
    press('Skip this page')
    assert.equal(place(), '/projects')
    assert.equal(await homePath(), '/projects')
    await findMessage('This page stays closed. The same steps are under Settings.')
    press('Undo')
    assert.equal(place(), '/welcome')
    assert.equal(await homePath(), '/welcome')
  })

  test('when all steps are done, the welcome page says that the set-up is complete and leads to the projects', async () => {
    const { place } = await renderWelcome({ projects: [plants] })
    assert.ok(await screen.findByText('You are set up. Change any of this in Settings.'))
    assert.ok(isThere('link', 'Open project: Your first sentence'))
    assert.ok(isShown('Your first project is Plants.'))
    fireEvent.click(button('Go to your projects'))
    assert.equal(place(), '/projects')
  })

  test('the home URL opens the welcome page until its steps are completed', async () => {
    serveWelcome({ cloud: notConnected })
    assert.equal(await homePath(), '/welcome')
  })

  test('the home URL of an organization whose welcome steps are completed opens its projects', async () => {
    serveWelcome({ projects: [plants] })
    assert.equal(await homePath(), '/projects')
  })

  test('when the welcome steps cannot be loaded, the home URL opens the projects', async () => {
    serveWelcome({ answers: { [LIST_PROJECTS]: () => new Refusal(403, 'forbidden', 'You may not.') } })
    assert.equal(await homePath(), '/projects')
  })
})
