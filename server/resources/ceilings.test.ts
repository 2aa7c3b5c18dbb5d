import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Client, type TestApp, testApp } from '../testing/app.ts'
import { storeCloudAccount } from '../testing/cloud-account.ts'
import { newId } from '../lib/ids.ts'
import { leaves } from '../testing/effects.ts'

/** The account that `storeCloudAccount` stores. */
const ACCOUNT = 'acc'

describe('the limits of a connected account', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  const ceilings = async (person: Client) =>
    (await person.call<{ thing: string; used: number }[]>('GET /connections/cloudflare/ceilings')).data

  async function register(person: Client, accountId: string, kinds: string[]): Promise<void> {
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    const at = app.clock.now()
    await app.platform.db
      .insertInto('resources')
      .values(
        kinds.map((kind) => ({
          id: newId('res'),
          org_id: person.organizationId,
          project_id: data.id,
          tier: 'shared' as const,
          kind: kind as 'worker',
          name: newId('res'),
          account_id: accountId,
          state: 'ok' as const,
          updated_at: at,
          created_at: at,
        })),
      )
      .execute()
  }

  test("the usage shown for a cloud account's limits counts the resources that this organization created there; workflows count as Workers", async () => {
    leaves({ events: { 'project.created': 3 } })
    const person = await app.signUp()
    assert.deepEqual(await ceilings(person), [], 'nothing is connected')
    await storeCloudAccount(app, person.organizationId)
    await register(person, ACCOUNT, ['worker', 'worker', 'workflow', 'object_namespace', 'queue', 'bucket'])
    await register(person, 'f'.repeat(32), ['worker'])
    const stranger = await app.signUp()
    await register(stranger, ACCOUNT, ['worker'])
    assert.deepEqual(await ceilings(person), [
      { thing: 'workers', used: 3, free: 100, paid: 500 },
      { thing: 'object_classes', used: 1, free: 100, paid: 500 },
      { thing: 'queues', used: 1, free: 10_000, paid: 10_000 },
    ])
  })
})
