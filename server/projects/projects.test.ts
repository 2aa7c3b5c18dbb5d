import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Plan } from '../billing-plans.ts'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { Project } from './projects.routes.ts'
import { leaves } from '../testing/effects.ts'

interface ProjectRecord {
  id: string
  name: string
  slug: string
  slugLocked: boolean
  lifecycle: string
}
interface Page {
  items: ProjectRecord[]
  nextCursor: string | null
}

describe('projects', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  async function createProject(client: Client, name?: string): Promise<ProjectRecord> {
    app.clock.advance(1)
    const made = await client.call<ProjectRecord>('POST /projects', { name })
    assert.equal(made.status, 200, String(made.error?.message))
    return made.data
  }

  const setPlan = (client: Client, plan: Plan) =>
    app.platform.db
      .updateTable('organization_settings')
      .set({ plan })
      .where('org_id', '=', client.organizationId)
      .execute()

  test('a project created without a name gets the default name and a unique URL slug, and emits one event', async () => {
    leaves({ events: { 'project.created': 2 } })
    const owner = await app.signUp()
    const first = await createProject(owner)
    const second = await createProject(owner)
    assert.equal(first.name, 'Untitled project')
    assert.equal(first.slug, 'untitled-project')
    assert.equal(second.slug, 'untitled-project-2')
    assert.equal(first.lifecycle, 'offline')
    assert.ok(Project.parse(first))
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'project.created'])
  })

  test('the URL slug of a project follows its name until the slug is set explicitly', async () => {
    leaves({ events: { 'project.created': 1, 'project.renamed': 2 } })
    const owner = await app.signUp()
    const { id } = await createProject(owner, 'Plants')
    const renamed = await owner.call<ProjectRecord>(`PATCH /projects/${id}`, { name: 'Office Plants' })
    assert.equal(renamed.data.slug, 'office-plants')
    const set = await owner.call<ProjectRecord>(`PATCH /projects/${id}`, { slug: 'green' })
    assert.equal(set.data.slug, 'green')
    const again = await owner.call<ProjectRecord>(`PATCH /projects/${id}`, { name: 'Jungle' })
    assert.deepEqual([again.data.name, again.data.slug], ['Jungle', 'green'])
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'project.renamed', 'project.renamed'])
  })

  test('the URL slug of a project no longer follows the name once the slug is set, even to its current value', async () => {
    leaves({ events: { 'project.created': 1, 'project.renamed': 1 } })
    const owner = await app.signUp()
    const { id, slug } = await createProject(owner, 'Plants')
    await owner.call(`PATCH /projects/${id}`, { slug })
    const renamed = await owner.call<ProjectRecord>(`PATCH /projects/${id}`, { name: 'Garden' })
    assert.equal(renamed.data.slug, slug)
  })

  test("a project's failed provisioning has an error code and a message, whether a capability or a deployment failed", async () => {
    leaves({ events: { 'project.created': 1 } })
    const owner = await app.signUp()
    const { id } = await createProject(owner, 'Plants')
    await app.platform.db
      .insertInto('capabilities')
      .values({
        project_id: id,
        key: 'data',
        enabled: true,
        settings: JSON.stringify({}),
        state: 'error',
        error: 'product_disabled: R2 is off: switch it on.',
        generation: 1,
        deployed_at: null,
        created_at: app.clock.now(),
      })
      .execute()
    const readProvision = async () =>
      (await owner.call<{ provision: object }>(`GET /projects/${id}`)).data.provision
    const error = { code: 'product_disabled', message: 'R2 is off: switch it on.' }
    assert.deepEqual(await readProvision(), { state: 'error', error })
    await app.platform.db
      .updateTable('projects')
      .set({ provision_error: 'It did not start.' })
      .where('id', '=', id)
      .execute()
    const failed = { code: 'deploy_failed', message: 'It did not start.' }
    assert.deepEqual(await readProvision(), { state: 'error', error: failed })
  })

  test('an old error of a capability that is switched off does not show its project as failed', async () => {
    leaves({ events: { 'project.created': 1 } })
    const owner = await app.signUp()
    const { id } = await createProject(owner, 'Plants')
    await app.platform.db
      .insertInto('capabilities')
      .values({
        project_id: id,
        key: 'data',
        enabled: false,
        settings: JSON.stringify({}),
        state: 'error',
        error: 'product_disabled: R2 is off: switch it on.',
        generation: 1,
        deployed_at: null,
        created_at: app.clock.now(),
      })
      .execute()
    const { data } = await owner.call<{ provision: object }>(`GET /projects/${id}`)
    assert.deepEqual(data.provision, { state: 'idle', error: null })
  })

  test('a taken, locked or malformed URL slug for a project is refused and nothing changes', async () => {
    leaves({ events: { 'project.created': 2 } })
    const owner = await app.signUp()
    const taken = await createProject(owner, 'Taken')
    const { id } = await createProject(owner, 'Mine')
    const clash = await owner.call(`PATCH /projects/${id}`, { slug: taken.slug, name: 'Changed' })
    assert.deepEqual([clash.status, clash.error?.code], [409, 'conflict'])
    const reserved = await owner.call(`PATCH /projects/${id}`, { slug: 'mine-preview' })
    assert.deepEqual([reserved.status, reserved.error?.message], [400, 'slug: must not end in -preview'])
    await app.platform.db
      .updateTable('projects')
      .set({ slug_locked_at: app.clock.now() })
      .where('org_id', '=', owner.organizationId)
      .where('id', '=', id)
      .execute()
    const locked = await owner.call(`PATCH /projects/${id}`, { slug: 'other' })
    assert.equal(locked.status, 409)
    const after = await owner.call<ProjectRecord>(`GET /projects/${id}`)
    assert.deepEqual([after.data.name, after.data.slug, after.data.slugLocked], ['Mine', 'mine', true])
  })

  test('pages of projects are newest first and contain each project once, even when created in the same millisecond', async () => {
    leaves({ events: { 'project.created': 7 } })
    const owner = await app.signUp()
    const made = []
    for (let n = 0; n < 7; n++)
      made.push((await owner.call<ProjectRecord>('POST /projects', { name: `Same ${n}` })).data.id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const page: Page = (await owner.call<Page>(`GET /projects?limit=3${query}`)).data
      seen.push(...page.items.map((item) => item.id))
      cursor = page.nextCursor
    } while (cursor !== null)
    assert.deepEqual(seen, made.toSorted().toReversed())
  })

  test('a project created or deleted during paging neither shows a project twice nor hides one', async () => {
    leaves({ events: { 'project.created': 7, 'project.deleted': 1 }, activity: { 'project.deleted': 1 } })
    const owner = await app.signUp()
    const made: string[] = []
    for (let n = 0; n < 6; n++) made.push((await createProject(owner, `Page ${n}`)).id)
    const first = (await owner.call<Page>('GET /projects?limit=2')).data
    await createProject(owner, 'Newer')
    const shown = first.items.map((item) => item.id)
    await owner.call(`DELETE /projects/${shown[1]}`)
    const rest = (await owner.call<Page>(`GET /projects?limit=100&cursor=${first.nextCursor}`)).data
    assert.deepEqual([...shown, ...rest.items.map((item) => item.id)], made.toReversed())
    assert.equal(rest.nextCursor, null)
  })

  test('project search matches % and _ literally, and each of them counts as two of the 48 characters of a query', async () => {
    leaves({ events: { 'project.created': 2 } })
    const owner = await app.signUp()
    await createProject(owner, '100% Wool')
    await createProject(owner, '1000 Wools')
    const found = await owner.call<Page>(`GET /projects?q=${encodeURIComponent('0% WOOL')}`)
    assert.deepEqual(
      found.data.items.map((item) => item.name),
      ['100% Wool'],
    )
    assert.equal((await owner.call(`GET /projects?q=${'_'.repeat(24)}`)).status, 200)
    for (const q of ['_'.repeat(25), 'x'.repeat(49), `${'x'.repeat(47)}%`]) {
      const long = await owner.call(`GET /projects?q=${encodeURIComponent(q)}`)
      assert.equal(long.status, 400)
      assert.match(long.error?.message ?? '', /^q: /)
    }
  })

  test('project search ignores case and Unicode form, and counts an emoji as one of the 48 characters that a query may have', async () => {
    leaves({ events: { 'project.created': 1 } })
    const owner = await app.signUp()
    await createProject(owner, 'Cactus 🌵 Straße')
    const findNames = async (q: string) =>
      (await owner.call<Page>(`GET /projects?q=${encodeURIComponent(q)}`)).data.items.length
    assert.equal(await findNames('🌵'.repeat(48)), 0, '48 characters, though 96 UTF-16 units')
    assert.equal((await owner.call(`GET /projects?q=${encodeURIComponent('🌵'.repeat(49))}`)).status, 400)
    for (const q of ['🌵', 'CACTUS', 'ｃａｃｔｕｓ', 'us 🌵 s', '']) assert.equal(await findNames(q), 1, q)
    for (const q of ['\\', 'c%s', 'cactus_']) assert.equal(await findNames(q), 0, q)
  })

  test('the plans allow 10, 50, 200 and any number of projects', async () => {
    leaves({ events: { 'project.created': 5 } })
    for (const [plan, cap] of [
      ['free', 10],
      ['starter', 50],
      ['pro', 200],
      ['enterprise', null],
    ] as const) {
      const owner = await app.signUp()
      await setPlan(owner, plan)
      const at = app.clock.now()
      const held = (cap ?? 250) - 1
      await app.platform.db
        .insertInto('projects')
        .values(
          Array.from({ length: held }, (_, n) => ({
            id: `prj_${plan.slice(0, 4)}${String(n).padStart(22, '0')}`,
            org_id: owner.organizationId,
            name: `P${n}`,
            name_fold: `p${n}`,
            slug: `held-${n}`,
            created_at: at,
            updated_at: at,
          })),
        )
        .execute()
      assert.equal((await owner.call('POST /projects', {})).status, 200, plan)
      const over = await owner.call('POST /projects', {})
      assert.deepEqual(
        [over.status, over.error?.code],
        cap === null ? [200, undefined] : [402, 'payment_required'],
      )
    }
  })

  test('every project gets a valid and unique URL slug, even with a name that is too long or has a reserved ending', async () => {
    leaves({ events: { 'project.created': 44 } })
    const owner = await app.signUp()
    for (const name of ['a'.repeat(80), `${'b'.repeat(39)}-live`, 'My preview', '日本']) {
      const slugs = []
      for (let n = 0; n < 11; n++) slugs.push((await createProject(owner, name)).slug)
      assert.equal(new Set(slugs).size, 11, name)
      for (const slug of slugs)
        assert.match(slug, /^(?!.*-(preview|admin|live|assets)$)(?=.{3,50}$)[a-z0-9]+(-[a-z0-9]+)*$/)
    }
  })

  test('the number of projects never exceeds the limit of the plan, even when they are created at the same moment', async () => {
    leaves({ events: { 'project.created': 10 } })
    const owner = await app.signUp()
    await setPlan(owner, 'free')
    const answers = await Promise.all(Array.from({ length: 14 }, () => owner.call('POST /projects', {})))
    const statuses = answers.map((answer) => answer.status)
    assert.equal(statuses.filter((status) => status === 200).length, 10)
    assert.equal(statuses.filter((status) => status === 402).length, 4)
    const page = await owner.call<Page>('GET /projects')
    assert.equal(new Set(page.data.items.map((item) => item.slug)).size, 10)
  })

  test('the error for an empty, too long or NUL-containing project name names the field; unknown fields are ignored', async () => {
    leaves({ events: { 'project.created': 1, 'project.renamed': 1 } })
    const owner = await app.signUp()
    for (const name of ['', '   ', 'x'.repeat(81), '🌵'.repeat(81), 'a\u0000b', 7]) {
      const answer = await owner.call('POST /projects', { name })
      assert.equal(answer.status, 400, JSON.stringify(name))
      assert.match(answer.error?.message ?? '', /^name: /)
    }
    const made = await owner.call<ProjectRecord>('POST /projects', {
      name: 'Fine',
      id: 'prj_mine',
      lifecycle: 'live',
    })
    assert.notEqual(made.data.id, 'prj_mine')
    assert.equal(made.data.lifecycle, 'offline')
    const name = '🌵'.repeat(80)
    const renamed = await owner.call<ProjectRecord>(`PATCH /projects/${made.data.id}`, { name })
    assert.equal(renamed.data.name, name, 'an emoji is one character')
  })
})
