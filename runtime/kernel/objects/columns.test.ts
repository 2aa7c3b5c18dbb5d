import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { addColumns } from './columns.ts'
import { memoryStorage } from './sqlite.test.fixture.ts'

describe('a table of an earlier version', () => {
  let storage: ReturnType<typeof memoryStorage>
  beforeEach(() => {
    storage = memoryStorage()
    storage.sql.exec(
      'create table people (id text primary key, verified_at text, name text not null) without rowid',
    )
    storage.sql.exec("insert into people values ('u_1', null, 'Ada')")
  })
  const columns = () =>
    storage.sql
      .exec<{ name: string }>("select name from pragma_table_info('people')")
      .toArray()
      .map(({ name }) => name)

  test('a table of an earlier version gets the columns that it lacks, and its rows get their default', () => {
    addColumns(storage, 'people', { role: "text not null default 'member'", age: 'integer' })
    assert.deepEqual(
      storage.sql
        .exec<object>('select id, name, role, age from people')
        .toArray()
        .map((row) => ({ ...row })),
      [{ id: 'u_1', name: 'Ada', role: 'member', age: null }],
    )
  })

  test('a column that a table has is not added again, however often the table is opened', () => {
    for (let n = 0; n < 3; n++) addColumns(storage, 'people', { name: 'text', role: 'text' })
    assert.deepEqual(columns(), ['id', 'verified_at', 'name', 'role'])
  })

  test('a table gets a new column even if its name is a part of the name of another column', () => {
    addColumns(storage, 'people', { verified: 'integer not null default 0' })
    assert.deepEqual(columns(), ['id', 'verified_at', 'name', 'verified'])
  })
})
