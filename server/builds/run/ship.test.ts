import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Workspace } from '../../agent/tools/workspace.ts'
import { json } from '../../db/json.ts'
import { newId } from '../../lib/ids.ts'
import { appSaying, type CloudApp, openCloudApp } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'
import { newRunColumns } from './new-run.ts'
import { shipFromRun } from './ship.ts'

describe('shipping from a build', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  test('a build that continues after its process died during the ship tool does not ship the same commit again', async () => {
    leaves({
      events: { 'project.deployed': 1, 'ticket.created': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 1 },
    })
    const { person, project, path } = await cloud.personWithProject()
    const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'Ship it' })
    const { platform } = cloud.app
    const { db } = platform
    const { userId } = await db
      .selectFrom('member')
      .select('userId')
      .where('organizationId', '=', person.organizationId)
      .executeTakeFirstOrThrow()
    const first = await db
      .insertInto('runs')
      .values({
        ...newRunColumns(),
        id: newId('run'),
        org_id: person.organizationId,
        project_id: project.id,
        ticket_id: ticket.data.id,
        status: 'running',
        resumed_from: null,
        trigger: 'api',
        scopes: ['deploy:write'],
        actor: userId,
        connection_id: null,
        provider: 'scaffold',
        model: 'scaffold',
        limits: json({ steps: 1, tokens: 1, minutes: 1 }),
        base_sha: null,
        input: json({ prepared: null, previewErrors: [] }),
        created_at: platform.clock.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const files = appSaying('hello')
    const workspace = new Workspace({ base: files, tree: files, enabled: [] })
    const call = { key: 'run:call', signal: new AbortController().signal }
    const shipped = await shipFromRun(platform, first, workspace, call)
    assert.equal(shipped.state, 'live')
    // As the takeover of the run does, which continues it before the call of the tool.
    const next = await db
      .updateTable('runs')
      .set({ attempt: 2 })
      .where('id', '=', first.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    assert.deepEqual(await shipFromRun(platform, next, workspace, call), shipped)
    const { data } = await person.call<{ releases: object[] }>(`GET ${path}/deployments`)
    assert.equal(data.releases.length, 1)
  })
})
