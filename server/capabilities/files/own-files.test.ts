import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import type { Answer, Ref } from './testing.ts'

const ALLOWANCE = 10_000
const MANIFEST = {
  slipway: 1,
  name: 'Photos',
  uses: ['auth', 'files'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {},
}

/** One app with three people; each test leaves their shelves empty. */
describe('files of people who are signed in', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let url: string
  const cookies: Record<string, string> = {}
  const ids: Record<string, string> = {}

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Photos')
    operator = made.person
    at = made.path
    const settings = { maxBytes: 9_000, perUserBytes: ALLOWANCE }
    await operator.call(`PUT ${at}/capabilities/files`, { enabled: true, settings })
    const { data } = await operator.call<{ enabled: boolean }>(`GET ${at}/capabilities/auth`)
    assert.equal(data.enabled, true, 'accounts come with files')
    const tree = new Map([
      ...starterTree('Photos'),
      ['app.json', JSON.stringify(MANIFEST)],
      [
        'web/pages/Home.tsx',
        `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
      ],
    ])
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    url = shipped.data.url
    for (const name of ['ada', 'bob', 'sam']) {
      const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
      const answer = await send(name, 'POST', '/_app/auth/sign-up', { body: JSON.stringify(account) })
      cookies[name] = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
      ids[name] = ((await answer.json()) as Answer<{ user: { id: string } }>).data.user.id
    }
    await operator.call(`POST ${at}/capabilities/auth/users/${ids['sam']}/role`, { role: 'staff' })
  })
  after(() => cloud.close())

  const send = (
    who: string,
    method: string,
    path: string,
    { body, headers = {} }: { body?: string | Uint8Array<ArrayBuffer>; headers?: object } = {},
  ) =>
    cloudFetch(`${url}${path}`, {
      method,
      headers: { ...(cookies[who] && { cookie: cookies[who] }), ...headers },
      ...(body !== undefined && { body }),
    })
  const json = async <T>(who: string, method: string, path: string, body?: object) =>
    (await (
      await send(who, method, path, body === undefined ? {} : { body: JSON.stringify(body) })
    ).json()) as Answer<T>
  const open = (who: string, size: number, more: object = {}) =>
    json<{ id: string; token: string }>(who, 'POST', '/_app/files', {
      name: 'note.txt',
      type: 'text/plain',
      size,
      ...more,
    })
  const put = async ({ id, token }: { id: string; token: string }, size: number) =>
    (await (
      await send('nobody', 'PUT', `/_app/files/${id}`, {
        body: new Uint8Array(size).fill(97),
        headers: { 'x-files-token': token },
      })
    ).json()) as Answer<Ref>
  const upload = async (who: string, size = 100) => (await put((await open(who, size)).data, size)).data
  const list = async (who: string, query = '') =>
    (await json<{ items: Ref[] }>(who, 'GET', `/_app/files${query}`)).data?.items.map(({ id }) => id)
  const remove = (who: string, id: string) => json(who, 'DELETE', `/_app/files/${id}`)

  test('a person uploads, lists, opens, links and removes files of their own', async () => {
    const file = await upload('ada')
    assert.deepEqual([file.ownerId, file.key], [ids['ada'], `f/${ids['ada']}/${file.id}`])
    assert.deepEqual(await list('ada'), [file.id])
    const own = await send('ada', 'GET', `/_app/files/${file.id}`)
    assert.deepEqual([own.status, (await own.text()).length], [200, 100])
    assert.equal(own.headers.get('cache-control'), 'private, no-store')
    const link = await json<{ url: string }>('ada', 'GET', `/_app/files/${file.id}/url?seconds=60&download=1`)
    const linked = await send('nobody', 'GET', link.data.url)
    assert.deepEqual([linked.status, (await linked.text()).length], [200, 100])
    assert.match(linked.headers.get('content-disposition') ?? '', /^attachment/)
    assert.equal((await remove('ada', file.id)).ok, true)
    assert.deepEqual(await list('ada'), [])
    assert.equal((await send('nobody', 'GET', link.data.url)).status, 404)
  })

  test("another person's file is not found, whatever is tried with its id, and a visitor has none", async () => {
    const file = await upload('ada')
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/url'],
      ['DELETE', ''],
    ] as const) {
      const other = await send('bob', method, `/_app/files/${file.id}${path}`)
      assert.equal(other.status, 404, `${method} ${path}`)
      const missing = await send('bob', method, `/_app/files/${'0'.repeat(26)}${path}`)
      assert.equal(await other.text(), await missing.text(), 'tells nothing apart')
    }
    assert.deepEqual(await list('bob'), [])
    assert.equal((await json('bob', 'GET', `/_app/files?owner=${ids['ada']}`)).error?.code, 'not_found')
    assert.equal((await json('bob', 'GET', '/_app/files?everyone=1')).error?.code, 'not_found')
    assert.equal((await open('bob', 10, { owner: ids['ada'] })).ok, true)
    assert.deepEqual(await list('ada'), [file.id], 'nobody uploads for another person')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${file.id}/url`],
      ['DELETE', `/${file.id}`],
    ] as const)
      assert.equal(
        (await json('nobody', method, `/_app/files${path}`, method === 'POST' ? {} : undefined)).error?.code,
        'unauthorized',
        method + path,
      )
    assert.equal((await send('nobody', 'GET', `/_app/files/${file.id}`)).status, 404)
    await remove('ada', file.id)
  })

  test('staff see and remove files of everyone', async () => {
    const [one, two] = [await upload('ada'), await upload('bob')]
    assert.deepEqual((await list('sam', '?everyone=1'))?.sort(), [one.id, two.id].sort())
    assert.deepEqual(await list('sam', `?owner=${ids['ada']}`), [one.id])
    assert.deepEqual(await list('sam'), [])
    assert.equal((await send('sam', 'GET', `/_app/files/${one.id}`)).status, 200)
    assert.equal((await remove('sam', one.id)).ok, true)
    assert.deepEqual(await list('ada'), [])
    await remove('bob', two.id)
  })

  test('of two uploads at once that are too much together, one is taken, and a removed file makes room', async () => {
    const both = await Promise.all([open('ada', 6_000), open('ada', 6_000)])
    assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true])
    const refused = both.find(({ ok }) => !ok)
    assert.match(refused?.error?.message ?? '', new RegExp(`^size: more than the ${ALLOWANCE} bytes`))
    const file = (await put(both.find(({ ok }) => ok)!.data, 6_000)).data
    assert.equal((await open('ada', 4_001)).error?.code, 'invalid_request')
    assert.equal((await open('bob', 9_000)).ok, true, 'another person has an allowance of their own')
    await remove('ada', file.id)
    assert.equal((await open('ada', 9_000)).ok, true)
  })

  test('bytes that are not the announced ones are refused and stay no file', async () => {
    const { data } = await open('sam', 500)
    assert.equal((await put(data, 400)).ok, false)
    assert.equal((await put(data, 600)).ok, false)
    assert.deepEqual(await list('sam'), [])
  })

  test('the operator sees whose files they are, and erasing a person ends uploads that are under way', async () => {
    const file = await upload('sam', 50)
    const { data } = await operator.call<{ items: { key: string; ownerId: string | null }[] }>(
      `GET ${at}/capabilities/files/objects`,
    )
    assert.equal(data.items.find(({ key }) => key === file.key)?.ownerId, ids['sam'])
    const going = (await open('sam', 60)).data
    const erased = await operator.call<{ removed: { files: number } }>(
      `DELETE ${at}/capabilities/auth/users/${ids['sam']}`,
    )
    assert.equal(erased.data.removed.files, 1)
    assert.equal((await put(going, 60)).error?.code, 'not_found')
    const after = await operator.call<{ items: object[] }>(`GET ${at}/capabilities/files/objects`)
    assert.deepEqual(after.data.items, [])
    assert.equal((await json('sam', 'GET', '/_app/files')).error?.code, 'unauthorized')
  })

  test('a session that has ended opens no file of its person', async () => {
    const file = await upload('bob', 70)
    await send('bob', 'POST', '/_app/auth/sign-out', { body: '{}' })
    assert.equal((await json('bob', 'GET', `/_app/files/${file.id}`)).error?.code, 'unauthorized')
    assert.equal((await json('bob', 'GET', '/_app/files')).error?.code, 'unauthorized')
  })
})
