import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { completeTree } from '../agent/source/tree.ts'
import { transact } from '../db/database.ts'
import { appSaying, type CloudApp, openCloudApp, until, wordAt } from '../releases/testing.ts'
import { MAIN_REF, readRef, writeTree } from '../git/store.ts'
import { advanceMain } from '../projects/advance-main.ts'
import { leaves } from '../testing/effects.ts'

interface HistoryEvent {
  id: string
  type: string
  detail: string | null
  actor: string | null
}

describe('a revert and the preview', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  /** Commits a version as a green build does, without building. */
  async function commitWord(orgId: string, projectId: string, word: string): Promise<string> {
    const { db } = cloud.app.platform
    const at = cloud.app.clock.now()
    const files = completeTree(appSaying(word), new Set())
    return transact(db, async (trx) =>
      advanceMain(trx, {
        orgId,
        projectId,
        head: await readRef(trx, projectId, MAIN_REF),
        tree: await writeTree(trx, projectId, files, at),
        files: files.size,
        author: 'Slipway',
        message: word,
        runId: null,
        ticketId: null,
        generatedBy: 'scaffold/scaffold-1',
        at,
      }),
    )
  }

  test('reverting a project publishes the restored version as the preview, and the live app is unchanged', async () => {
    leaves({
      events: { 'project.deployed': 1, 'project.reverted': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.deploy': 1,
        'worker.upload': 'some',
        'worker.version': 1,
      },
      jobs: { deploy: 3, preview: 1 },
    })
    const { person, project, path } = await cloud.personWithProject()
    const one = await commitWord(person.organizationId, project.id, 'one')
    await commitWord(person.organizationId, project.id, 'two')
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    const preview = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    assert.equal(await wordAt(preview.data.previewUrl), 'two')
    const reverted = await person.call<{ sha: string }>(`POST ${path}/versions/${one}/revert`)
    assert.equal(reverted.status, 200, JSON.stringify(reverted.error))
    await until(async () => (await wordAt(preview.data.previewUrl)) === 'one')
    assert.equal(await wordAt(shipped.data.url), 'two')
    const state = await person.call<{ builtSha: string; upToDate: boolean }>(`GET ${path}/deploy`)
    assert.deepEqual([state.data.builtSha, state.data.upToDate], [reverted.data.sha, false])
    const history = await person.call<HistoryEvent[]>(`GET ${path}/history`)
    assert.deepEqual(history.data.map((event) => event.type).sort(), ['reverted', 'shipped'])
    assert.equal(history.data.find((event) => event.type === 'shipped')?.detail, shipped.data.url)
    const { data } = await person.call<{ user: { id: string } }>('GET /me')
    for (const event of history.data) {
      assert.match(event.id, /^his_/, 'an id of its own kind')
      assert.equal(event.actor, data.user.id, `${event.type} names the user by id`)
    }
  })

  test("renaming and archiving a project are in the project's history, which other organizations cannot read", async () => {
    leaves({
      events: { 'project.archived': 1, 'project.renamed': 1 },
      activity: { 'project.archived': 1, 'project.unarchived': 1 },
    })
    const { person, path } = await cloud.personWithProject()
    cloud.app.clock.advance(1000)
    await person.call(`PATCH ${path}`, { name: 'Ferns' })
    cloud.app.clock.advance(1000)
    await person.call(`POST ${path}/archive`)
    cloud.app.clock.advance(1000)
    await person.call(`POST ${path}/unarchive`)
    const history = await person.call<HistoryEvent[]>(`GET ${path}/history`)
    assert.deepEqual(
      history.data.map((event) => [event.type, event.detail]),
      [
        ['unarchived', null],
        ['archived', null],
        ['renamed', 'Plants is now Ferns'],
      ],
    )
    assert.ok(history.data.every((event) => event.actor !== null))
    const stranger = await cloud.app.signUp()
    assert.equal((await stranger.call(`GET ${path}/history`)).status, 404)
  })
})
