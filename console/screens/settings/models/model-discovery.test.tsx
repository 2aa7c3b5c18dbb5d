import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelFinding } from '@slipway/sdk/client/types.gen.ts'
import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
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
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { ModelDiscovery } from './model-discovery.tsx'

const LOOK = 'POST /connections/models/look'
const SAVE = 'POST /connections/models'
const PASTED = 'Paste a key, or an address'

/** What the service finds. The models are named `<name>-1`, `<name>-2` and so on, and the tested one is `model`. */
const findingOf = (
  name: string,
  { model = `${name}-1`, count = 2, ok = true, baseUrl = null as string | null } = {},
): ModelFinding =>
  ({
    provider: 'openai',
    name,
    baseUrl,
    models: Array.from({ length: count }, (_, n) => ({ id: `${name}-${n + 1}`, recommended: n === 0 })),
    test: { model, ok, latencyMs: ok ? 100 : null, error: ok ? null : 'Out of credit.' },
  }) as ModelFinding

interface Question {
  key?: string
  baseUrl?: string
  service?: string
  model?: string
}

function renderDiscovery(look: (question: Question) => unknown, save: () => unknown = () => ({})) {
  const did: string[] = []
  const calls = serve({
    [LOOK]: ({ body }) => look(body as Question),
    [SAVE]: save,
    'GET /connections/models/local': () => ({ setting: 'SLIPWAY_OUTBOUND_ALLOW', servers: [] }),
    'GET /connections/models': () => [],
  })
  show(<ModelDiscovery onClose={() => did.push('closed')} onSaved={() => did.push('saved')} />)
  return { did, asked: () => sent(calls, LOOK), saved: () => sent(calls, SAVE) }
}

/** Pastes over the text of the field from `from` to `to`, by default over all of it. Returns whether the form handled the paste. */
function paste(text: string, [from, to]: [number, number] = [0, field(PASTED).value.length]) {
  const input = field(PASTED)
  input.setSelectionRange(from, to)
  const event = createEvent.paste(input, { clipboardData: { getData: () => text } })
  fireEvent(input, event)
  return event.defaultPrevented
}

describe('the form that finds the models of a pasted key', () => {
  test('a pasted API key is looked up at once when it is the whole content of the field, but not inside other text', async () => {
    const { asked } = renderDiscovery(() => findingOf('acme'))
    assert.equal(paste(' export ACME_KEY="sk-1" '), true)
    await screen.findByText('acme: 2 models')
    assert.deepEqual(asked(), [{ key: 'sk-1' }])
    assert.equal(paste('2', [3, 3]), false)
    assert.equal(paste('  '), false)
    await untilSent()
    assert.equal(asked()?.length, 1)
  })

  test('a late result for an earlier API key neither replaces nor removes the result for the current key', async () => {
    const first = Promise.withResolvers<ModelFinding>()
    const { asked } = renderDiscovery(({ key }) => (key === 'sk-1' ? first.promise : findingOf('second')))
    paste('sk-1')
    paste('sk-2')
    await screen.findByText('second: 2 models')
    first.resolve(findingOf('first'))
    await untilSent()
    assert.equal(isShown('second: 2 models'), true)
    assert.equal(field('Model').value, 'second-1')
    assert.deepEqual(asked(), [{ key: 'sk-1' }, { key: 'sk-2' }])
  })

  test('a late test result of an earlier model does not replace the result of the chosen model', async () => {
    const slow = Promise.withResolvers<ModelFinding>()
    renderDiscovery(({ model }) => {
      if (model === 'acme-2') return slow.promise
      return findingOf('acme', { model: model ?? 'acme-1', count: 3 })
    })
    paste('sk-1')
    await screen.findByText('acme: 3 models')
    write('Model', 'acme-2')
    write('Model', 'acme-3')
    await screen.findByText('Answered in 100 ms')
    slow.resolve(findingOf('acme', { model: 'acme-2', count: 3, ok: false }))
    await untilSent()
    assert.equal(isShown('Answered in 100 ms'), true)
    assert.equal(isShown('Out of credit.'), false)
  })

  test('when an API key is edited during its lookup, a failure of that lookup is not shown', async () => {
    const first = Promise.withResolvers<unknown>()
    renderDiscovery(() => first.promise)
    paste('sk-1')
    write(PASTED, 'sk-12')
    first.resolve(new Refusal(400, 'invalid_request', 'key: is not accepted'))
    await untilSent()
    assert.equal(isShown('Is not accepted.'), false)
    assert.equal(isThere('button', 'Find models'), true)
  })

  test('a model server that requires a key gets it from a second field, and the connection is saved with the URL and the key', async () => {
    const { did, asked, saved } = renderDiscovery(({ key }) =>
      key === undefined
        ? new Refusal(400, 'invalid_request', 'key: this server wants a key')
        : findingOf('home', { baseUrl: 'http://10.0.0.2:11434' }),
    )
    paste('10.0.0.2:11434')
    await waitFor(() => field('Key of this server'))
    write('Key of this server', ' secret ')
    press('Find models')
    await screen.findByText('home: 2 models')
    write('Name', ' Home ')
    press('Connect model')
    await waitFor(() => assert.deepEqual(did, ['saved']))
    assert.deepEqual(asked(), [
      { baseUrl: 'http://10.0.0.2:11434' },
      { baseUrl: 'http://10.0.0.2:11434', key: 'secret' },
    ])
    assert.deepEqual(saved(), [
      {
        provider: 'openai',
        label: 'Home',
        defaultModel: 'home-1',
        models: ['home-1', 'home-2'],
        baseUrl: 'http://10.0.0.2:11434',
        key: 'secret',
        isDefault: true,
      },
    ])
  })

  test('an API key of an unknown provider is looked up once a provider is chosen, and another key does not reuse that provider', async () => {
    const { asked } = renderDiscovery(({ service }) =>
      service === undefined
        ? new Refusal(400, 'invalid_request', 'service: whose key is this?')
        : findingOf('groq'),
    )
    paste('gsk')
    await waitFor(() => field('Provider of this key'))
    write('Provider of this key', 'groq')
    await screen.findByText('groq: 2 models')
    paste('other')
    await waitFor(() => assert.equal(field('Provider of this key').value, ''))
    assert.deepEqual(asked(), [{ key: 'gsk' }, { key: 'gsk', service: 'groq' }, { key: 'other' }])
  })

  test('when a provider has more than 20 models, only the chosen model is saved', async () => {
    const { saved } = renderDiscovery(({ model }) =>
      findingOf('many', { count: 21, model: model ?? 'many-1' }),
    )
    paste('sk-1')
    await screen.findByText('many: 21 models')
    write('Model', 'many-7')
    await screen.findByText('Answered in 100 ms')
    fireEvent.click(field('Use for new builds'))
    press('Connect model')
    await waitFor(() =>
      assert.deepEqual(saved(), [
        { provider: 'openai', label: 'many', defaultModel: 'many-7', models: ['many-7'], key: 'sk-1' },
      ]),
    )
  })

  test('when the service refuses to test a model, the reason is shown and the found models stay', async () => {
    renderDiscovery(({ model }) =>
      model === undefined ? findingOf('acme') : new Refusal(400, 'invalid_request', 'model: is not offered'),
    )
    paste('sk-1')
    await screen.findByText('acme: 2 models')
    write('Model', 'acme-2')
    await assertAlert(/Is not offered/)
    assert.equal(isShown('acme: 2 models'), true)
  })

  test('when a model connection cannot be saved, the found models stay, and the reason is shown until the key changes', async () => {
    const { did } = renderDiscovery(
      () => findingOf('acme'),
      () => new Refusal(403, 'forbidden', 'Only admins connect models.'),
    )
    paste('sk-1')
    await screen.findByText('acme: 2 models')
    press('Connect model')
    await assertAlert(/Only admins connect models/)
    assert.equal(isShown('acme: 2 models'), true)
    assert.deepEqual(did, [])
    write(PASTED, 'sk-2')
    assert.equal(isThere('alert'), false)
    assert.ok(button('Find models'))
  })

  test('an API key is masked while it is typed, and the URL of a model server is not', () => {
    renderDiscovery(() => findingOf('acme'))
    write(PASTED, 'https://models.example')
    assert.equal(field(PASTED).type, 'text')
    write(PASTED, 'sk-1')
    assert.equal(field(PASTED).type, 'password')
  })
})
