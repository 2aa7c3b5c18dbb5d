import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { filesInZip } from '../agent/testing/tree.ts'
import { transact } from '../db/database.ts'
import { writeTree } from '../git/store.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { advanceMain } from '../projects/advance-main.ts'

const FILES = new Map([
  ['README.md', '# Plants\n'],
  ['web/pages/[id].tsx', 'export default () => null\n'],
  ['web/styles.css', ''],
  ['shared/ünïcode.txt', '🙂\n'],
])

describe('the source as a zip', () => {
  let app: TestApp
  let person: Client
  let projectId: string
  before(async () => {
    app = await testApp()
    person = await app.signUp()
    projectId = (await person.call<{ id: string }>('POST /projects', { name: 'Office plants' })).data.id
  })
  after(() => app.close())

  const getZip = (client: Client) => client.raw(`GET /projects/${projectId}/source.zip`)

  test('before the first build a request for the zip of the source gets a 404', async () => {
    assert.equal((await getZip(person)).status, 404)
  })

  test('the zip of the source contains every file of the newest version in one folder, and two downloads have the same bytes', async () => {
    await transact(app.platform.db, async (trx) => {
      const at = app.clock.now()
      const orgId = person.organizationId
      const tree = await writeTree(trx, projectId, FILES, at)
      const made = { author: 'Slipway', message: 'One', runId: null, ticketId: null, generatedBy: null, at }
      await advanceMain(trx, { orgId, projectId, head: null, tree, files: FILES.size, ...made })
    })
    const answer = await getZip(person)
    assert.equal(answer.headers.get('content-type'), 'application/zip')
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="office-plants.zip"')
    const bytes = await answer.arrayBuffer()
    const expected = [...FILES].map(([path, text]) => [`office-plants/${path}`, text] as const)
    assert.deepEqual(filesInZip(bytes), new Map(expected))
    assert.deepEqual(await (await getZip(person)).arrayBuffer(), bytes)
  })

  test("the source zip of another organization's project returns a 404, and an API key needs the scope projects:read", async () => {
    assert.equal((await getZip(await app.signUp())).status, 404)
    const key = await app.keyFor(person, ['build:write'])
    assert.equal((await getZip(key)).status, 403)
  })
})
