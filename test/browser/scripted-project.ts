import assert from 'node:assert/strict'
import type { Person } from '../support/client.ts'
import type { ScriptedModel, ScriptedStep } from '../support/scripted-model.ts'
import { assertBecomes } from './browser.ts'

interface Pair {
  person: Person
  model: ScriptedModel
}

/** The app that one ticket builds. `settings` are the settings of its capabilities, by capability. */
interface ScriptedApp {
  name: string
  title: string
  steps: ScriptedStep[]
  settings?: Record<string, object>
}

let count = 0

/**
 * Creates a project with tickets and a scripted model that sends these responses. `key` is the model's API
 * key.
 */
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

/**
 * Connects a model that sends these responses and selects it for the project. Returns the model's API key, by which the model server finds
 * the responses.
 */
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

/**
 * Builds an app from one ticket with a model that sends these responses, saves the settings of its
 * capabilities, and ships it. Returns the project's id and the app's address.
 */
export async function shipScriptedApp(
  pair: Pair,
  { name, title, steps, settings = {} }: ScriptedApp,
): Promise<{ projectId: string; address: string }> {
  const { person } = pair
  const { id: projectId } = await person.call<{ id: string }>('POST /projects', { name })
  await chooseScriptedModel(pair, { projectId, steps })
  const tickets = `/projects/${projectId}/tickets`
  const { id } = await person.call<{ id: string }>(`POST ${tickets}`, { title })
  const built = await person.call<{ status: string }>(`POST ${tickets}/${id}/build`, {})
  assert.equal(built.status, 'built')
  for (const [key, given] of Object.entries(settings)) {
    const path = `/projects/${projectId}/capabilities/${key}`
    await person.call(`PUT ${path}`, { enabled: true, settings: given })
    const readState = async () =>
      (await person.call<{ provision: { state: string } }>(`GET ${path}`)).provision.state
    await assertBecomes(readState, 'idle')
  }
  const { url } = await person.call<{ url: string }>(`POST /projects/${projectId}/deploy`)
  return { projectId, address: url }
}
