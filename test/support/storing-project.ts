import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { starterTree } from '../../server/agent/source/tree.ts'
import { storingTree } from '../../server/relocation/testing.ts'
import { chooseScriptedModel } from '../browser/scripted-project.ts'
import type { Person } from './client.ts'
import { finish, type ScriptedModel, write } from './scripted-model.ts'

/** Builds an app that stores records and files, and ships it to the connected account. */
export async function shipStoringProject(
  pair: { person: Person; model: ScriptedModel },
  name: string,
): Promise<{ id: string; path: string; url: string }> {
  const { person } = pair
  await waitForCloud(person)
  const { id } = await person.call<{ id: string }>('POST /projects', { name })
  const path = `/projects/${id}`
  for (const key of ['data', 'files']) await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
  const [before, after] = [starterTree('Office plants'), storingTree()]
  const written = [...after].filter(([file, content]) => before.get(file) !== content)
  const removed = [...before.keys()].filter((file) => !after.has(file))
  const steps = [
    {
      toolCalls: [
        ...written.map(([file, content]) => write(file, content)),
        ...removed.map((file) => ({ name: 'delete_file', args: { path: file } })),
      ],
    },
    { toolCalls: [finish()], repeat: true },
  ]
  await chooseScriptedModel(pair, { projectId: id, steps })
  const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'Track plants' })
  const run = await person.call<{ status: string }>(`POST ${path}/tickets/${ticket.id}/build`, {})
  assert.equal(run.status, 'built', JSON.stringify(run))
  const { url } = await person.call<{ url: string }>(`POST ${path}/deploy`)
  return { id, path, url }
}

/** Waits for the account of a new organization in the local cloud, which is created shortly after the sign-up. */
async function waitForCloud(person: Person): Promise<void> {
  for (const end = performance.now() + 30_000; performance.now() < end; await sleep(50)) {
    const { cloudflare } = await person.call<{ cloudflare: { connected: boolean } }>('GET /connections')
    if (cloudflare.connected) return
  }
  throw new Error('no cloud account was connected')
}
