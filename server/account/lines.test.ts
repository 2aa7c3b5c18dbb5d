import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { to as copyTo } from 'pg-copy-streams'
import type { ExportedTable } from '../lib/exported.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { copyStatement, LineWriter } from './lines.ts'

describe('rows that are read with COPY and written as lines of JSON', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.pool.query(
      'create table notes (n int, org text, body text, detail text, tags jsonb, log json)',
    )
  })
  after(() => database.drop())

  const NOTES: ExportedTable = {
    fields: {
      body: 'body',
      detail: 'detail',
      tags: { sql: 'tags::text', isJson: true },
      log: { sql: 'log::text', isJson: true },
    },
    from: 'notes where org = $1 order by n',
  }
  /** Every ASCII character, alone and between others, and the strings that JSON or `COPY` escapes in a special way. */
  const TEXTS = [
    ...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code + 1)),
    Array.from({ length: 127 }, (_, code) => `a${String.fromCharCode(code + 1)}`).join(''),
    '',
    '\\N',
    '\\N\\',
    '\\\\v\\u000b\\n',
    '"},{"kind":"note","',
    'Ä ß € 𝄞 \u2028\ufeff',
    '\v\v"\\"\v',
    '\u0001'.repeat(5000),
  ]

  async function copyNotes(organization: string): Promise<Buffer> {
    const client = await database.pool.connect()
    const chunks: Buffer[] = []
    for await (const chunk of client.query(copyTo(copyStatement(NOTES, organization))))
      chunks.push(chunk as Buffer)
    client.release()
    return Buffer.concat(chunks)
  }

  test('the account export writes text as JSON.stringify does, wherever the stream splits the bytes', async () => {
    const log = '[1,\n\t"a\\n\\"b\\\\"]'
    for (const [n, text] of TEXTS.entries())
      await database.pool.query('insert into notes values ($1, $2, $3, $4, $5, $6)', [
        n,
        "o'brien",
        text,
        n % 3 === 0 ? null : text,
        n % 4 === 0 ? null : JSON.stringify([text]),
        log,
      ])
    await database.pool.query(`insert into notes values (0, 'another', 'secret', null, null, null)`)
    const bytes = await copyNotes("o'brien")
    const expected = TEXTS.map((text, n) => ({
      kind: 'note',
      body: text,
      detail: n % 3 === 0 ? null : text,
      tags: n % 4 === 0 ? null : [text],
      log: [1, 'a\n"b\\'],
    }))
    for (const size of [1, 7, 4096, bytes.length]) {
      const lines = new LineWriter('note', NOTES)
      let text = ''
      for (let at = 0; at < bytes.length; at += size) text += lines.write(bytes.subarray(at, at + size))
      assert.equal(lines.rows, TEXTS.length)
      const written = text.split('\n')
      assert.equal(written.pop(), '')
      assert.deepEqual(
        written.map((line) => JSON.parse(line)),
        expected,
      )
      // Up to the columns that contain JSON already, each line equals the result of `JSON.stringify` byte for byte.
      for (const [n, { kind, body, detail }] of expected.entries())
        assert.ok(written[n]?.startsWith(JSON.stringify({ kind, body, detail }).slice(0, -1)), String(n))
    }
  })

  test('the account export has no line for an organization without rows', async () => {
    const lines = new LineWriter('note', NOTES)
    assert.deepEqual([lines.write(await copyNotes('none')).length, lines.rows], [0, 0])
  })
})
