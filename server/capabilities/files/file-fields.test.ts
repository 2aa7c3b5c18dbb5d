import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPeopleApp, type PeopleApp } from './testing.ts'

const photo = { type: 'file' } as const
const text = { type: 'text', required: true } as const
const COLLECTIONS = {
  plants: { partition: 'app', read: 'public', write: 'members', fields: { name: text, photo } },
  notes: { partition: 'user', fields: { name: text, photo } },
}

interface SavedRecords {
  records: { id: string; photo: string | null; rev: number }[]
}

describe('files in the fields of records', () => {
  let app: PeopleApp
  let count = 0

  before(async () => {
    const uses = ['auth', 'data', 'files']
    app = await openPeopleApp({ uses, collections: COLLECTIONS }, {})
  })
  after(() => app.cloud.close())

  const write = (who: string, op: object) =>
    app.json<SavedRecords>(who, 'POST', '/_app/data/mutate', { mutationId: `change-${count++}`, ops: [op] })
  const create = (who: string, collection: string, file: unknown) =>
    write(who, { op: 'create', collection, fields: { name: 'Fern', photo: file } })
  const linkOf = (collection: string, id: string, more = '') =>
    `/_app/files/in/${collection}/${id}/photo${more}`
  const statusFor = async (who: string, path: string) => (await app.send(who, 'GET', path)).status

  test('only people who may read a record can download the file that a field of the record references', async () => {
    const file = await app.upload('ada', 120)
    const open = (await create('ada', 'plants', file.id)).data.records[0]!
    const shown = await app.send('visitor', 'GET', linkOf('plants', open.id))
    assert.deepEqual([shown.status, (await shown.text()).length], [200, 120])
    assert.equal(shown.headers.get('cache-control'), 'private, no-store')
    const saved = await app.send('bob', 'GET', linkOf('plants', open.id, '?download=1'))
    assert.match(saved.headers.get('content-disposition') ?? '', /^attachment/)

    const own = (await create('ada', 'notes', file.id)).data.records[0]!
    assert.equal(await statusFor('ada', linkOf('notes', own.id)), 200)
    assert.equal(await statusFor('bob', linkOf('notes', own.id)), 404)
    assert.equal(await statusFor('visitor', linkOf('notes', own.id)), 401)
    const ofAda = `?partition=${app.ids['ada']}`
    assert.equal(await statusFor('bob', linkOf('notes', own.id, ofAda)), 404)
    assert.equal(await statusFor('sam', linkOf('notes', own.id, ofAda)), 200, 'staff read every record')
  })

  test("creating or changing a record with another person's file is refused", async () => {
    const file = await app.upload('ada')
    for (const collection of ['plants', 'notes']) {
      const { error } = await create('bob', collection, file.id)
      assert.deepEqual([error?.code, error?.message], ['invalid_request', 'photo: is not your file'])
      const { id } = (await create('bob', collection, null)).data.records[0]!
      const fields = { photo: file.id }
      const changed = await write('bob', { op: 'update', collection, id, fields })
      assert.equal(changed.error?.code, 'invalid_request', collection)
    }
    const missing = await create('bob', 'plants', '0'.repeat(26))
    assert.equal(missing.error?.message, 'photo: is not your file', 'says nothing of what exists')
    assert.equal((await create('bob', 'plants', 7)).error?.message, 'photo: must be an id')
  })

  test("a record keeps its reference to another person's file when other fields change, and staff may refer to any file", async () => {
    const file = await app.upload('ada')
    const { id } = (await create('ada', 'plants', file.id)).data.records[0]!
    const fields = { name: 'Moss', photo: file.id }
    const changed = await write('bob', { op: 'update', collection: 'plants', id, fields })
    assert.equal(changed.data.records[0]?.photo, file.id)
    assert.equal((await create('sam', 'plants', file.id)).ok, true)
    assert.equal((await create('sam', 'plants', '0'.repeat(26))).error?.code, 'invalid_request')
  })

  test('the download of a removed file is a 404, and a record keeps its reference to the file', async () => {
    const file = await app.upload('ada')
    const { id } = (await create('ada', 'plants', file.id)).data.records[0]!
    await app.json('ada', 'DELETE', `/_app/files/${file.id}`)
    assert.equal(await statusFor('ada', linkOf('plants', id)), 404)
    const record = await app.json<{ photo: string }>('ada', 'GET', `/_app/data/plants/${id}`)
    assert.equal(record.data.photo, file.id)
  })

  test("the download address of a record's file is a 404 for fields without a file, unknown collections and missing records", async () => {
    const { id } = (await create('ada', 'plants', null)).data.records[0]!
    for (const path of [
      `/_app/files/in/plants/${id}/name`,
      `/_app/files/in/plants/${id}/constructor`,
      `/_app/files/in/constructor/${id}/photo`,
      `/_app/files/in/plants/${id}/photo`,
      `/_app/files/in/plants/missing1/photo`,
    ])
      assert.equal(await statusFor('ada', path), 404, path)
  })
})
