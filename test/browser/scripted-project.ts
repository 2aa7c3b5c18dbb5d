import type { Person } from '../support/client.ts'
import type { ScriptedModel, ScriptedStep } from '../support/scripted-model.ts'

/** Who asks, and the model that answers. */
interface Pair {
  person: Person
  model: ScriptedModel
}

let count = 0

/** A project of this person with tickets, whose own model says these turns; answers the key its calls carry. */
export async function makeScriptedProject(
  pair: Pair,
  { steps, titles, modalities }: { steps: ScriptedStep[]; titles: string[]; modalities?: string[] },
): Promise<{ key: string; projectId: string; tickets: string[] }> {
  const { person } = pair
  const { id: projectId } = await person.call<{ id: string }>('POST /projects', { name: `Plants ${++count}` })
  const key = await chooseScriptedModel(pair, {
    projectId,
    steps,
    ...(modalities && { modalities }),
  })
  const tickets: string[] = []
  for (const title of titles)
    tickets.push((await person.call<{ id: string }>(`POST /projects/${projectId}/tickets`, { title })).id)
  return { key, projectId, tickets }
}

/** Connects a model that says these turns and has the project build on it; answers the key its calls carry. */
export async function chooseScriptedModel(
  { person, model }: Pair,
  { projectId, steps, modalities }: { projectId: string; steps: ScriptedStep[]; modalities?: string[] },
): Promise<string> {
  const key = `browser-${++count}`
  await model.script(key, steps)
  const { id: connectionId } = await person.call<{ id: string }>('POST /connections/models', {
    provider: 'openai-compatible',
    label: key,
    baseUrl: model.baseUrl,
    key,
    defaultModel: 'scripted',
    ...(modalities && { modalities }),
  })
  await person.call(`PUT /projects/${projectId}/model`, { connectionId, model: 'scripted' })
  return key
}
