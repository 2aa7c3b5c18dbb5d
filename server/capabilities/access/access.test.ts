import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ASSETS_CONFIG } from '../../agent/source/locked-config.ts'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { uploadAssets } from '../../cloudflare/products/assets.ts'
import { deleteWorker, putWorker } from '../../cloudflare/products/workers.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

interface Access {
  enabled: boolean
  since: string | null
  applied: boolean
}
const CODE = 'open sesame please'

const treeSaying = (word: string) =>
  new Map([
    ...starterTree('Private'),
    [
      'app.json',
      JSON.stringify({
        slipway: 1,
        name: 'Private',
        uses: ['auth', 'data'],
        pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
        collections: {},
      }),
    ],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
    ],
    [
      'server/routes.ts',
      `import { Hono } from 'hono'\nexport const routes = new Hono()\nroutes.get('/word', (c) => c.text('${word}'))\n`,
    ],
  ])

/** The tests run in order on one project, which the first test ships. */
describe('the access code of a live app', () => {
  let cloud: CloudApp
  let owner: Client
  let path: string
  let projectId: string
  let url: string

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Private')
    owner = made.person
    path = made.path
    projectId = made.project.id
    for (const key of ['auth', 'data']) await owner.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
  })
  after(() => cloud.close())

  const access = async () => (await owner.call<Access>(`GET ${path}/access`)).data
  const setCode = (code: string | null) => owner.call<Access>(`PUT ${path}/access`, { code })
  const applied = () => until(async () => (await access()).applied)
  const word = async (cookie = '') => {
    const answer = await cloudFetch(`${url}/api/word`, { headers: { cookie } })
    return answer.status === 200 ? await answer.text() : answer.status
  }
  const enter = async (code: string) => {
    const answer = await cloudFetch(`${url}/_app/gate`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ code, to: '/' }).toString(),
    })
    await answer.body?.cancel()
    return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const ship = async (said: string) => {
    await cloud.build(projectId, treeSaying(said))
    const shipped = await owner.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.error, undefined)
    url = shipped.data.url
  }

  const provisionRetries = async () => {
    const { rows } = await cloud.app.platform.pool.query<{ retries: string }>(
      `select coalesce(sum(retry_count), 0) as retries from pgboss.job where name = 'provision'`,
    )
    return Number(rows[0]?.retries)
  }

  const liveSha = async () => (await owner.call<{ sha: string }>(`GET ${path}/deploy`)).data.sha

  test('the access code of a project that is being deleted cannot be changed', async () => {
    const { project, person, path: at } = await cloud.personWithProject('Leaving')
    await cloud.app.platform.db
      .updateTable('projects')
      .set({ deleting_at: cloud.app.clock.now() })
      .where('id', '=', project.id)
      .execute()
    for (const code of [CODE, null]) {
      const refused = await person.call(`PUT ${at}/access`, { code })
      assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    }
    assert.equal((await person.call<Access>(`GET ${at}/access`)).data.enabled, false)
  })

  test('an access code of 8 to 100 characters can be set before an app is first deployed, and the live app asks for it', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'access_code.set': 1,
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 1, provision: 'any' },
    })
    for (const code of ['short', ' '.repeat(20), 'x'.repeat(101), 7])
      assert.equal(
        (await owner.call(`PUT ${path}/access`, { code })).error?.code,
        'invalid_request',
        String(code),
      )
    assert.deepEqual(await access(), { enabled: false, since: null, applied: true })
    assert.equal((await setCode(CODE)).data.enabled, true)
    await applied()
    await ship('one')
    assert.equal(await word(), 401)
    const { status, cookie } = await enter(CODE)
    assert.deepEqual([status, await word(cookie)], [303, 'one'])
  })

  test('no response, activity entry or database row contains the access code', async () => {
    const shown = JSON.stringify([
      await owner.call(`GET ${path}/access`),
      await owner.call(`GET ${path}`),
      await owner.call('GET /activity'),
    ])
    assert.ok(!shown.includes(CODE))
    const { rows } = await cloud.app.platform.pool.query<{ text: string }>(
      "select row_to_json(s)::text as text from capability_secrets s where key = 'access'",
    )
    assert.equal(rows.length, 1)
    assert.ok(!rows[0]!.text.includes(CODE))
  })

  test('a changed access code applies to the running app without a deployment and replaces the former code', async () => {
    leaves({ activity: { 'access_code.set': 1, 'worker.rebind': 1 }, jobs: { provision: 1 } })
    const before = await enter(CODE)
    await setCode('another code')
    await applied()
    assert.equal(await word(before.cookie), 401)
    assert.equal((await enter(CODE)).status, 401)
    const now = await enter('another code')
    assert.equal(await word(now.cookie), 'one')
  })

  test('removing or setting the access code opens or closes the running app without a build', async () => {
    leaves({
      activity: { 'access_code.remove': 1, 'access_code.set': 1, 'worker.rebind': 2 },
      jobs: { provision: 2 },
    })
    await setCode(null)
    await applied()
    assert.equal(await word(), 'one')
    assert.deepEqual(await access(), { enabled: false, since: null, applied: true })
    await setCode(CODE)
    await applied()
    assert.equal(await word(), 401)
  })

  test('deployments and rollbacks keep the current access code, even for a version that was uploaded without one', async () => {
    leaves({
      events: { 'project.deployed': 3, 'project.rolled_back': 2 },
      activity: {
        'access_code.remove': 1,
        'access_code.set': 1,
        'project.deployed': 3,
        'project.rolled_back': 2,
        'worker.address': 2,
        'worker.deploy': 5,
        'worker.rebind': 2,
        'worker.version': 4,
      },
      jobs: { deploy: 5, provision: 2 },
    })
    await setCode(null)
    await applied()
    // The rollbacks below return to the versions `two` and `three`, which are shipped without an access code.
    await ship('two')
    await ship('three')
    await setCode(CODE)
    await applied()
    await ship('four')
    assert.equal(await word(), 401)
    const { cookie } = await enter(CODE)
    assert.equal(await word(cookie), 'four')
    const { id } = await cloud.app.platform.db
      .selectFrom('resources')
      .select('id')
      .where('project_id', '=', projectId)
      .where('kind', '=', 'worker')
      .where('tier', '=', 'production')
      .executeTakeFirstOrThrow()
    for (const said of ['three', 'two']) {
      const rolled = await owner.call(`POST ${path}/resources/${id}/rollback`)
      assert.equal(rolled.error, undefined, JSON.stringify(rolled.error))
      assert.equal(await word(), 401, said)
      assert.equal(await word(cookie), said)
    }
  })

  test('reconciling a project restores its deleted app worker together with the access code', async () => {
    leaves({
      activity: {
        'project.reconciled': 1,
        'worker.address': 2,
        'worker.delete': 1,
        'worker.deploy failed': 1,
        'worker.upload': 1,
        'worker.version failed': 1,
      },
      jobs: { deploy: 1 },
    })
    await deleteWorker(await cloud.accountOf(owner.organizationId), 'private')
    const { error } = await owner.call(`POST ${path}/reconcile`)
    assert.equal(error, undefined)
    assert.equal(await word(), 401)
    assert.equal(await word((await enter(CODE)).cookie), 'two')
  })

  test('after several quick changes of the access code only the last code opens the app', async () => {
    leaves({ activity: { 'access_code.set': 4, 'worker.rebind': 'any' }, jobs: { provision: 'any' } })
    await Promise.all(['first code', 'second code', 'third code'].map(setCode))
    await setCode('the last code')
    await applied()
    const { cookie } = await enter('the last code')
    assert.equal(await word(cookie), 'two')
    for (const code of ['first code', 'second code', 'third code'])
      assert.equal((await enter(code)).status, 401)
  })

  for (const state of ['healthy', 'not healthy at first'])
    test(`setting an access code uploads an app's worker again when the deployed worker, ${state}, has no binding for the code`, async () => {
      leaves({
        activity: {
          'access_code.remove': 1,
          'access_code.set': 1,
          'assets.upload': 1,
          'worker.address': 'some',
          'worker.deploy': 'some',
          'worker.rebind': 'any',
          'worker.upload': 'some',
          'worker.version': 'some',
        },
        jobs: { provision: 'any' },
      })
      await setCode(null)
      await applied()
      // Replaces the app with an app of an earlier version of the service, whose worker has no binding for the code.
      const health = `{"ok":true,"data":{"status":"ok","release":"${await liveSha()}"}}`
      const account = await cloud.accountOf(owner.organizationId)
      const files = { '/index.html': { bytes: Buffer.from(state), contentType: 'text/html' } }
      await putWorker(account, 'private', {
        mainModule: 'app.js',
        modules: {
          'app.js': `let failures = ${state === 'healthy' ? 0 : 1}
          export default {
            fetch: (request) =>
              !request.url.endsWith('/health') ? new Response('old')
                : failures-- > 0 ? new Response(null, { status: 503 }) : new Response('${health}')
          }`,
        },
        bindings: [],
        tags: ['slipway', projectId],
        compatibility: { date: '2026-07-01', flags: [] },
        assets: { jwt: await uploadAssets(account, 'private', files), config: ASSETS_CONFIG },
      })
      assert.equal(await word(), 'old')
      const retries = await provisionRetries()
      await setCode(CODE)
      await applied()
      assert.equal(await provisionRetries(), retries)
      assert.equal(await word(), 401)
      assert.equal(await word((await enter(CODE)).cookie), 'two')
    })

  test('setting an access code needs the scope projects:write, and is a 404 for another organization', async () => {
    const reader = await cloud.app.keyFor(owner, ['projects:read'])
    assert.equal((await reader.call(`GET ${path}/access`)).status, 200)
    assert.equal((await reader.call(`PUT ${path}/access`, { code: CODE })).status, 403)
    assert.equal((await reader.call(`POST ${path}/capabilities/auth/handover`)).status, 403)
    const stranger = await cloud.app.signUp()
    assert.equal((await stranger.call(`GET ${path}/access`)).status, 404)
    assert.equal((await stranger.call(`PUT ${path}/access`, { code: CODE })).status, 404)
    assert.equal((await stranger.call(`POST ${path}/capabilities/auth/handover`)).status, 404)
  })

  describe('opening a live app from the console', () => {
    const open = () => owner.call<{ url: string }>(`POST ${path}/capabilities/auth/handover`)
    const arrive = async (token: string) => {
      const answer = await cloudFetch(`${url}/_app/auth/handover`, {
        method: 'POST',
        body: JSON.stringify({ token }),
      })
      const { data } = (await answer.json()) as { data?: { user: { role: string; id: string } } }
      const cookie = answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      return { status: answer.status, user: data?.user, cookie }
    }

    test('a link from the console signs a member in to the app as staff, works once and needs no access code', async () => {
      leaves({ activity: { 'app_user.handover': 2 } })
      const { data } = await open()
      const address = new URL(data.url)
      assert.equal(`${address.origin}${address.pathname}`, `${url}/_app/auth/handover`)
      const token = address.hash.slice(1)
      const came = await arrive(token)
      assert.deepEqual([came.status, came.user?.role], [200, 'staff'])
      assert.equal(await word(came.cookie), 'two')
      assert.equal((await arrive(token)).status, 401)
      const again = await arrive(new URL((await open()).data.url).hash.slice(1))
      assert.equal(again.user?.id, came.user?.id)
    })

    test("a member who opened the app from the console is listed among the app's users and can lose the staff role", async () => {
      leaves({ activity: { 'app_user.role': 1 } })
      const users = () =>
        owner.call<{ id: string; role: string; sessions: number }[]>(`GET ${path}/capabilities/auth/users`)
      const [one] = (await users()).data
      assert.deepEqual([one?.role, one?.sessions], ['staff', 2])
      await owner.call(`POST ${path}/capabilities/auth/users/${one?.id}/role`, { role: 'member' })
      assert.equal((await users()).data[0]?.role, 'member')
    })

    test('opening the app as staff is in the activity log, and the admin worker refuses the token of the link', async () => {
      leaves({ activity: { 'app_user.handover': 1 } })
      const { data } = await owner.call<{ items: { action: string; target: string }[] }>('GET /activity')
      const actions = data.items.map(({ action }) => action)
      assert.equal(actions.filter((action) => action === 'app_user.handover').length, 2)
      assert.ok(actions.includes('access_code.set') && actions.includes('access_code.remove'))
      const token = new URL((await open()).data.url).hash.slice(1)
      const admin = url.replace('//private.', '//private-admin.')
      assert.notEqual(admin, url)
      const answer = await cloudFetch(`${admin}/auth/users?limit=1`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(answer.status, 401)
    })

    test('a former member of the organization gets no link to open the app as staff', async () => {
      leaves({ activity: { 'app_user.handover': 1 } })
      const friend = await cloud.app.signUp()
      const { db } = cloud.app.platform
      const membership = await db
        .selectFrom('member')
        .selectAll()
        .where('organizationId', '=', friend.organizationId)
        .executeTakeFirstOrThrow()
      const ask = () => friend.call(`POST ${path}/capabilities/auth/handover`)
      await db
        .updateTable('member')
        .set({ organizationId: owner.organizationId, role: 'member' })
        .where('id', '=', membership.id)
        .execute()
      await db
        .updateTable('session')
        .set({ activeOrganizationId: owner.organizationId })
        .where('userId', '=', membership.userId)
        .execute()
      assert.equal((await ask()).status, 200)
      await db.deleteFrom('member').where('id', '=', membership.id).execute()
      const { status, data } = await ask()
      assert.ok(status >= 400, String(status))
      assert.equal(data, undefined)
    })

    test('an app whose auth capability is off cannot be opened as staff from the console', async () => {
      leaves({ events: { 'project.created': 1 } })
      const other = await owner.call<{ id: string }>('POST /projects', { name: 'Plain' })
      const { error } = await owner.call(`POST /projects/${other.data.id}/capabilities/auth/handover`)
      assert.equal(error?.code, 'not_enabled')
    })
  })
})
