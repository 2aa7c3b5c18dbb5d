import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Client, type TestApp, testApp } from '../../server/testing/app.ts'
import { serveScriptedModel } from '../support/scripted-model.ts'
import type { Message, Thread } from './plan-world.ts'
import { A_GREEN_BUILD } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

/** Uses the built-in scaffold model over the same protocol as any model. */
describe('the planning chat with the built-in model', () => {
  let model: Awaited<ReturnType<typeof serveScriptedModel>>
  let app: TestApp
  let person: Client
  let project: string
  before(async () => {
    model = await serveScriptedModel()
    app = await testApp({ localWorld: true, modelBaseUrl: model.baseUrl })
    await app.work()
    person = await app.signUp()
    project = `/projects/${(await person.call<{ id: string }>('POST /projects', { name: 'Plants' })).data.id}`
  })
  after(async () => {
    await app.close()
    await model.close()
  })

  const sendMessage = (text: string) => person.call<Message>(`POST ${project}/plan/message`, { text })
  const listTitles = async () =>
    (await person.call<{ title: string }[]>(`GET ${project}/tickets`)).data.map(({ title }) => title)

  test('the built-in model turns a list in a message into tickets and a first README, and only replies to a question', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    const first = await sendMessage('Please:\n- Track plants with name and room\n- Fix the form')
    assert.equal(first.status, 200, String(first.error?.message))
    assert.match(first.data.text, /Written: "Track plants with name and room", "Fix the form"\./)
    assert.equal(first.data.tickets.length, 2)
    const readme = await person.call<string>(`GET ${project}/readme`)
    assert.match(readme.data, /^# Plants\n\nWhat it is to do:\n\n- Track plants/)
    const second = await sendMessage('What can you do?')
    assert.deepEqual([second.data.status, second.data.tickets], ['complete', []])
    await sendMessage('- Water them')
    assert.deepEqual((await person.call<string>(`GET ${project}/readme`)).data, readme.data)
    assert.deepEqual((await listTitles()).toSorted(), [
      'Fix the form',
      'Track plants with name and room',
      'Water them',
    ])
    const thread = await person.call<Thread>(`GET ${project}/plan/messages`)
    assert.deepEqual([thread.data.total, thread.data.items[0]?.status], [6, 'complete'])
  })

  test("the next build writes the README of the project into the file README.md of the app's source", async () => {
    leaves(A_GREEN_BUILD)
    const [ticket] = (
      await person.call<{ id: string; title: string }[]>(`GET ${project}/tickets`)
    ).data.filter(({ title }) => title.startsWith('Track plants'))
    const built = await person.call<{ status: string; files: Record<string, string> }>(
      `POST ${project}/tickets/${ticket?.id}/build`,
      {},
    )
    assert.equal(built.data?.status, 'built', String(built.error?.message))
    const readme = (await person.call<string>(`GET ${project}/readme`)).data
    assert.equal(built.data.files['README.md'], `${readme}\n`)
    // The prompt now contains the lists of the app.
    const told = await sendMessage('How is it going?')
    assert.equal(told.data.status, 'complete')
  })
})
