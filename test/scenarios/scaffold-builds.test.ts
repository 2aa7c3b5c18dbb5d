import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { nameFromSentence } from '../../server/projects/name-from-sentence.ts'
import { type Client, type TestApp, eventsOf, testApp } from '../../server/testing/app.ts'
import { serveScriptedModel } from '../support/scripted-model.ts'
import { leaves } from '../../server/testing/effects.ts'

interface ScaffoldBuild {
  status: string
  message: string
  summary: string
  files: Record<string, string>
  questions: { id: string; options: string[] }[]
}

/** Builds of a user who has connected no model. */
describe('builds with the built-in model', () => {
  let model: Awaited<ReturnType<typeof serveScriptedModel>>
  let app: TestApp
  let person: Client
  before(async () => {
    model = await serveScriptedModel()
    app = await testApp({ localWorld: true, modelBaseUrl: model.baseUrl })
    await app.work()
    person = await app.signUp()
  })
  after(async () => {
    await app.close()
    await model.close()
  })

  async function openProject() {
    const { id } = (await person.call<{ id: string }>('POST /projects', {})).data
    const path = `/projects/${id}`
    const build = async (text: string, body: object = {}) => {
      const ticket = await person.call<{ id: string }>(`POST ${path}/tickets/capture`, { text })
      const route = `POST ${path}/tickets/${ticket.data.id}/build`
      const answer = await person.call<ScaffoldBuild>(route, body)
      return { ...answer, again: (more: object) => person.call<ScaffoldBuild>(route, more) }
    }
    return { path, build }
  }

  test('a ticket that the built-in model cannot build ends as a reply, without a version, a file or a build event', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1, 'ticket.updated': 1, 'project.renamed': 1 },
      jobs: { build: 1 },
    })
    const { path, build } = await openProject()
    const sentence = 'Make the header pink and put my logo on it'
    const answer = await build(sentence)
    assert.equal(answer.data.status, 'replied', String(answer.error?.message))
    assert.match(answer.data.message, /^This wish needs an AI model\. Connect one, or say: Make a list of/)
    assert.deepEqual((await person.call<{ paths: string[] }>(`GET ${path}/files`)).data.paths, [])
    assert.equal((await person.call<{ name: string }>(`GET ${path}`)).data.name, nameFromSentence(sentence))
    const sent = await eventsOf(app, person)
    assert.ok(!sent.some((type) => type.startsWith('ticket.build.')), sent.join())
  })

  test('the built-in model builds lists, asks which of two lists gets a new field, and describes the change in its summary', async () => {
    leaves({
      events: {
        'project.created': 1,
        'ticket.created': 3,
        'ticket.updated': 6,
        'project.renamed': 1,
        'ticket.build.succeeded': 3,
      },
      jobs: { build: 4 },
    })
    const { build } = await openProject()
    const first = await build('Track orders with customer and cake')
    assert.equal(first.data.status, 'built', String(first.error?.message))
    assert.match(first.data.summary, /^Your app now has an order list with search, add, edit and delete\./)
    assert.equal((await build('Also keep track of suppliers with name and phone')).data.status, 'built')
    const asked = await build('Add a price')
    assert.deepEqual(asked.data.questions[0]?.options, ['Orders', 'Suppliers'])
    const answers = [{ id: 'list', value: 'Suppliers' }]
    const third = await asked.again({ answers })
    assert.equal(third.data.summary, 'The supplier list has a new field: price.')
    assert.match(third.data.files['app.json'] ?? '', /"phone": [^}]+\},\s+"price": /)
  })
})
