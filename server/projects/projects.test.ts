import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { Project } from './projects.routes.ts'

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

  async function create(client: Client, name?: string): Promise<ProjectRecord> {
    app.clock.advance(1)
    const made = await client.call<ProjectRecord>('POST /projects', { name })
    assert.equal(made.status, 200, String(made.error?.message))
    return made.data
  }

  test('a project without a name gets the default one, an address of its own and one event', async () => {
    const owner = await app.signUp()
    const first = await create(owner)
    const second = await create(owner)
    assert.equal(first.name, 'Untitled project')
    assert.equal(first.slug, 'untitled-project')
    assert.equal(second.slug, 'untitled-project-2')
    assert.equal(first.lifecycle, 'offline')
    assert.ok(Project.parse(first))
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'project.created'])
  })

  test('the address follows the name until it is set, and then stays', async () => {
    const owner = await app.signUp()
    const { id } = await create(owner, 'Plants')
    const renamed = await owner.call<ProjectRecord>(`PATCH /projects/${id}`, { name: 'Office Plants' })
    assert.equal(renamed.data.slug, 'office-plants')
    const set = await owner.call<ProjectRecord>(`PATCH /projects/${id}`, { slug: 'green' })
    assert.equal(set.data.slug, 'green')
    const again = await owner.call<ProjectRecord>(`PATCH /projects/${id}`, { name: 'Jungle' })
    assert.deepEqual([again.data.name, again.data.slug], ['Jungle', 'green'])
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'project.renamed', 'project.renamed'])
  })

  test('a taken, locked or malformed address is refused and nothing changes', async () => {
    const owner = await app.signUp()
    const taken = await create(owner, 'Taken')
    const { id } = await create(owner, 'Mine')
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

  test('pages are newest first and hold each project once, also when all were made in the same millisecond', async () => {
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

  test('search takes wildcards literally, ignores case and counts % and _ as two of 48', async () => {
    const owner = await app.signUp()
    await create(owner, '100% Wool')
    await create(owner, '1000 Wools')
    const found = await owner.call<Page>(`GET /projects?q=${encodeURIComponent('0% WOOL')}`)
    assert.deepEqual(
      found.data.items.map((item) => item.name),
      ['100% Wool'],
    )
    assert.equal((await owner.call(`GET /projects?q=${'_'.repeat(24)}`)).status, 200)
    const long = await owner.call(`GET /projects?q=${'_'.repeat(25)}`)
    assert.match(long.error?.message ?? '', /^q: /)
  })

  test('the plan caps projects, also when they are created at the same moment', async () => {
    const owner = await app.signUp()
    await app.platform.db
      .updateTable('organization_settings')
      .set({ plan: 'free' })
      .where('org_id', '=', owner.organizationId)
      .execute()
    const answers = await Promise.all(Array.from({ length: 14 }, () => owner.call('POST /projects', {})))
    const statuses = answers.map((answer) => answer.status)
    assert.equal(statuses.filter((status) => status === 200).length, 10)
    assert.equal(statuses.filter((status) => status === 402).length, 4)
    const page = await owner.call<Page>('GET /projects')
    assert.equal(new Set(page.data.items.map((item) => item.slug)).size, 10)
  })

  test('a name that is empty, too long or holds NUL is refused by field, and unknown fields are ignored', async () => {
    const owner = await app.signUp()
    for (const name of ['', '   ', 'x'.repeat(81), 'a\u0000b', 7]) {
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
  })
})
