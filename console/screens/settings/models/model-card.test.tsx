import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import { queryKeys } from '../../../api/query-keys.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { pressInDialog } from '../../../testing/dialog.ts'
import { serveHeld } from '../../../testing/held.ts'
import { ModelCard } from './model-card.tsx'

const TEST_MODEL = 'POST /connections/models/mdl_1/test'
const UPDATE_MODEL = 'PATCH /connections/models/mdl_1'
const DELETE_MODEL = 'DELETE /connections/models/mdl_1'
const ACTIONS = ['Test', 'Make default', 'Edit', 'Delete']

const modelOf = (part: Partial<ModelConnection> = {}): ModelConnection => ({
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
  ...part,
})

function showCard(model = modelOf(), reason: string | null = null) {
  const did: string[] = []
  const part = (shown: ModelConnection) => (
    <ModelCard model={shown} reason={reason} onEdit={() => did.push('edit')} />
  )
  const { rerender } = show(part(model))
  return { did, change: (next: ModelConnection) => rerender(part(next)) }
}

function renderCard(answers: Record<string, () => unknown> = {}, model = modelOf()) {
  const calls = serve({
    [TEST_MODEL]: () => ({ latencyMs: 250 }),
    [UPDATE_MODEL]: () => modelOf({ isDefault: true }),
    [DELETE_MODEL]: () => null,
    ...answers,
  })
  queryClient.setQueryData(queryKeys.models.all, [model])
  return { ...showCard(model), bodies: (key: string) => sent(calls, key) }
}
const result = () => screen.getAllByRole('status')[0]?.textContent

describe('the card of a model connection', () => {
  test('the card of a model connection shows the model, any server address, and whether a key is saved', () => {
    const { change } = renderCard()
    const facts = () => [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)
    assert.deepEqual(facts(), ['Modelsonnet', 'Keysaved'])
    change(modelOf({ baseUrl: 'http://10.0.0.2:11434/v1', hasKey: false, provider: 'openai-compatible' }))
    assert.deepEqual(facts(), ['Modelsonnet', 'Addresshttp://10.0.0.2:11434/v1', 'Keynone'])
    assert.ok(isShown('OpenAI-compatible server'))
  })

  test('the built-in model is described as no AI, and has neither a model name nor a key', () => {
    renderCard({}, modelOf({ provider: 'scaffold', label: 'Built-in program' }))
    assert.ok(isShown(/^A program, not an AI/))
    assert.ok(!isShown('Key'))
  })

  test('the default model connection is marked and cannot be made the default again', () => {
    const { change } = renderCard()
    assert.ok(!isShown('Default'))
    change(modelOf({ isDefault: true }))
    assert.ok(isShown('Default'))
    assert.ok(!isThere('button', 'Make default'))
  })

  test('the buttons on the card of a model connection do nothing for a member and say why', async () => {
    const calls = serve({ [TEST_MODEL]: () => ({ latencyMs: 1 }), [UPDATE_MODEL]: () => modelOf() })
    const { did } = showCard(modelOf(), 'Owners and admins can change models.')
    for (const name of ACTIONS) {
      assert.equal(
        button(name).getAttribute('aria-description'),
        'Owners and admins can change models.',
        name,
      )
      press(name)
    }
    await untilSent()
    assert.deepEqual([sent(calls, TEST_MODEL), sent(calls, UPDATE_MODEL), did], [[], [], []])
    assert.ok(!isThere('dialog'))
  })
})

describe('the test of a model connection', () => {
  test('screen readers announce how long the model took in a test, and a later failure replaces that message', async () => {
    const answers = [{ latencyMs: 250 }, new Refusal(409, 'conflict', 'Out of credit.')]
    renderCard({ [TEST_MODEL]: () => answers.shift() })
    press('Test')
    await waitFor(() => assert.equal(result(), 'Answered in 250 ms'))
    press('Test')
    await assertAlert(/No usable response.*Out of credit.*req_test/)
    assert.equal(result(), '')
  })

  test('the result of a model test is gone once its connection is edited, because it was for the earlier connection', async () => {
    const { did } = renderCard()
    press('Test')
    await waitFor(() => assert.equal(result(), 'Answered in 250 ms'))
    press('Edit')
    assert.deepEqual(did, ['edit'])
    await waitFor(() => assert.equal(result(), ''))
  })

  test('the result of a model test that ends while its connection is edited is not shown', async () => {
    const { isAsked, respond } = serveHeld(TEST_MODEL, { latencyMs: 250 })
    showCard()
    press('Test')
    await isAsked()
    press('Edit')
    await respond()
    assert.equal(result(), '')
  })

  test('pressing “Test” twice tests a model once', async () => {
    const { isAsked, sent: bodies, respond } = serveHeld(TEST_MODEL, { latencyMs: 250 })
    showCard()
    press('Test')
    await isAsked()
    press(/Test/)
    await respond()
    await waitFor(() => assert.equal(result(), 'Answered in 250 ms'))
    assert.equal(bodies()?.length, 1)
  })
})

describe('the change of a model connection', () => {
  test('a refused change of the default model connection shows the request id, and the next try reads the connections again', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), modelOf({ isDefault: true })]
    const { bodies } = renderCard({ [UPDATE_MODEL]: () => answers.shift() })
    press('Make default')
    await assertAlert(/You may not.*req_test/)
    assert.equal(queryClient.getQueryState(queryKeys.models.all)?.isInvalidated, false)
    press('Make default')
    await waitFor(() => assert.equal(queryClient.getQueryState(queryKeys.models.all)?.isInvalidated, true))
    assert.deepEqual(bodies(UPDATE_MODEL), [{ isDefault: true }, { isDefault: true }])
    assert.ok(!isThere('alert'))
  })

  test('deleting a model connection needs a confirmation that names it, and a refused deletion can be retried or cancelled', async () => {
    const answers = [new Refusal(409, 'conflict', 'A build runs with it.'), null]
    const { bodies } = renderCard({ [DELETE_MODEL]: () => answers.shift() })
    press('Delete')
    await screen.findByRole('dialog', { name: 'Disconnect Our Claude?' })
    pressInDialog('Cancel')
    await untilSent()
    assert.deepEqual(bodies(DELETE_MODEL), [])
    press('Delete')
    await screen.findByRole('dialog')
    pressInDialog('Disconnect model')
    await assertAlert(/A build runs with it.*req_test/)
    pressInDialog('Disconnect model')
    await waitFor(() => assert.deepEqual(queryClient.getQueryData(queryKeys.models.all), []))
  })
})
