import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { finish, serveScriptedModel, type ScriptedModel, write } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** The model pauses its response after this number of stream events, when only the first words were sent. */
const MIDDLE = 8

describe('a machine whose clock is set while the service runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-clock-'))
  const clock = join(folder, 'offset')
  let service: ServiceProcess
  let model: ScriptedModel
  let ann: Person
  before(async () => {
    writeFileSync(clock, '0')
    model = await serveScriptedModel()
    service = await ServiceProcess.start({
      SLIPWAY_LOCAL_WORLD: 'off',
      NODE_OPTIONS: `--import=${import.meta.resolve('../support/moved-clock.ts')}`,
      MOVED_CLOCK_FILE: clock,
    })
    ann = await Person.signUp(service.url)
  })
  after(async () => {
    await service.dispose()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Moves the clock of the service by `offsetMs`, and waits until its API returns the new time. */
  async function setClock(offsetMs: number): Promise<void> {
    writeFileSync(clock, String(offsetMs))
    const isSet = async () => {
      const { id } = await ann.call<{ id: string }>('POST /projects', { name: 'What time is it' })
      const { createdAt } = await ann.call<{ createdAt: string }>(`GET /projects/${id}`)
      await ann.call(`DELETE /projects/${id}`)
      return Math.abs(Date.parse(createdAt) - Date.now() - offsetMs) < HOUR_MS / 2
    }
    while (!(await isSet())) await sleep(20)
  }

  async function projectSaying(key: string): Promise<{ path: string; build: string }> {
    const text = 'thinking about it '.repeat(30)
    await model.script(key, [
      { text, toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
      { toolCalls: [finish()] },
    ])
    const { id: connectionId } = await ann.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: model.baseUrl,
      key,
      defaultModel: 'scripted',
    })
    const { id } = await ann.call<{ id: string }>('POST /projects', {})
    const path = `/projects/${id}`
    await ann.call(`PUT ${path}/model`, { connectionId, model: 'scripted' })
    const ticket = await ann.call<{ id: string }>(`POST ${path}/tickets`, { title: 'Track plants' })
    return { path, build: `POST ${path}/tickets/${ticket.id}/build` }
  }

  const withKey = async (key: string) =>
    (await fetch(`${service.url}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } })).status

  for (const [name, offsetMs] of [
    ['a day ahead', DAY_MS],
    ['back by two days', -DAY_MS],
  ] as const)
    test(`when the system clock is set ${name}, the running build and the next build succeed`, async () => {
      const during = `during${offsetMs}`
      const { path, build } = await projectSaying(during)
      const release = model.hold(during, MIDDLE)
      const built = ann.call<{ status: string; usage: object }>(build, {})
      while ((await model.calls(during)).length === 0) await sleep(20)
      await setClock(offsetMs)
      release()
      assert.equal((await built).status, 'built')
      const second = await projectSaying(`after${offsetMs}`)
      assert.equal((await ann.call<{ status: string }>(second.build, {})).status, 'built')
      const [ticket] = await ann.call<{ status: string }[]>(`GET ${path}/tickets`)
      assert.equal(ticket?.status, 'in_review')
    })

  test('an API key expires when the clock is set past its expiry time, and is valid again when the clock is set back', async () => {
    await setClock(0)
    const { key } = await ann.call<{ key: string }>('POST /keys', {
      name: 'One day',
      scopes: ['projects:read'],
      expiresInDays: 1,
    })
    assert.equal(await withKey(key), 200)
    await setClock(DAY_MS + HOUR_MS)
    assert.equal(await withKey(key), 401)
    await setClock(0)
    assert.equal(await withKey(key), 200)
  })

  test('the service logs no error while its clock is changed', () => {
    assert.doesNotMatch(service.output, /"level":(50|60)|ERROR|FATAL/)
  })
})
