import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { ROOT } from '../lib.ts'
import { dumpSchema } from './schema-dump.ts'

describe('the schema dump', () => {
  let migrated: TestDatabase
  before(async () => {
    migrated = await testDatabase()
  })
  after(() => migrated.drop())

  test('server/db/schema.sql equals the schema that the migrations create', async () => {
    const checkedIn = readFileSync(join(ROOT, 'server/db/schema.sql'), 'utf8')
    const dump = await dumpSchema(migrated.pool)
    assert.deepEqual(dump.split('\n'), checkedIn.split('\n'), 'run npm run generate and commit the result')
  })

  test('an empty database that runs the schema dump has the same schema', async (t) => {
    const empty = await testDatabase({ empty: true })
    t.after(() => empty.drop())
    const dump = await dumpSchema(migrated.pool)
    await empty.pool.query(dump)
    assert.deepEqual((await dumpSchema(empty.pool)).split('\n'), dump.split('\n'))
  })

  test('the schema dump refuses a schema with anything that it does not support', async (t) => {
    const changed = await testDatabase()
    t.after(() => changed.drop())
    await changed.pool.query('create view open_tickets as select id from tickets')
    await assert.rejects(dumpSchema(changed.pool), /open_tickets/)
  })

  for (const [what, change] of Object.entries({
    'a column': 'alter table tickets add column colour text',
    'a type': 'alter table tickets alter column title type varchar(200)',
    'a default': `alter table tickets alter column title set default 'New'`,
    'a null': 'alter table tickets alter column title drop not null',
    'a constraint': `alter table tickets add constraint named check (title <> '')`,
    'an index': 'create index tickets_title on tickets (title)',
    'a trigger': 'drop trigger tickets_count on tickets',
  }))
    test(`the schema dump changes with ${what}`, async (t) => {
      const changed = await testDatabase()
      t.after(() => changed.drop())
      await changed.pool.query(change)
      assert.notEqual(await dumpSchema(changed.pool), await dumpSchema(migrated.pool))
    })
})
