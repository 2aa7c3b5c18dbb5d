import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import { assertAlert, field, isShown, press, Refusal, serve, show, write } from '../../../testing/console.tsx'
import { ModelForm, useModelDraft } from './model-form.tsx'

const CREATE_MODEL = 'POST /connections/models'
const UPDATE_MODEL = 'PATCH /connections/models/mdl_1'
const savedModel = {
  id: 'mdl_1',
  provider: 'openai',
  label: 'My server',
  defaultModel: 'large',
  baseUrl: 'https://models.example.com/v1',
  hasKey: true,
  isDefault: true,
} as ModelConnection

function renderModelForm(model: ModelConnection | null, answer: () => unknown = () => savedModel) {
  const did: string[] = []
  const calls = serve({ [CREATE_MODEL]: answer, [UPDATE_MODEL]: answer })
  function Form() {
    const on = { onClose: () => did.push('closed'), onSaved: () => did.push('saved') }
    return <ModelForm model={model} draft={useModelDraft(model)} {...on} />
  }
  const { unmount } = show(<Form />)
  return { calls, did, unmount }
}

describe('the form of a model connection', () => {
  test('the form of a model connection sends the filled fields and leaves out the empty ones', async () => {
    const { calls, did } = renderModelForm(null)
    write('Name', ' Claude ')
    write('API key', 'sk-123')
    press('Connect model')
    await waitFor(() => assert.deepEqual(did, ['saved']))
    assert.deepEqual(
      calls[CREATE_MODEL]?.map(({ body }) => body),
      [{ provider: 'anthropic', label: 'Claude', isDefault: true, key: 'sk-123' }],
    )
  })

  test('saving a model connection without a new key keeps the stored key, which is never shown', async () => {
    const { calls, did } = renderModelForm(savedModel)
    assert.equal(field('API key').value, '')
    assert.ok(isShown('Leave empty to keep the saved key.'))
    write('Name', 'Renamed')
    press('Save connection')
    await waitFor(() => assert.deepEqual(did, ['saved']))
    const [call] = calls[UPDATE_MODEL] ?? []
    assert.deepEqual(Object.keys(call?.body ?? {}).toSorted(), ['baseUrl', 'defaultModel', 'label', 'models'])
  })

  test('changing the server of a model connection requires its API key again, but changing only the path does not', () => {
    renderModelForm(savedModel)
    write('Base address', 'https://models.example.com/v2')
    assert.ok(!isShown(/Enter the key again/))
    write('Base address', 'https://elsewhere.example.com/v1')
    assert.ok(isShown(/Enter the key again/))
    assert.equal(field('API key').required, true)
  })

  test('a model provider that is reached through the connected cloud account needs no key', () => {
    renderModelForm(null)
    write('Provider', 'workers-ai')
    assert.ok(screen.queryByLabelText('API key') === null)
    assert.ok(field('Model id'))
  })

  test('an error that names a field of a model connection is shown at that field', async () => {
    renderModelForm(null, () => new Refusal(400, 'invalid_request', 'label: is taken'))
    write('Name', 'Claude')
    press('Connect model')
    await waitFor(() => assert.equal(field('Name').getAttribute('aria-invalid'), 'true'))
    assert.ok(isShown('Is taken.'))
  })

  test('an error of a model connection that names no field is shown above the form with its code, and the input stays', async () => {
    const { did } = renderModelForm(null, () => new Refusal(403, 'forbidden', 'You may not.'))
    write('Name', 'Claude')
    write('API key', 'sk-123')
    press('Connect model')
    await assertAlert(/Not saved.*forbidden/)
    assert.deepEqual([field('Name').value, field('API key').value, did], ['Claude', 'sk-123', []])
  })

  test('the form of a model connection has its typed texts again after a reload, but the API key was never stored', async () => {
    const first = renderModelForm(null)
    write('Name', 'Our server')
    write('Base address', 'https://models.example.com/v1')
    write('API key', 'sk-hunter2')
    assert.ok(!JSON.stringify(Object.entries(localStorage)).includes('hunter2'))
    first.unmount()
    const { did } = renderModelForm(null)
    assert.ok(isShown('Your unsent text is back.'))
    const texts = ['Name', 'Base address', 'API key'].map((label) => field(label).value)
    assert.deepEqual(texts, ['Our server', 'https://models.example.com/v1', ''])
    press('Connect model')
    await waitFor(() => assert.deepEqual(did, ['saved']))
    assert.equal(localStorage.length, 0)
  })

  test('the restored draft of a model connection shows what another admin saved after the draft was typed', async () => {
    const first = renderModelForm(savedModel)
    write('Name', 'Our server')
    first.unmount()
    renderModelForm({ ...savedModel, label: 'Their server' })
    await assertAlert(/“Name” was saved with another value.*Their server/)
    assert.equal(field('Name').value, 'Our server')
  })
})
