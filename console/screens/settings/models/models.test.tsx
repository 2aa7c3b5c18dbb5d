import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { Models } from './models.tsx'

const LIST_MODELS = 'GET /connections/models'
const CREATE_MODEL = 'POST /connections/models'
const DISCOVER_MODELS = 'POST /connections/models/look'
const TEST_MODEL = 'POST /connections/models/mdl_1/test'
const UPDATE_MODEL = 'PATCH /connections/models/mdl_1'
const DELETE_MODEL = 'DELETE /connections/models/mdl_1'
const claude = {
  id: 'mdl_1',
  provider: 'anthropic',
  label: 'Our Claude',
  baseUrl: null,
  models: ['sonnet'],
  defaultModel: 'sonnet',
  isDefault: false,
  limits: null,
  modalities: null,
  hasKey: true,
  createdAt: '2026-01-01T00:00:00Z',
}

async function renderModels(models: object[], answers: Record<string, () => unknown> = {}, role = 'owner') {
  const calls = serve({
    'GET /me': () => ({
      user: { id: 'usr_1', name: 'Ada' },
      organization: { id: 'org_1' },
      role,
      scopes: [],
      plan: 'free',
    }),
    [LIST_MODELS]: () => models,
    [CREATE_MODEL]: () => claude,
    'GET /connections/models/local': () => ({ setting: 'SLIPWAY_OUTBOUND_ALLOW', servers: [] }),
    'GET /connections/models/limits': () => ({ month: '2026-12', used: 0, monthly: null, perTicket: null }),
    ...answers,
  })
  await showAt('/app/settings/models', Models, '/settings/models')
  await screen.findByText(models.length === 0 ? 'No model connected' : 'Our Claude')
  return calls
}

describe('the connected models', () => {
  test('without a model connection the models page says that nothing can be built, and offers the built-in model', async () => {
    const models: object[] = []
    const calls = await renderModels(models, { [CREATE_MODEL]: () => models.push(claude) && claude })
    assert.ok(isShown(/Nothing can be built without one/))
    press('Use the built-in program')
    assert.ok(await screen.findByText('Our Claude'))
    assert.deepEqual(sent(calls, CREATE_MODEL), [{ provider: 'scaffold', label: 'Built-in program' }])
  })

  test('when the service refuses to connect the built-in model, an alert shows the reason and the request id', async () => {
    await renderModels([], {
      [CREATE_MODEL]: () => new Refusal(403, 'forbidden', 'Only admins connect models.'),
    })
    press('Use the built-in program')
    await assertAlert(/Only admins connect models.*req_test/)
  })

  test('a model connection shows its provider, its model, and that a key is saved', async () => {
    await renderModels([claude])
    assert.ok(isShown('sonnet'))
    assert.ok(isShown('saved'))
    assert.ok(isShown('Anthropic'))
  })

  test('a test of a model shows how fast it responded, and screen readers announce it', async () => {
    await renderModels([claude], { [TEST_MODEL]: () => ({ ok: true, latencyMs: 1200 }) })
    press('Test')
    await waitFor(() => assert.ok(isShown(/^Answered in 1\.2/)))
    assert.ok(screen.getByText(/^Answered in/).closest('[role=status]'))
  })

  test("a failed test of a model shows the provider's message", async () => {
    await renderModels([claude], {
      [TEST_MODEL]: () => new Refusal(409, 'model_error', 'Your credit is used up.'),
    })
    press('Test')
    await assertAlert(/No usable response.*Your credit is used up.*req_test/)
  })

  test('choosing another default model saves it and reloads the list of models', async () => {
    const calls = await renderModels([claude], { [UPDATE_MODEL]: () => claude })
    press('Make default')
    await waitFor(() => assert.equal(calls[LIST_MODELS]?.length, 2))
    assert.deepEqual(sent(calls, UPDATE_MODEL), [{ isDefault: true }])
  })

  test('disconnecting a model asks for confirmation and says that its projects will use the default model', async () => {
    const models = [claude]
    const calls = await renderModels(models, { [DELETE_MODEL]: () => models.pop() && null })
    press('Delete')
    const dialog = await screen.findByRole('dialog', { name: 'Disconnect Our Claude?' })
    assert.match(dialog.textContent ?? '', /use the default model instead/)
    await untilSent()
    assert.deepEqual(calls[DELETE_MODEL], [])
    press('Disconnect model')
    assert.ok(await screen.findByText('No model connected'))
  })

  test('a member sees the models and who may change them, but cannot change any', async () => {
    const calls = await renderModels([claude], {}, 'member')
    for (const name of ['Connect a model', 'Test', 'Make default', 'Edit', 'Delete']) {
      await waitFor(() => assert.equal(button(name).getAttribute('aria-disabled'), 'true'))
      press(name)
    }
    assert.ok(!isThere('dialog'))
    assert.equal(button('Delete').getAttribute('aria-description'), 'Owners and admins can change models.')
    assert.deepEqual(
      Object.values(calls)
        .flat()
        .filter(({ path }) => path.includes('mdl_1')),
      [],
    )
  })
})

describe('connecting a model with a pasted key', () => {
  const finding = {
    service: 'anthropic',
    name: 'Anthropic',
    provider: 'anthropic',
    baseUrl: null,
    models: [
      { id: 'sonnet', recommended: true },
      { id: 'haiku', recommended: false },
    ],
    test: { model: 'sonnet', ok: true, latencyMs: 900, error: null },
  }
  const PASTED = 'Paste a key, or an address'

  async function openDialog(answers: Record<string, () => unknown> = {}) {
    const calls = await renderModels([], { [DISCOVER_MODELS]: () => finding, ...answers })
    press('Connect a model')
    await screen.findByRole('dialog', { name: 'Connect a model' })
    return calls
  }

  test("a typed API key is masked and lists its provider's models, and nothing is saved before the model is connected", async () => {
    const calls = await openDialog()
    write(PASTED, 'sk-ant-123')
    assert.equal(field(PASTED).type, 'password')
    press('Find models')
    const found = within(await screen.findByRole('region', { name: 'Anthropic: 2 models' }))
    assert.ok(found.getByText(/^Answered in/))
    assert.deepEqual(sent(calls, DISCOVER_MODELS), [{ key: 'sk-ant-123' }])
    await untilSent()
    assert.deepEqual(calls[CREATE_MODEL], [], 'nothing is saved before the person connects it')
    press('Connect model')
    await waitFor(() => assert.equal(calls[CREATE_MODEL]?.length, 1))
    const wanted = {
      provider: 'anthropic',
      label: 'Anthropic',
      defaultModel: 'sonnet',
      models: ['sonnet', 'haiku'],
    }
    assert.deepEqual(sent(calls, CREATE_MODEL)?.[0], { ...wanted, key: 'sk-ant-123', isDefault: true })
    await waitFor(() => assert.ok(!isThere('dialog')))
  })

  test('pasting an API key, even as a shell export, lists the models of its provider without another click', async () => {
    const calls = await openDialog()
    fireEvent.paste(field(PASTED), {
      clipboardData: { getData: () => ' export ANTHROPIC_API_KEY="sk-ant-1" ' },
    })
    await screen.findByRole('region', { name: 'Anthropic: 2 models' })
    assert.deepEqual(sent(calls, DISCOVER_MODELS), [{ key: 'sk-ant-1' }])
  })

  test('choosing another model tests it, and a failed test shows the reason', async () => {
    const failed = { model: 'haiku', ok: false, latencyMs: null, error: 'It is not in your plan.' }
    const answers = [finding, { ...finding, test: failed }]
    const calls = await openDialog({ [DISCOVER_MODELS]: () => answers.shift() })
    write(PASTED, 'sk-ant-123')
    press('Find models')
    await screen.findByRole('region', { name: 'Anthropic: 2 models' })
    write('Model', 'haiku')
    assert.ok(await screen.findByText('It is not in your plan.'))
    assert.deepEqual(calls[DISCOVER_MODELS]?.[1]?.body, { key: 'sk-ant-123', model: 'haiku' })
  })

  test('when the provider of an API key is not recognized, the form asks for the provider and then lists its models', async () => {
    const answers = [new Refusal(400, 'invalid_request', 'service: say whose key this is'), finding]
    const calls = await openDialog({ [DISCOVER_MODELS]: () => answers.shift() })
    write(PASTED, 'abc')
    press('Find models')
    assert.ok((await screen.findAllByText('Say whose key this is.')).length > 0)
    write('Provider of this key', 'anthropic')
    await screen.findByRole('region', { name: 'Anthropic: 2 models' })
    assert.deepEqual(calls[DISCOVER_MODELS]?.[1]?.body, { key: 'abc', service: 'anthropic' })
  })

  test('models found for an API key are not shown if the key was changed during the search', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = await openDialog({ [DISCOVER_MODELS]: () => promise })
    write(PASTED, 'sk-ant-old')
    press('Find models')
    await waitFor(() => assert.equal(calls[DISCOVER_MODELS]?.length, 1))
    write(PASTED, 'sk-ant-new')
    resolve(finding)
    await promise
    await waitFor(() => assert.ok(button('Find models')))
    assert.ok(!isThere('region', 'Anthropic: 2 models'))
  })

  test('an API key that the service refuses stays in its field with the reason, and no model is saved', async () => {
    const calls = await openDialog({
      [DISCOVER_MODELS]: () => new Refusal(400, 'invalid_request', 'key: is not accepted'),
    })
    write(PASTED, 'sk-ant-123')
    press('Find models')
    assert.ok((await screen.findAllByText('Is not accepted.')).length > 0)
    assert.equal(field(PASTED).value, 'sk-ant-123')
    await untilSent()
    assert.deepEqual(calls[CREATE_MODEL], [])
  })

  test('a model connection that cannot be saved shows the request id and keeps the dialog open', async () => {
    await openDialog({ [CREATE_MODEL]: () => new Refusal(409, 'conflict', 'At most 20 connections.') })
    write(PASTED, 'sk-ant-123')
    press('Find models')
    await screen.findByRole('region', { name: 'Anthropic: 2 models' })
    press('Connect model')
    await assertAlert(/Not saved.*At most 20 connections.*req_test/)
    assert.ok(isThere('dialog'))
  })

  test('one click switches the model dialog to the manual form, and one click back to the field for a pasted key', async () => {
    await openDialog()
    press('Set it up by hand')
    assert.ok(screen.getByLabelText('Base address'))
    press('Paste a key instead')
    assert.ok(screen.getByLabelText(PASTED))
  })
})
