import { readMigrations } from '../db/migrate.ts'

const NAME = String.raw`(?:if (?:not )?exists )?(?:only )?("?\w+"?)`
const CREATES_TABLE = new RegExp(`^create (?:unlogged )?table ${NAME}`)
const ALTERS_TABLE = new RegExp(`^alter table ${NAME} (.*)$`)
const UPDATES_TABLE = new RegExp(`^update ${NAME}`)
const CREATES_INDEX = /^create (unique )?index (concurrently )?.*? on (?:only )?("?\w+"?)/
/** Statements that neither change nor check a row. Any statement that is not listed counts as one that may do so. */
const IGNORES_ROWS =
  /^(create (?!unique index|(unlogged )?table \S+ as\b)|drop (index|trigger|function)|comment on|set )/
/** Actions of `alter table` that change no row and cannot fail because of a row. */
const PASSES_EVERY_ROW =
  /^(drop constraint|set \(|alter column \S+ (drop (default|not null)|set (default|storage|statistics))|add column (?!.*\b(not null|default|generated|unique|primary key)\b))/
const REWRITES_TABLE =
  /^(alter column \S+ (set data )?type|add column .*\bgenerated\b|set (un)?logged|set tablespace)/

/**
 * Returns the statements of a migration on one line each, without comments. String literals and function bodies are emptied, because they
 * may contain semicolons and keywords.
 */
export function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/--[^\n]*|\$\$[\s\S]*?\$\$|'(?:[^']|'')*'/g, (part) => (part.startsWith('--') ? '' : `''`))
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}

/** Returns the statements that change, convert, delete or check rows that were stored before the migration. */
export function statementsOnRows(sql: string): string[] {
  const statements = statementsOf(sql)
  const isOld = tablesBefore(statements)
  return statements.filter((statement) => {
    const index = CREATES_INDEX.exec(statement)
    if (index !== null) return index[1] !== undefined && isOld(index[3])
    const altered = ALTERS_TABLE.exec(statement)
    if (altered !== null)
      return isOld(altered[1]) && !actionsOf(altered[2]).every((action) => PASSES_EVERY_ROW.test(action))
    return !IGNORES_ROWS.test(statement)
  })
}

/**
 * Returns the statements that block writes to an existing table for a time that grows with the number of rows: an index that is not created
 * concurrently, a rewrite, and an update after an `alter table`, whose lock is held until the commit.
 */
export function blockingStatements(sql: string): string[] {
  const statements = statementsOf(sql)
  const isOld = tablesBefore(statements)
  const altered = new Set(statements.map((statement) => ALTERS_TABLE.exec(statement)?.[1]))
  return statements.filter((statement) => {
    const index = CREATES_INDEX.exec(statement)
    if (index !== null) return index[2] === undefined && isOld(index[3])
    const alters = ALTERS_TABLE.exec(statement)
    if (alters !== null)
      return isOld(alters[1]) && actionsOf(alters[2]).some((action) => REWRITES_TABLE.test(action))
    const updated = UPDATES_TABLE.exec(statement)?.[1]
    return updated !== undefined && altered.has(updated) && isOld(updated)
  })
}

/** Returns the numbers of the migrations that may change existing rows, or fail because of them. */
export async function migrationsOfRows(): Promise<number[]> {
  const migrations = await readMigrations()
  return migrations.filter(({ sql }) => statementsOnRows(sql).length > 0).map(({ number }) => number)
}

function tablesBefore(statements: string[]): (table: string | undefined) => boolean {
  const created = new Set(statements.map((statement) => CREATES_TABLE.exec(statement)?.[1]))
  return (table) => !created.has(table)
}

/** Splits the actions of an `alter table` at the commas outside of parentheses. */
function actionsOf(text = ''): string[] {
  let depth = 0
  const actions = ['']
  for (const char of text) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += char
  }
  return actions.map((action) => action.trim())
}
