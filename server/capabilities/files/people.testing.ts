import assert from 'node:assert/strict'
import { type AppTree, starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { openCloudApp } from '../../releases/testing.ts'
import type { Answer, Ref } from './testing.ts'

/** People of such an app; staff is whom the operator appointed. */
const PEOPLE = ['ada', 'bob', 'sam'] as const

/**
 * A deployed app in which people have files: ada, bob, and sam, who is staff. Any other name is a visitor.
 * @param changes of its `app.json`
 */
export async function openPeopleApp(changes: object, settings: object) {
  const cloud = await openCloudApp()
  const { person: operator, path: at, project } = await cloud.personWithProject('Photos')
  await operator.call(`PUT ${at}/capabilities/files`, { enabled: true, settings })
  const { data: auth } = await operator.call<{ enabled: boolean }>(`GET ${at}/capabilities/auth`)
  assert.equal(auth.enabled, true, 'accounts come with files')
  const manifest = { slipway: 1, name: 'Photos', uses: ['auth', 'files'], ...changes }
  if (manifest.uses.includes('data')) await operator.call(`PUT ${at}/capabilities/data`, { enabled: true })
  const pages = [{ path: '/', file: 'Home.tsx', title: 'Home' }]
  const tree: AppTree = new Map([
    ...starterTree('Photos'),
    ['app.json', JSON.stringify({ pages, collections: {}, ...manifest })],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
    ],
  ])
  await cloud.build(project.id, tree)
  const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
  assert.equal(shipped.error, undefined)
  const { url } = shipped.data
  const cookies: Record<string, string> = {}
  const ids: Record<string, string> = {}

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
  for (const name of PEOPLE) {
    const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
    const answer = await send(name, 'POST', '/_app/auth/sign-up', { body: JSON.stringify(account) })
    cookies[name] = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    ids[name] = ((await answer.json()) as Answer<{ user: { id: string } }>).data.user.id
  }
  await operator.call(`POST ${at}/capabilities/auth/users/${ids['sam']}/role`, { role: 'staff' })

  const open = (who: string, size: number, more: object = {}) =>
    json<{ id: string; token: string }>(who, 'POST', '/_app/files', {
      name: 'note.txt',
      type: 'text/plain',
      size,
      ...more,
    })
  const put = async ({ id, token }: { id: string; token: string }, size: number) =>
    (await (
      await send('visitor', 'PUT', `/_app/files/${id}`, {
        body: new Uint8Array(size).fill(97),
        headers: { 'x-files-token': token },
      })
    ).json()) as Answer<Ref>
  const upload = async (who: string, size = 100) => (await put((await open(who, size)).data, size)).data
  return { cloud, operator, at, url, ids, send, json, open, put, upload }
}

export type PeopleApp = Awaited<ReturnType<typeof openPeopleApp>>
