import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testDatabase } from '../testing/database.ts'
import { isoTime, jsonFields, jsonList, jsonTime, jsonValue, jsonWord, jsonOrNull } from './sql-json.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
async function readObject(fields: Record<string, string>): Promise<unknown> {
  const { rows } = await database.pool.query<{ text: string }>(`select ${jsonFields(fields)} as text`)
  return JSON.parse(`{${rows[0]?.text}}`)
}

describe('JSON written by the database', () => {
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('every kind of SQL value becomes the JSON of that value', async () => {
    const object = await readObject({
      id: jsonWord(`'tkt_1'`),
      parent: jsonOrNull(jsonWord('null::text')),
      title: jsonValue(`E'say "hi"\\n\\\\ \\u00e9'::text`),
      url: jsonOrNull(jsonValue('null::text')),
      labels: jsonValue(`array['a "b"', 'c']`),
      attachments: jsonList(`array['a "b"', 'c']`),
      dependsOn: jsonList(`'{}'::text[]`),
    })
    assert.deepEqual(object, {
      id: 'tkt_1',
      parent: null,
      title: 'say "hi"\n\\ é',
      url: null,
      labels: ['a "b"', 'c'],
      attachments: ['a "b"', 'c'],
      dependsOn: [],
    })
  })

  test("a time in JSON from the database always has milliseconds and is in UTC, whatever the session's time zone", async () => {
    for (const [stored, shown] of [
      ['2026-11-20 18:00:00+00', '2026-11-20T18:00:00.000Z'],
      ['2026-11-20 18:00:00.5+02', '2026-11-20T16:00:00.500Z'],
      ['2026-12-31 23:59:59.999+00', '2026-12-31T23:59:59.999Z'],
    ]) {
      const time = `'${stored}'::timestamptz(3)`
      assert.deepEqual(await readObject({ at: jsonTime(time), iso: jsonValue(isoTime(time)) }), {
        at: shown,
        iso: shown,
      })
    }
    assert.deepEqual(await readObject({ at: jsonOrNull(jsonTime('null::timestamptz')) }), { at: null })
  })
})
