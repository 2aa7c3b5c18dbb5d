import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMigrations } from '../db/migrate.ts'
import { blockingStatements, statementsOf, statementsOnRows } from './migration-statements.ts'

/** Databases had applied the migrations up to this number before the rules below existed. Those migrations can no longer change. */
const LAST_BEFORE_RULES = 43

describe('a migration and stored rows', () => {
  for (const sql of [
    `update tickets set title = ''`,
    'with old as (select 1) delete from tickets',
    'select recount_tickets(id) from projects',
    'drop table tickets',
    'create table copies as select * from tickets',
    'create unique index tickets_title on tickets (title)',
    'alter table tickets add column colour text, add constraint short check (length(title) < 9)',
    `alter table tickets add column colour text not null default 'red'`,
    `alter table tickets add column colour text default 'red'`,
    'alter table tickets alter column title set not null',
    'alter table tickets alter column title type varchar(9) using left(title, 9)',
    'alter table tickets drop column title',
    'alter table "user" rename column name to label',
  ])
    test(`a migration that may change stored rows, or fail because of them, is detected: ${sql}`, () => {
      assert.equal(statementsOnRows(sql).length, 1)
    })

  for (const sql of [
    `-- update tickets\ncreate table a (id text not null, b text check (b in ('x; update', '--')));`,
    'create table a (id text); create unique index a_id on a (id); alter table a add column b text not null',
    'create index tickets_title on tickets (title); drop index tickets_page',
    'create function f() returns trigger language plpgsql as $$ begin update tickets set title = id; end $$',
    'alter table tickets add column colour text, alter column title drop not null',
    `alter table tickets add column colour text check (colour in ('red', 'blue'))`,
    'alter table tickets drop constraint tickets_type_check, alter column title drop default',
  ])
    test(`a migration that neither changes nor checks stored rows is not reported: ${sql}`, () => {
      assert.deepEqual(statementsOnRows(sql), [])
    })
})

describe('a migration and the writes of other processes', () => {
  for (const sql of [
    'create index tickets_title on tickets (title)',
    'create unique index tickets_title on tickets (title)',
    'alter table tickets alter column body type json using body::json',
    'alter table tickets add column colour text, add column n bigint generated always as identity',
    `alter table tickets add column colour text; update tickets set colour = 'red' where id > ''`,
  ])
    test(`a migration that blocks writes while it processes a whole table is detected: ${sql}`, () => {
      assert.equal(blockingStatements(sql).length, 1)
    })

  for (const sql of [
    'create table a (id text); create index a_id on a (id)',
    'create index concurrently tickets_title on tickets (title)',
    'create unique index concurrently tickets_title on tickets (title)',
    `alter table tickets add column colour text not null default 'red'`,
    `alter table tickets add column colour text; update projects set name = ''`,
  ])
    test(`a migration that blocks writes only for a moment is not reported: ${sql}`, () => {
      assert.deepEqual(blockingStatements(sql), [])
    })

  test('no migration after number 43 blocks writes to an existing table while it indexes, rewrites or updates the table', async () => {
    for (const { number, name, sql } of await newerMigrations())
      assert.deepEqual(
        blockingStatements(sql),
        [],
        `see "Add a migration" in CONTRIBUTING.md: ${number}_${name}`,
      )
  })

  test('a migration after number 43 that runs outside a transaction only creates one index, so that it can be repeated after a failure', async () => {
    for (const { number, name, sql } of await newerMigrations()) {
      const isAlone = sql.startsWith('-- no transaction')
      const concurrent = statementsOf(sql).filter((statement) => statement.includes(' concurrently '))
      assert.equal(isAlone, concurrent.length > 0, `${number}_${name}`)
      if (isAlone) assert.equal(statementsOf(sql).length, 1, `${number}_${name}`)
    }
  })
})

async function newerMigrations() {
  return (await readMigrations()).filter(({ number }) => number > LAST_BEFORE_RULES)
}
