import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, screen, waitFor } from '@testing-library/react'
import { projectModelQuery } from '../../../api/project/project-model.ts'
import {
  findMessage,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  sent,
  serve,
  show,
  shownOption,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { ModelPicker } from './model-picker.tsx'

const MODEL = 'GET /projects/prj_1/model'
const SET_MODEL = 'PUT /projects/prj_1/model'
const CONNECTIONS = 'GET /connections/models'
const LABEL = 'Model of this project'
const connection = (id: string, label: string, models: string[]) => ({
  id,
  label,
  provider: 'anthropic',
  defaultModel: models[0],
  models,
  isDefault: id === 'mdl_1',
})
const INHERITED = { connectionId: 'mdl_1', provider: 'anthropic', model: 'large', inherited: true }

type Chosen = typeof INHERITED
/** Returns the model that the service stores for a choice. */
const storedFor = (choice: unknown): Chosen => {
  const { inherit, ...chosen } = choice as { inherit?: true } & Partial<Chosen>
  return inherit ? INHERITED : { ...INHERITED, ...chosen, inherited: false }
}

async function showPicker(answers: Record<string, (call: { body: unknown }) => unknown> = {}) {
  let stored = INHERITED
  const calls = serve({
    [MODEL]: () => stored,
    [SET_MODEL]: ({ body }) => (stored = storedFor(body)),
    [CONNECTIONS]: () => [
      connection('mdl_1', 'Claude', ['large', 'small']),
      connection('mdl_2', 'Mine', ['own']),
    ],
    ...answers,
  })
  show(<ModelPicker projectId="prj_1" />)
  await waitFor(() => assert.equal(calls[CONNECTIONS]?.length, 1))
  await untilSent()
  return { calls, chosen: () => sent(calls, SET_MODEL) }
}
const picker = () => screen.getByLabelText<HTMLSelectElement>(LABEL)
const shownChoice = () => shownOption(picker())

describe('the choice of the model of a project', () => {
  test('the model picker offers the organization default and each model of the connections', async () => {
    await showPicker()
    assert.deepEqual(
      Array.from(picker().options, (option) => option.textContent),
      ['Organization default (large)', 'Claude · large', 'Claude · small', 'Mine · own'],
    )
    assert.equal(shownChoice(), 'Organization default (large)')
    assert.equal(picker().title, 'Model: large')
  })

  test('a model chosen in the picker is saved, and a message names the model', async () => {
    const { chosen } = await showPicker()
    write(LABEL, 'mdl_2 own')
    await waitFor(() => assert.equal(shownChoice(), 'Mine · own'))
    assert.ok(await findMessage('The next build uses own'))
    assert.deepEqual(chosen(), [{ connectionId: 'mdl_2', model: 'own' }])
    assert.equal(picker().title, 'Model: own')
    write(LABEL, 'inherit')
    assert.ok(await findMessage('The next build uses large'))
    assert.deepEqual(chosen()?.at(-1), { inherit: true })
  })

  test('when the service refuses a model, the model picker shows the previous one and a message gives the reason', async () => {
    await showPicker({ [SET_MODEL]: () => new Refusal(403, 'forbidden', 'Only owners may.') })
    write(LABEL, 'mdl_2 own')
    assert.ok(await findMessage(/Only owners may/))
    assert.equal(shownChoice(), 'Organization default (large)')
  })

  test('while a model is being saved, another can be chosen with the keyboard, and the one chosen last is saved last', async () => {
    const first = Promise.withResolvers<unknown>()
    const responses: unknown[] = [first.promise]
    const { chosen } = await showPicker({
      [SET_MODEL]: ({ body }) => responses.shift() ?? storedFor(body),
    })
    act(() => picker().focus())
    write(LABEL, 'mdl_1 small')
    await waitFor(() => assert.equal(chosen()?.length, 1))
    assert.equal(picker().disabled, false, 'a disabled field would lose the focus')
    write(LABEL, 'mdl_2 own')
    await waitFor(() => assert.equal(shownChoice(), 'Mine · own', 'shown before it is saved'))
    await untilSent()
    assert.equal(chosen()?.length, 1, 'one after the other, so that the last one wins')
    first.resolve(storedFor({ connectionId: 'mdl_1', model: 'small' }))
    assert.ok(await findMessage('The next build uses own'))
    assert.equal(shownChoice(), 'Mine · own')
    assert.ok(document.activeElement === picker())
  })

  test('a model that was removed from its connection stays in the model picker while the project uses it', async () => {
    await showPicker({ [MODEL]: () => ({ ...INHERITED, model: 'gone', inherited: false }) })
    assert.equal(shownChoice(), 'gone')
  })

  test('the model picker shows a model that another member chose after the picker was loaded', async () => {
    let stored = INHERITED
    await showPicker({ [MODEL]: () => stored })
    stored = storedFor({ connectionId: 'mdl_2', model: 'own' })
    await readAgain(projectModelQuery('prj_1').queryKey)
    assert.equal(shownChoice(), 'Mine · own')
  })

  test('without any model the model picker is a button to connect one', async () => {
    await showPicker({
      [MODEL]: () => new Refusal(409, 'model_required', 'No model.'),
      [CONNECTIONS]: () => [],
    })
    assert.ok(!isShown(LABEL))
    press('Connect a model')
    assert.ok(await screen.findByRole('dialog'))
  })

  test('the model picker is hidden while the model loads and when the model cannot be read', async () => {
    const read = Promise.withResolvers<unknown>()
    await showPicker({ [MODEL]: () => read.promise })
    assert.ok(!isThere('combobox') && !isThere('button'))
    read.resolve(new Refusal(403, 'forbidden', 'You may not.'))
    await untilSent()
    assert.ok(!isThere('combobox') && !isThere('button'))
  })
})
