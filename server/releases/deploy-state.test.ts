import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import type { Context } from '../endpoint.ts'
import { testApp } from '../testing/app.ts'
import { readDeployState } from './deploy-state.ts'
import { failDeployment, finishDeployment } from './outcome.ts'
import { beginShip } from './testing.ts'
import { leaves } from '../testing/effects.ts'

let app: Awaited<ReturnType<typeof testApp>>

async function shipping() {
  const person = await app.signUp()
  const { data: project } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
  const orgId = person.organizationId
  const { db } = app.platform
  const insert = async (sha: string) => {
    app.clock.advance(1_000)
    return await beginShip(app.platform, { orgId, projectId: project.id, sha })
  }
  const finish = async (deployment: Awaited<ReturnType<typeof insert>>) =>
    finishDeployment(app.platform, deployment, {
      url: `https://${deployment.sha}.example.test`,
      hash: '',
      bindingsKey: JSON.stringify([]),
      projectName: 'Plants',
    })
  await finish(await insert('one'))
  const second = await insert('two')
  /** Reads the state, and runs `end` between the first and the second query. */
  const readWhile = (end: () => Promise<void>) => {
    let ended: Promise<void> | undefined
    const endAfterFirst: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await (ended ??= end())
        return result
      },
    }
    const caller = { organizationId: orgId }
    return readDeployState(
      Object.assign({}, app.platform, { db: db.withPlugin(endAfterFirst), caller }) as unknown as Context,
      project.id,
    )
  }
  return { second, finish, readWhile }
}

describe('the state of a deployment', () => {
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  test('a deployment that goes live while its state is being read is returned as deploying, without fields of the live state', async () => {
    leaves({ events: { 'project.created': 1, 'project.deployed': 2 }, activity: { 'project.deployed': 2 } })
    const { second, finish, readWhile } = await shipping()
    const during = await readWhile(() => finish(second))
    assert.deepEqual([during.state, during.sha], ['deploying', 'one'])
    const later = await readWhile(async () => {})
    assert.deepEqual([later.state, later.sha, later.url], ['live', 'two', 'https://two.example.test'])
  })

  test('a deployment that fails while its state is being read is returned as deploying, without an error', async () => {
    leaves({ events: { 'project.created': 1, 'project.deployed': 1 }, activity: { 'project.deployed': 1 } })
    const { second, readWhile } = await shipping()
    const during = await readWhile(() => failDeployment(app.platform, second, 'The account is full.'))
    assert.deepEqual([during.state, during.error], ['deploying', null])
    const later = await readWhile(async () => {})
    assert.deepEqual([later.state, later.sha, later.error], ['error', 'one', 'The account is full.'])
  })
})
