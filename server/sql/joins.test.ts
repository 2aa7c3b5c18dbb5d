import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { joinProject } from './projects.ts'
import { joinTicket } from './tickets.ts'

describe('joins with the tables of other folders', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  const columnsOf = async (text: string) =>
    (await database.pool.query(text)).fields.map(({ name }) => name).toSorted()

  test('the SQL joins for projects and tickets expose only the columns that other folders may read', async () => {
    assert.deepEqual(await columnsOf(`select p.* from runs r ${joinProject('r')}`), [
      'deleting_at',
      'id',
      'lifecycle',
      'live_at',
      'model',
      'model_connection_id',
      'name',
      'org_id',
      'provision_error',
      'slug',
      'url',
    ])
    assert.deepEqual(await columnsOf(`select t.* from runs r ${joinTicket('r')}`), [
      'attachments',
      'depends_on',
      'id',
      'org_id',
      'project_id',
      'status',
      'title',
      'type',
    ])
    await assert.rejects(columnsOf(`select p.readme from runs r ${joinProject('r')}`), { code: '42703' })
    await assert.rejects(columnsOf(`select t.body from runs r ${joinTicket('r')}`), { code: '42703' })
  })
})
