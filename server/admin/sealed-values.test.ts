import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { SealedPlace } from '../crypto/keyring.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { deadlockOnce } from '../testing/deadlock.ts'
import { findUnreadable, reencryptSealedValues } from './sealed-values.ts'

/** Encrypts nothing: a sealed value is the id of its key, its place and its text. No key decrypts the text `lost`. */
const keyring = {
  seal: (text: string, { table, id }: SealedPlace) => `k2.${table}/${id}.${text}`,
  open: (sealed: string, { table, id }: SealedPlace) => {
    const [, place, text = ''] = sealed.split('.')
    if (place !== `${table}/${id}` || text === 'lost') throw new Error('no key opens it')
    return text
  },
}

describe('encrypting all stored values again', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())
  beforeEach(() => database.pool.query('delete from mails'))

  /** Adds one mail for each of `texts`, sealed with the key `k1`. */
  const addMails = (texts: string[]) =>
    database.pool.query(
      `insert into mails (id, kind, recipient, state, content, created_at, updated_at)
       select 'mail_' || lpad(n::text, 4, '0'), 'verify', 'ann@example.test', 'held',
         'k1.mails/mail_' || lpad(n::text, 4, '0') || '.' || text, now(), now()
       from unnest($1::text[]) with ordinality m (text, n)`,
      [texts],
    )
  const contents = async () =>
    (await database.pool.query<{ content: string }>('select content from mails order by id')).rows.map(
      ({ content }) =>
        content
          .split('.')
          .filter((_part, n) => n !== 1)
          .join('.'),
    )
  const many = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`)
  async function seal() {
    const counts: number[] = []
    const { values, unreadable } = await reencryptSealedValues(database.db, keyring, 'k2', (count) =>
      counts.push(count),
    )
    return { values, unreadable, counts: [...new Set(counts)] }
  }

  test('every value that was encrypted with an older key is encrypted again with the newest key, in batches of five hundred', async () => {
    await addMails(many(1001))
    assert.deepEqual(await seal(), { values: 1001, unreadable: [], counts: [0, 500, 1000, 1001] })
    assert.deepEqual(
      await contents(),
      many(1001).map((text) => `k2.${text}`),
    )
    assert.deepEqual(await seal(), { values: 0, unreadable: [], counts: [0] })
  })

  test('a value that no key decrypts is left unchanged and reported with its column and row, and the other values are encrypted again', async () => {
    await addMails(['a', 'lost', 'b'])
    const unreadable = ['mails.content of mail_0002']
    assert.deepEqual(await seal(), { values: 2, unreadable, counts: [0, 3] })
    assert.deepEqual(await contents(), ['k2.a', 'k1.lost', 'k2.b'])
    assert.deepEqual(await findUnreadable(database.db, keyring), unreadable)
  })

  test('encrypted values are counted once even when the transaction of a batch deadlocks and is retried', async (t) => {
    await addMails(['lost', 'a', 'b'])
    await deadlockOnce(t, database.pool, 'update on mails')
    assert.deepEqual(await seal(), { values: 2, unreadable: ['mails.content of mail_0001'], counts: [0, 3] })
  })
})
