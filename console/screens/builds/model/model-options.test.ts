import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelConnection, ProjectModel } from '@slipway/sdk/client/types.gen.ts'
import { choiceOf, modelOptions, valueOfChoice } from './model-options.ts'

const connectionWith = (id: string, part: Partial<ModelConnection>) =>
  ({ id, label: id, models: [], defaultModel: 'm-1', isDefault: false, ...part }) as ModelConnection
const projectModel = (part: Partial<ProjectModel> = {}): ProjectModel => ({
  connectionId: 'con_a',
  provider: 'openai',
  model: 'm-1',
  inherited: true,
  ...part,
})

describe('the models that the builds of a project can use', () => {
  const connections = [
    connectionWith('con_a', { isDefault: true, models: ['m-1', 'm-2'] }),
    connectionWith('con_b', { label: 'Own', defaultModel: 'own large' }),
  ]

  test('the models offered for a project are the default and each model of each connection, without duplicates', () => {
    assert.deepEqual(
      modelOptions(connections, projectModel()).map((option) => option.label),
      ['Organization default (m-1)', 'con_a · m-1', 'con_a · m-2', 'Own · own large'],
    )
  })

  test('the model of a project is still offered after it was removed from its connection', () => {
    const options = modelOptions(connections, projectModel({ inherited: false, model: 'm-0' }))
    assert.equal(options.at(-1)?.label, 'm-0')
  })

  test('a chosen model is unchanged after its conversion to the value of a select option and back', () => {
    assert.deepEqual(choiceOf(valueOfChoice(projectModel())), { inherit: true })
    const own = projectModel({ inherited: false, connectionId: 'con_b', model: 'own large' })
    assert.deepEqual(choiceOf(valueOfChoice(own)), { connectionId: 'con_b', model: 'own large' })
  })
})
