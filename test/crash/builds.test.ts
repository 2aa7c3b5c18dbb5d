import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { type Frame, framesOf } from '../support/frames.ts'
import { finish, serveScriptedModel, write } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'

/** Where the service is killed: at the first frame of this type that a watcher sees. */
const MOMENTS: [moment: string, type: string][] = [
  ['before the first model call', 'run'],
  ['in the middle of a model’s answer', 'delta'],
  ['after the last token, before the tools', 'usage'],
  ['between two tools', 'tool'],
  ['after a check', 'check'],
]

describe('R2: a build settles after a crash', () => {
  let service: ServiceProcess
  let model: Awaited<ReturnType<typeof serveScriptedModel>>
  let ann: Person
  before(async () => {
    ;[service, model] = await Promise.all([ServiceProcess.start(), serveScriptedModel()])
    ann = await Person.signUp(service.url)
  })
  after(async () => {
    await service.dispose()
    await model.close()
  })

  for (const [n, [moment, type]] of MOMENTS.entries()) {
    test(`kill -9 ${moment}: the build goes on and is built once`, async () => {
      const key = `crash-${n}`
      // Slow enough that every moment can be met.
      const turn = {
        text: 'A list and a form. '.repeat(8),
        toolCalls: [
          write('shared/a.ts', 'export const a = 1\n'),
          write('shared/b.ts', 'export const b = 2\n'),
        ],
        fault: { kind: 'slow', perSecond: 25 },
      }
      // An answer that was cut is asked for again, and the script must have it twice.
      const isLost = type === 'run' || type === 'delta'
      await model.script(key, [
        turn,
        ...(isLost ? [turn] : []),
        { toolCalls: [{ name: 'check', args: {} }] },
        { toolCalls: [finish()], repeat: true },
      ])
      const place = await openTicket(key)
      const seen = await watchUntil(
        await ann.request(`POST ${place}/build/stream`, {}),
        (frame) => frame.type === type,
      )
      await service.kill()
      await service.restart()
      const run = String(seen[0]?.['run'])
      const rest = await watchUntil(
        await ann.request(`POST ${place}/build/stream`, { run, after: seen.at(-1)?.seq ?? 0 }),
        () => false,
      )
      const last = rest.at(-1)
      assert.equal(last?.['status'], 'built', JSON.stringify(last))
      // A run that nobody had begun is simply begun; any other goes on in a new one.
      const wasBegun = type !== 'run' || rest.some((frame) => frame.type === 'resuming')
      assert.equal(rest.filter((frame) => frame.type === 'resuming').length, wasBegun ? 1 : 0)
      requireGapless([...seen, ...rest])
      const project = place.split('/tickets')[0]
      const runs = await ann.call<{ items: { status: string; attempt: number }[] }>(`GET ${project}/runs`)
      assert.deepEqual(
        runs.items.map((item) => [item.status, item.attempt]),
        wasBegun
          ? [
              ['succeeded', 2],
              ['failed', 1],
            ]
          : [['succeeded', 1]],
      )
      assert.equal((await ann.call<unknown[]>(`GET ${project}/versions`)).length, 1)
      // At most the answer that was cut is asked for again.
      assert.ok((await model.calls(key)).length <= 4)
    })
  }

  test('kill -9 while the preview goes up: the commit stands, only publishing is repeated', async () => {
    // The name makes every call about its preview slow, so that the moment is met.
    const key = 'preview-slow-3s'
    const turns = [{ toolCalls: [write('shared/a.ts', 'export const a = 1\n')] }, { toolCalls: [finish()] }]
    await model.script(key, turns)
    const place = await openTicket(key)
    const project = place.split('/tickets')[0]
    const newest = async () => {
      const runs = await ann.call<{ items: { sha: string | null; status: string; attempt: number }[] }>(
        `GET ${project}/runs`,
      )
      return runs.items[0]
    }
    const stream = ann.request(`POST ${place}/build/stream`, {})
    // Cut by the kill; what it would have shown is read again below.
    void stream.then((answer) => watchUntil(answer, () => false)).catch(() => undefined)
    while (((await newest())?.sha ?? null) === null) await sleep(20)
    assert.equal((await newest())?.status, 'running')
    await service.kill()
    await service.restart()
    const frames = await watchUntil(await ann.request(`POST ${place}/build/stream`, {}), () => false)
    const last = frames.at(-1)
    assert.equal(last?.['status'], 'built', JSON.stringify(last))
    requireGapless(frames)
    assert.deepEqual([(await newest())?.status, (await newest())?.attempt], ['succeeded', 2])
    assert.equal((await ann.call<unknown[]>(`GET ${project}/versions`)).length, 1)
    assert.equal((await model.calls(key)).length, 2, 'nothing is paid for twice')
    const history = await ann.call<{ type: string }[]>(`GET ${project}/history`)
    assert.deepEqual(
      history.map((event) => event.type),
      ['built'],
    )
  })

  test('kill -9 of the database in the middle of a model’s answer: the build goes on and is built once', async () => {
    const turn = {
      text: 'A list and a form. '.repeat(8),
      toolCalls: [write('shared/a.ts', 'export const a = 1\n')],
      fault: { kind: 'slow', perSecond: 25 },
    }
    await model.script('crash-database', [turn, turn, { toolCalls: [finish()], repeat: true }])
    const place = await openTicket('crash-database')
    const stream = await ann.request(`POST ${place}/build/stream`, {})
    await watchUntil(stream, (frame) => frame.type === 'delta')
    process.kill(postmasterOf(service.dataDir), 'SIGKILL')
    const project = place.split('/tickets')[0]
    let newest: { status: string } | undefined
    for (const end = performance.now() + 50_000; newest?.status !== 'succeeded' && performance.now() < end;) {
      await sleep(100)
      const runs = await ann.call<{ items: { status: string }[] }>(`GET ${project}/runs`).catch(() => null)
      newest = runs?.items[0] ?? newest
    }
    assert.equal(newest?.status, 'succeeded')
    assert.equal((await ann.call<unknown[]>(`GET ${project}/versions`)).length, 1)
  })

  async function openTicket(key: string): Promise<string> {
    const connection = await ann.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: model.baseUrl,
      key,
      defaultModel: 'scripted',
    })
    const project = await ann.call<{ id: string }>('POST /projects', { name: key })
    await ann.call(`PUT /projects/${project.id}/model`, { connectionId: connection.id, model: 'scripted' })
    const ticket = await ann.call<{ id: string }>(`POST /projects/${project.id}/tickets`, {
      title: 'Track plants',
    })
    return `/projects/${project.id}/tickets/${ticket.id}`
  }
})

async function watchUntil(answer: Response, isIt: (frame: Frame) => boolean): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const frame of framesOf(answer)) {
    frames.push(frame)
    if (isIt(frame)) break
  }
  return frames
}

const postmasterOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/18/postmaster.pid'), 'utf8'), 10)

/** Each run's numbers are 1..n, whatever was cut in between. */
function requireGapless(frames: Frame[]): void {
  let expected = 1
  for (const frame of frames) {
    if (frame.seq === undefined) continue
    if (frame.type === 'run') expected = 1
    assert.equal(frame.seq, expected, JSON.stringify(frame))
    expected += 1
  }
}
