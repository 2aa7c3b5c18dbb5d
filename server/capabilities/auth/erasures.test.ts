import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import type { ProjectRow } from '../../projects/store.ts'
import { findProject } from '../../projects/store.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { liftRouteLimits } from '../../testing/route-limits.ts'
import { callOperator } from '../operator/call.ts'
import { recordErasure, readDueErasures } from './erasure-store.ts'
import { resumeErasures } from './erasures.ts'
import { leaves } from '../../testing/effects.ts'

interface AppUser {
  id: string
  name: string
  erasing: boolean
}
interface Report {
  removed: Record<string, number>
}
interface Entry {
  action: string
  actor: string
  target: string
  detail: string | null
}

const text = { type: 'text', required: true, search: true }
const MANIFEST = {
  slipway: 1,
  name: 'Members',
  uses: ['auth', 'data', 'files'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: { diary: { partition: 'user', read: 'owner', write: 'owner', fields: { text } } },
}
const ROUTES = `import { auth, files } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/photo', async (c) => {
  const { id } = await auth.require(c.req.raw)
  return c.json(await files.put('pixels', { name: 'me.png', type: 'text/plain', owner: id }))
})
`

/** The tests share one shipped app. Each test erases other people. */
describe('an erasure that is interrupted', () => {
  let cloud: CloudApp
  let operator: Client & { email: string }
  let project: ProjectRow
  let at: string
  let appUrl: string

  async function person(name: string): Promise<{ id: string; name: string; email: string }> {
    const account = { email: `${name.toLowerCase()}@example.test`, password: `${name} likes apples`, name }
    let cookie = ''
    const call = async (path: string, body: object) => {
      const answer = await cloudFetch(`${appUrl}${path}`, {
        method: 'POST',
        headers: { cookie },
        body: JSON.stringify(body),
      })
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      assert.equal(answer.status, 200, path)
      return (await answer.json()) as { data: { user: { id: string } } }
    }
    const { data } = await call('/_app/auth/sign-up', account)
    const ops = [{ op: 'create', collection: 'diary', fields: { text: 'Dear diary' } }]
    await call('/_app/data/mutate', { mutationId: crypto.randomUUID(), ops })
    await call('/api/photo', {})
    return { id: data.user.id, name, email: account.email }
  }
  const users = async () => (await operator.call<AppUser[]>(`GET ${at}/capabilities/auth/users`)).data
  const erasing = async (id: string) => (await users()).find((user) => user.id === id)?.erasing ?? null
  const erase = (id: string) => operator.call<Report>(`DELETE ${at}/capabilities/auth/users/${id}`)
  const keyOf = (userId: string) => ({ orgId: project.org_id, projectId: project.id, userId })
  const resume = () => resumeErasures.run(cloud.app.platform, new AbortController().signal)
  /**
   * Runs the scheduled task until the erasure is complete, because the first attempt may reach a worker that
   * is being replaced. Advances the clock, because the next attempt is due only minutes later.
   */
  const resumed = (id: string) =>
    until(async () => {
      cloud.app.clock.advance(5 * 60_000)
      await resume()
      return (await erasing(id)) === null
    })
  const erasures = async () => {
    const { data } = await operator.call<{ items: Entry[] }>(`GET /activity?projectId=${project.id}`)
    return data.items.filter(({ action }) => action === 'app_user.erase')
  }
  /** Makes the app refuse changes, as during a move to another account, so that an erasure stops at its first file. */
  const hold = (held: boolean) =>
    callOperator(cloud.app.platform, project, {
      tier: 'production',
      method: 'POST',
      path: '/transfer/hold',
      body: { held },
      result: z.object({ held: z.boolean() }),
    })

  before(async () => {
    cloud = await openCloudApp()
    liftRouteLimits(cloud.app)
    const made = await cloud.personWithProject('Members')
    operator = made.person
    at = made.path
    for (const key of ['auth', 'data', 'files'])
      await operator.call(`PUT ${at}/capabilities/${key}`, { enabled: true })
    const home = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
    const tree = new Map([
      ...starterTree('Members'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', home],
      ['server/routes.ts', ROUTES],
    ])
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
    const found = await findProject(cloud.app.platform.db, {
      orgId: operator.organizationId,
      projectId: made.project.id,
    })
    assert.ok(found)
    project = found
  })
  after(() => cloud.close())

  test("a person's erasure whose process died before the call to the app is listed as pending and completed later", async () => {
    leaves({ activity: { 'app_user.erase': 1 } })
    const { platform } = cloud.app
    const ada = await person('Adalberta')
    await recordErasure(platform, keyOf(ada.id), operator.email)
    assert.equal(await erasing(ada.id), true)
    // The first call was recorded just now and may still be running, so no second call may start.
    await resume()
    assert.equal(await erasing(ada.id), true)
    await resumed(ada.id)
    assert.deepEqual(await readDueErasures(platform), [])
    const [entry, ...rest] = await erasures()
    assert.deepEqual([entry?.actor, entry?.target, rest], [operator.email, project.slug, []])
    assert.equal((await erase(ada.id)).status, 404)
  })

  test("a person's erasure is in the activity log once, even if the process died before recording the completion", async () => {
    leaves({ activity: { 'app_user.erase': 1 } })
    const { platform, clock } = cloud.app
    const bob = await person('Bobathan')
    await recordErasure(platform, keyOf(bob.id), operator.email)
    const path = `/auth/users/${bob.id}`
    const request = { tier: 'production', method: 'DELETE', path, repeatable: true } as const
    await callOperator(platform, project, { ...request, result: z.unknown() })
    const before = (await erasures()).length
    clock.advance(61_000)
    await Promise.all([resume(), resume()])
    assert.equal((await erasures()).length, before + 1)
    await resume()
    assert.equal((await erasures()).length, before + 1)
    assert.equal((await erase(bob.id)).status, 404)
  })

  test('an erasure that the app cannot complete stays pending, and a later repetition reports everything that was removed', async () => {
    leaves({ activity: { 'app_user.erase': 2 } })
    const [cy, dee] = [await person('Cyrillius'), await person('Deederick')]
    await hold(true)
    for (const { id } of [cy, dee]) {
      const { status, error } = await erase(id)
      assert.deepEqual([status, error?.code], [502, 'upstream_error'])
      assert.match(error?.message ?? '', /The service continues until this person is erased\.$/)
      assert.equal(await erasing(id), true)
      const role = await operator.call(`POST ${at}/capabilities/auth/users/${id}/role`, { role: 'staff' })
      assert.equal(role.status, 404)
    }
    const { data: page } = await operator.call<{ items: AppUser[] }>(
      `GET ${at}/capabilities/auth/people?q=cyrill`,
    )
    assert.deepEqual(
      page.items.map(({ id, erasing: isOut }) => [id, isOut]),
      [[cy.id, true]],
    )

    // The next attempt is not due yet, because the pause between attempts has grown.
    cloud.app.clock.advance(61_000)
    await resume()
    assert.deepEqual([await erasing(cy.id), await erasing(dee.id)], [true, true])
    assert.deepEqual(await readDueErasures(cloud.app.platform), [])

    await hold(false)
    const signIn = { email: cy.email, password: `${cy.name} likes apples` }
    const refused = await cloudFetch(`${appUrl}/_app/auth/sign-in`, {
      method: 'POST',
      body: JSON.stringify(signIn),
    })
    assert.equal(refused.status, 401)
    const { data: report } = await erase(cy.id)
    const { sessions, records, files, fileBytes, searchEntries } = report.removed
    assert.deepEqual([sessions, records, files, fileBytes, searchEntries], [1, 1, 1, 6, 1])
    assert.equal((await erase(cy.id)).status, 404)
    await resumed(dee.id)
    assert.equal((await erase(dee.id)).status, 404)
  })

  test("the id of an erased app user is neither in the activity log nor in the data export of the app owner's account", async () => {
    leaves({
      activity: { 'account.exported': 2, 'app_user.erase': 1, 'app_user.role': 2, 'record.create': 2 },
    })
    const [eve, fay] = [await person('Evangelina'), await person('Fayetteville')]
    for (const { id } of [eve, fay]) {
      await operator.call(`POST ${at}/capabilities/auth/users/${id}/role`, { role: 'staff' })
      const record = `${at}/capabilities/data/records/diary/${id}`
      assert.equal((await operator.call(`POST ${record}`, { text: 'From the operator' })).error, undefined)
    }
    const exports = async () => {
      const answers = ['/activity', '/activity/export', '/account/export'].map((path) =>
        operator.raw(`GET ${path}`),
      )
      return Promise.all((await Promise.all(answers)).map((answer) => answer.text()))
    }
    for (const shown of await exports()) for (const { id } of [eve, fay]) assert.ok(shown.includes(id))
    assert.equal((await erase(eve.id)).status, 200)
    for (const shown of await exports()) {
      for (const canary of [eve.id, eve.name, eve.email]) assert.ok(!shown.includes(canary), canary)
      for (const word of [fay.id, 'erased/staff', 'diary/erased', 'app_user.erase'])
        assert.ok(shown.includes(word), word)
    }
  })

  test('erasing a person with an unknown id is a 404 and leaves no pending erasure', async () => {
    const id = `u_${'9'.repeat(26)}`
    assert.equal((await erase(id)).status, 404)
    cloud.app.clock.advance(61_000)
    assert.deepEqual(await readDueErasures(cloud.app.platform), [])
  })
})
