import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPeopleApp, type PeopleApp, type Ref } from './testing.ts'

const ALLOWANCE = 10_000
/** One app with three people; each test leaves their shelves empty. */
describe('files of people who are signed in', () => {
  let app: PeopleApp

  before(async () => {
    app = await openPeopleApp({}, { maxBytes: 9_000, perUserBytes: ALLOWANCE })
  })
  after(() => app.cloud.close())

  const list = async (who: string, query = '') =>
    (await app.json<{ items: Ref[] }>(who, 'GET', `/_app/files${query}`)).data?.items.map(({ id }) => id)
  const remove = (who: string, id: string) => app.json(who, 'DELETE', `/_app/files/${id}`)

  test('a person uploads, lists, opens, links and removes files of their own', async () => {
    const file = await app.upload('ada')
    assert.deepEqual([file.ownerId, file.key], [app.ids['ada'], `f/${app.ids['ada']}/${file.id}`])
    assert.deepEqual(await list('ada'), [file.id])
    const own = await app.send('ada', 'GET', `/_app/files/${file.id}`)
    assert.deepEqual([own.status, (await own.text()).length], [200, 100])
    assert.equal(own.headers.get('cache-control'), 'private, no-store')
    const link = await app.json<{ url: string }>(
      'ada',
      'GET',
      `/_app/files/${file.id}/url?seconds=60&download=1`,
    )
    const linked = await app.send('visitor', 'GET', link.data.url)
    assert.deepEqual([linked.status, (await linked.text()).length], [200, 100])
    assert.match(linked.headers.get('content-disposition') ?? '', /^attachment/)
    assert.equal((await remove('ada', file.id)).ok, true)
    assert.deepEqual(await list('ada'), [])
    assert.equal((await app.send('visitor', 'GET', link.data.url)).status, 404)
  })

  test("another person's file is not found, whatever is tried with its id, and a visitor has none", async () => {
    const file = await app.upload('ada')
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/url'],
      ['DELETE', ''],
    ] as const) {
      const other = await app.send('bob', method, `/_app/files/${file.id}${path}`)
      assert.equal(other.status, 404, `${method} ${path}`)
      const missing = await app.send('bob', method, `/_app/files/${'0'.repeat(26)}${path}`)
      assert.equal(await other.text(), await missing.text(), 'tells nothing apart')
    }
    assert.deepEqual(await list('bob'), [])
    assert.equal(
      (await app.json('bob', 'GET', `/_app/files?owner=${app.ids['ada']}`)).error?.code,
      'not_found',
    )
    assert.equal((await app.json('bob', 'GET', '/_app/files?everyone=1')).error?.code, 'not_found')
    assert.equal((await app.open('bob', 10, { owner: app.ids['ada'] })).ok, true)
    assert.deepEqual(await list('ada'), [file.id], 'nobody uploads for another person')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${file.id}/url`],
      ['DELETE', `/${file.id}`],
    ] as const)
      assert.equal(
        (await app.json('visitor', method, `/_app/files${path}`, method === 'POST' ? {} : undefined)).error
          ?.code,
        'unauthorized',
        method + path,
      )
    assert.equal((await app.send('visitor', 'GET', `/_app/files/${file.id}`)).status, 404)
    await remove('ada', file.id)
  })

  test('staff see and remove files of everyone', async () => {
    const [one, two] = [await app.upload('ada'), await app.upload('bob')]
    assert.deepEqual((await list('sam', '?everyone=1'))?.sort(), [one.id, two.id].sort())
    assert.deepEqual(await list('sam', `?owner=${app.ids['ada']}`), [one.id])
    assert.deepEqual(await list('sam'), [])
    assert.equal((await app.send('sam', 'GET', `/_app/files/${one.id}`)).status, 200)
    assert.equal((await remove('sam', one.id)).ok, true)
    assert.deepEqual(await list('ada'), [])
    await remove('bob', two.id)
  })

  test('of two uploads at once that are too much together, one is taken, and a removed file makes room', async () => {
    const both = await Promise.all([app.open('ada', 6_000), app.open('ada', 6_000)])
    assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true])
    const refused = both.find(({ ok }) => !ok)
    assert.match(refused?.error?.message ?? '', new RegExp(`^size: more than the ${ALLOWANCE} bytes`))
    const file = (await app.put(both.find(({ ok }) => ok)!.data, 6_000)).data
    assert.equal((await app.open('ada', 4_001)).error?.code, 'invalid_request')
    assert.equal((await app.open('bob', 9_000)).ok, true, 'another person has an allowance of their own')
    await remove('ada', file.id)
    assert.equal((await app.open('ada', 9_000)).ok, true)
  })

  test('bytes that are not the announced ones are refused and stay no file', async () => {
    const { data } = await app.open('sam', 500)
    assert.equal((await app.put(data, 400)).ok, false)
    assert.equal((await app.put(data, 600)).ok, false)
    assert.deepEqual(await list('sam'), [])
  })

  test('the operator sees whose files they are, and erasing a person ends uploads that are under way', async () => {
    const file = await app.upload('sam', 50)
    const { data } = await app.operator.call<{ items: { key: string; ownerId: string | null }[] }>(
      `GET ${app.at}/capabilities/files/objects`,
    )
    assert.equal(data.items.find(({ key }) => key === file.key)?.ownerId, app.ids['sam'])
    const going = (await app.open('sam', 60)).data
    const erased = await app.operator.call<{ removed: { files: number } }>(
      `DELETE ${app.at}/capabilities/auth/users/${app.ids['sam']}`,
    )
    assert.equal(erased.data.removed.files, 1)
    assert.equal((await app.put(going, 60)).error?.code, 'not_found')
    const after = await app.operator.call<{ items: object[] }>(`GET ${app.at}/capabilities/files/objects`)
    assert.deepEqual(after.data.items, [])
    assert.equal((await app.json('sam', 'GET', '/_app/files')).error?.code, 'unauthorized')
  })

  test('a session that has ended opens no file of its person', async () => {
    const file = await app.upload('bob', 70)
    await app.send('bob', 'POST', '/_app/auth/sign-out', { body: '{}' })
    assert.equal((await app.json('bob', 'GET', `/_app/files/${file.id}`)).error?.code, 'unauthorized')
    assert.equal((await app.json('bob', 'GET', '/_app/files')).error?.code, 'unauthorized')
  })
})
