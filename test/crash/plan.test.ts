import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { framesOf } from '../support/frames.ts'
import { serveScriptedModel } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'

const SAID_MS_MAX = 30_000

interface Reply {
  id: string
  role: string
  status: string
  text: string
  error: { kind: string } | null
  tickets: string[]
}

describe('a reply of the planning agent whose process dies', () => {
  let service: ServiceProcess | undefined
  let model: Awaited<ReturnType<typeof serveScriptedModel>> | undefined
  after(async () => {
    await service?.dispose()
    await model?.close()
  })

  test("after kill -9 the planning agent's reply is marked as interrupted, and retrying it writes no ticket twice", async () => {
    model = await serveScriptedModel()
    const draft = { title: 'Plants', body: 'Track them.' }
    const written = { toolCalls: [{ name: 'create_ticket', args: draft }] }
    await model.script('crash', [
      { text: 'First.', ...written },
      { text: 'And then this goes on for a while, until it stops. '.repeat(6), fault: 'silence' },
      { ...written, expect: { lastUser: '"Plants"' } },
      { text: 'It is there.', expect: { lastResult: 'unchanged: ' } },
    ])
    service = await ServiceProcess.start({ SLIPWAY_LOCAL_WORLD: 'off' })
    const ann = await Person.signUp(service.url)
    const { id: connectionId } = await ann.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: 'scripted',
      baseUrl: model.baseUrl,
      key: 'crash',
      defaultModel: 'scripted',
    })
    const { id } = await ann.call<{ id: string }>('POST /projects', {})
    await ann.call(`PUT /projects/${id}/model`, { connectionId, model: 'scripted' })

    const stream = framesOf(await ann.request(`POST /projects/${id}/plan/stream`, { text: 'Track plants' }))
    for (let said = ''; !said.includes('goes on');) {
      const { value, done } = await stream.next()
      assert.notEqual(done, true)
      said += String(value?.['text'] ?? '')
    }
    await service.kill()
    await stream.next().catch(() => undefined)
    await service.restart()

    const reply = await replyOf(ann, id)
    assert.deepEqual([reply.status, reply.error?.kind, reply.text], ['failed', 'interrupted', 'First.'])
    const listTickets = () => ann.call<{ id: string }[]>(`GET /projects/${id}/tickets`)
    assert.deepEqual(
      (await listTickets()).map((ticket) => ticket.id),
      reply.tickets,
    )
    const again = await ann.call<Reply>(`POST /projects/${id}/plan/retry`, {})
    assert.deepEqual([again.id, again.status, again.text], [reply.id, 'complete', 'It is there.'])
    assert.deepEqual(
      (await listTickets()).map((ticket) => ticket.id),
      reply.tickets,
    )
  })
})

async function replyOf(person: Person, projectId: string): Promise<Reply> {
  const giveUpAt = performance.now() + SAID_MS_MAX
  for (;;) {
    const { items } = await person.call<{ items: Reply[] }>(`GET /projects/${projectId}/plan/messages`)
    const reply = items.find(({ role }) => role === 'agent')
    if (reply !== undefined) return reply
    assert.ok(performance.now() < giveUpAt, 'the reply is still being written')
    await sleep(100)
  }
}
