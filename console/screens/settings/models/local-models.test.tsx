import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LocalModels as Found } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import { isShown, isThere, press, Refusal, serve, show } from '../../../testing/console.tsx'
import { serveHeld, untilIdle } from '../../../testing/held.ts'
import { LocalModels } from './local-models.tsx'

const LIST_LOCAL = 'GET /connections/models/local'
const SUMMARY = 'A model on the machine of the service (Ollama, LM Studio, llama.cpp)'
type Server = Found['servers'][number]

const serverOf = (name: string, part: Partial<Server> = {}): Server => ({
  name,
  baseUrl: `http://127.0.0.1/${name}`,
  state: 'found',
  allow: `127.0.0.1:${name.length}`,
  models: [{ id: 'llama', recommended: true }],
  ...part,
})

async function renderLocalModels(answer: unknown) {
  const chosen: string[] = []
  serve({ [LIST_LOCAL]: () => answer })
  show(<LocalModels onChoose={(baseUrl) => chosen.push(baseUrl)} />)
  await untilIdle()
  return { chosen }
}
const found = (...servers: Server[]): Found => ({ setting: 'SLIPWAY_OUTBOUND_ALLOW', servers })
const explanation = () =>
  [...(document.querySelector('details')?.querySelectorAll('p, li') ?? [])].map((line) => line.textContent)

describe('the model servers on the machine of the service', () => {
  test('during the search for local model servers, a collapsed note says so and takes up the space of the result', async () => {
    const { isAsked, respond } = serveHeld(LIST_LOCAL, found())
    show(<LocalModels onChoose={() => {}} />)
    await isAsked()
    assert.ok(isShown(SUMMARY))
    assert.ok(isShown('Looking for models there…'))
    await respond()
    await waitFor(() => assert.ok(!isShown('Looking for models there…')))
    assert.ok(isShown(SUMMARY))
  })

  test('each local model server with a model has a button that connects it, and one without a model says what to do', async () => {
    const { chosen } = await renderLocalModels(
      found(serverOf('Ollama'), serverOf('LM Studio', { models: [] }), serverOf('llama.cpp')),
    )
    assert.deepEqual(
      screen.getAllByRole('button').map(({ textContent }) => textContent),
      ['Use Ollama', 'Use llama.cpp'],
    )
    assert.ok(isShown('LM Studio runs and has no model yet. Load one there first.'))
    press('Use llama.cpp')
    assert.deepEqual(chosen, ['http://127.0.0.1/llama.cpp'])
    assert.ok(!isShown(SUMMARY), 'no explanation is needed while a server runs')
  })

  test('without a local model server the note says which servers to start, and which address the operator must allow', async () => {
    await renderLocalModels(
      found(
        serverOf('Ollama', { state: 'absent', models: [] }),
        serverOf('llama.cpp', { state: 'absent', models: [] }),
        serverOf('LM Studio', { state: 'not_allowed', allow: '127.0.0.1:1234', models: [] }),
      ),
    )
    assert.deepEqual(explanation(), [
      'Ollama, llama.cpp: nothing responds there. Start it, then open this again.',
      'Slipway is not allowed to connect to it yet. The operator adds its address to SLIPWAY_OUTBOUND_ALLOW and restarts the service:',
      'LM Studio 127.0.0.1:1234',
    ])
    assert.ok(!isThere('button'))
  })

  test('the note about local model servers names no setting when the service may reach every server', async () => {
    await renderLocalModels(found(serverOf('Ollama', { state: 'absent', models: [] })))
    assert.deepEqual(explanation(), ['Ollama: nothing responds there. Start it, then open this again.'])
  })

  test('when local model servers cannot be listed, the form shows no error, because an API key can still be pasted', async () => {
    await renderLocalModels(new Refusal(403, 'forbidden', 'You may not.'))
    assert.equal(document.body.textContent, '')
  })
})
