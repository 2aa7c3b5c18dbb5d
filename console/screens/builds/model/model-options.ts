import type { ModelConnection, ProjectModel } from '@slipway/sdk/client/types.gen.ts'
import type { ModelChoice } from '../../../api/project/project-model.ts'
import { modelText } from '../../../text/builds.en.ts'
import type { SelectOption } from '../../../ui/controls/native-select.tsx'

const INHERIT_OPTION = 'inherit'

/**
 * Returns the models that a project can use: the default of the organization, then every model of its
 * connections.
 */
export function modelOptions(connections: ModelConnection[], chosen: ProjectModel): SelectOption<string>[] {
  const standard = connections.find((connection) => connection.isDefault)
  const named = connections.flatMap((connection) =>
    [...new Set([connection.defaultModel, ...connection.models])].map((model) => ({
      value: modelOptionValue(connection.id, model),
      label: `${connection.label} · ${model}`,
    })),
  )
  const current = valueOfChoice(chosen)
  const isKnown = current === INHERIT_OPTION || named.some((option) => option.value === current)
  return [
    { value: INHERIT_OPTION, label: modelText.inherited(standard?.defaultModel ?? chosen.model) },
    ...named,
    // The project still uses a model that was removed from its connection, so list it.
    ...(isKnown ? [] : [{ value: current, label: chosen.model }]),
  ]
}

export const valueOfChoice = (chosen: ProjectModel): string =>
  chosen.inherited ? INHERIT_OPTION : modelOptionValue(chosen.connectionId, chosen.model)

export function choiceOf(value: string): ModelChoice {
  if (value === INHERIT_OPTION) return { inherit: true }
  const [connectionId = '', ...model] = value.split(' ')
  return { connectionId, model: model.join(' ') }
}

const modelOptionValue = (connectionId: string, model: string) => `${connectionId} ${model}`
