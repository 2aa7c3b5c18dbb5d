import { sql } from 'kysely'
import type { Keyring, SealedPlace } from '../crypto/keyring.ts'
import { type SealedColumn, SEALED_COLUMNS } from '../crypto/sealed-columns.ts'
import { type Db, transact, type Trx } from '../db/database.ts'

type ListedColumn = SealedColumn & Pick<SealedPlace, 'table' | 'column'>

interface SealedValue {
  sealed: string
  place: SealedPlace
  row: string
}

const ROWS_PER_BATCH = 500

/**
 * Encrypts every value again that was encrypted with an older key, in transactions of 500. Returns the number of
 * values, and the places of the values that no key decrypts. `onBatch` receives the count so far.
 */
export async function reencryptSealedValues(
  db: Db,
  keyring: Pick<Keyring, 'open' | 'seal'>,
  newest: string,
  onBatch: (values: number) => void,
): Promise<{ values: number; unreadable: string[] }> {
  let values = 0
  const unreadable: string[] = []
  for (const column of await presentColumns(db))
    for (let afterId: string | undefined = ''; afterId !== undefined;) {
      const { batch, lost } = await sealBatch(db, keyring, column, { not: newest, afterId })
      values += batch.length
      unreadable.push(...lost)
      onBatch(values)
      afterId = batch.at(-1)?.row
    }
  return { values: values - unreadable.length, unreadable }
}

/** Encrypts one batch again. Returns the batch's values, and the places of the values that no key decrypts. */
const sealBatch = (
  db: Db,
  keyring: Pick<Keyring, 'open' | 'seal'>,
  column: ListedColumn,
  from: { not: string; afterId: string },
): Promise<{ batch: SealedValue[]; lost: string[] }> =>
  transact(db, async (trx) => {
    const batch = await readBatch(trx, column, from)
    const lost: string[] = []
    for (const value of batch) {
      const text = openOrNull(keyring, value)
      if (text === null) lost.push(describePlace(value.place))
      else await replaceSealedValue(trx, column, value, keyring.seal(text, value.place))
    }
    return { batch, lost }
  })

/** Returns the places of all values that no key decrypts, so that the operator sees them at once. */
export async function findUnreadable(db: Db | Trx, keyring: Pick<Keyring, 'open'>): Promise<string[]> {
  const unreadable: string[] = []
  for (const column of await presentColumns(db))
    for (let afterId: string | undefined = ''; afterId !== undefined;) {
      const batch: SealedValue[] = await readBatch(db, column, { not: '', afterId })
      for (const value of batch)
        if (openOrNull(keyring, value) === null) unreadable.push(describePlace(value.place))
      afterId = batch.at(-1)?.row
    }
  return unreadable
}

/** Returns the encrypted columns that this database has. Some are missing when an older release migrated the database last. */
async function presentColumns(db: Db | Trx): Promise<ListedColumn[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public'`.execute(db)
  const present = new Set(rows.map(({ table, column }) => `${table}.${column}`))
  return SEALED_COLUMNS.filter(({ table, column }) => present.has(`${table}.${column}`))
}

/** Reads in the order of row ids, so that the next batch continues after the last id of this one. */
async function readBatch(
  db: Db | Trx,
  { table, column, id, organization, row = id }: ListedColumn,
  { not, afterId }: { not: string; afterId: string },
): Promise<SealedValue[]> {
  const { rows } = await sql<{ sealed: string; id: string; organization: string; row: string }>`
    select ${sql.ref(column)} as sealed, ${sql.raw(id)} as id, ${sql.raw(organization)} as organization,
      ${sql.raw(row)} as row
    from ${sql.table(table)}
    where split_part(${sql.ref(column)}, '.', 1) <> ${not} and (${sql.raw(row)}) collate "C" > ${afterId}
    order by (${sql.raw(row)}) collate "C" limit ${ROWS_PER_BATCH}`.execute(db)
  return rows.map((found) => ({
    sealed: found.sealed,
    place: { table, id: found.id, column, organizationId: found.organization },
    row: found.row,
  }))
}

async function replaceSealedValue(
  trx: Trx,
  { table, column, id, row = id }: ListedColumn,
  value: SealedValue,
  next: string,
) {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${next}
    where ${sql.raw(row)} = ${value.row} and ${sql.ref(column)} = ${value.sealed}`.execute(trx)
}

function openOrNull(keyring: Pick<Keyring, 'open'>, { sealed, place }: SealedValue): string | null {
  try {
    return keyring.open(sealed, place)
  } catch {
    return null
  }
}

const describePlace = ({ table, column, id }: SealedPlace): string => `${table}.${column} of ${id}`
