import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Papa from 'papaparse'
import { type ActivityEntry, recordActivity } from './log.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

const COLUMNS = ['when', 'provider', 'actor', 'action', 'target', 'status', 'project', 'detail']

interface ActivityItem {
  id: string
  when: string
  target: string
}
interface Page {
  items: ActivityItem[]
  nextCursor: string | null
}

describe('the activity log', () => {
  let app: TestApp
  let ann: Client
  let bob: Client
  let now: number
  before(async () => {
    app = await testApp()
    ann = await app.signUp('Ann')
    bob = await app.signUp('Bob')
    now = app.clock.now().getTime()
    // Ann makes five changes: two at the same time, two in a project, and one that failed.
    await recordEntry(ann, { target: 'a', at: new Date(now - 4000) })
    await recordEntry(ann, {
      target: 'b',
      at: new Date(now - 3000),
      projectId: 'prj_1',
      projectName: 'Recipes',
    })
    await recordEntry(ann, { target: 'c', at: new Date(now - 2000) })
    await recordEntry(ann, { target: 'd', at: new Date(now - 2000) })
    await recordEntry(ann, {
      target: 'e',
      projectId: 'prj_1',
      projectName: 'Recipes',
      status: 'failed',
      detail: 'no',
    })
    await recordEntry(bob, { target: 'secret of Bob', projectId: 'prj_b', projectName: 'B' })
  })
  after(() => app.close())

  const recordEntry = (client: Client, entry: Partial<ActivityEntry>) =>
    recordActivity(app.platform.db, {
      orgId: client.organizationId,
      at: new Date(now),
      provider: 'cloudflare',
      actor: 'Ann',
      action: 'worker.created',
      target: 'x',
      status: 'ok',
      ...entry,
    })
  const listPage = async (query = '', client = ann) => (await client.call<Page>(`GET /activity${query}`)).data
  const listTargets = async (query: string, client = ann) =>
    (await listPage(query, client)).items.map((item) => item.target).join('')

  test('an activity record has a time, provider, actor, action, target, status and project', async () => {
    const [newest] = (await listPage('?limit=1')).items
    assert.match(newest?.id ?? '', /^act_/)
    assert.deepEqual(newest, {
      id: newest?.id,
      when: app.clock.now().toISOString(),
      provider: 'cloudflare',
      actor: 'Ann',
      action: 'worker.created',
      target: 'e',
      status: 'failed',
      project: 'Recipes',
      projectId: 'prj_1',
      detail: 'no',
    })
  })

  test('the activity log is newest first, and its pages return each record once, even records with equal times', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { items, nextCursor }: Page = await listPage(
        `?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...items.map((item) => item.target))
      cursor = nextCursor
    } while (cursor !== null)
    // Records with equal times may come in either order.
    assert.match(seen.join(''), /^e(dc|cd)ba$/)
  })

  test('a full page of the activity log has no next cursor when no record follows', async () => {
    assert.equal((await listPage('?limit=5')).nextCursor, null)
    assert.notEqual((await listPage('?limit=4')).nextCursor, null)
  })

  test('projectId, from and to filter the activity log; from and to are inclusive and each is optional', async () => {
    assert.equal(await listTargets('?projectId=prj_1'), 'eb')
    assert.equal(await listTargets('?projectId=prj_unknown'), '')
    assert.match(await listTargets(`?from=${now - 2000}`), /^e(dc|cd)$/)
    assert.equal(await listTargets(`?from=${now - 1999}`), 'e')
    assert.equal(await listTargets(`?to=${now - 3000}`), 'ba')
    assert.equal(await listTargets(`?to=${now - 3001}`), 'a')
    assert.match(await listTargets(`?from=${now - 2000}&to=${now - 2000}`), /^(dc|cd)$/)
    assert.equal(await listTargets(`?from=${now}&to=${now - 1}`), '')
    assert.equal(await listTargets(`?projectId=prj_1&to=${now - 1}&limit=1`), 'b')
    assert.equal((await listTargets('?from=0&to=999999999999999')).length, 5)
  })

  test('an invalid limit, cursor or time of the activity log is a 400 that names the parameter', async () => {
    const wrong = [
      ['limit', '0'],
      ['limit', '201'],
      ['limit', 'ten'],
      ['limit', ''],
      ['cursor', 'first'],
      ['cursor', `${now}:prj_01jz0000000000000000000000`],
      ['from', '-1'],
      ['from', '2026-01-01'],
      ['from', '1.5'],
      ['to', '1e3'],
      ['to', '9999999999999999'],
    ] as const
    for (const [name, value] of wrong) {
      const answer = await ann.call(`GET /activity?${name}=${value}`)
      assert.equal(answer.status, 400, `${name}=${value}`)
      assert.equal(answer.error?.code, 'invalid_request')
      assert.match(answer.error.message, new RegExp(`^${name}: `))
    }
  })

  test('the activity log shows no record of another organization, even with the id of its project', async () => {
    assert.equal(await listTargets('?projectId=prj_b'), '')
    assert.equal(await listTargets('', bob), 'secret of Bob')
    const csv = await (await ann.raw('GET /activity/export?projectId=prj_b')).text()
    assert.equal(csv, `${COLUMNS.join(',')}\n`)
  })

  test('an API key without the scope projects:read can neither list nor export the activity log', async () => {
    const key = await app.keyFor(ann, ['tickets:write'])
    for (const route of ['GET /activity', 'GET /activity/export']) {
      const answer = await key.call(route)
      assert.deepEqual([answer.status, answer.error?.code], [403, 'forbidden_scope'], route)
    }
  })

  describe('the CSV export of the activity log', () => {
    // One organization per test, because an organization may export three times a minute.
    const personWithEntries = async (entries: Partial<ActivityEntry>[]) => {
      const person = await app.signUp()
      await app.platform.db.deleteFrom('activity').where('org_id', '=', person.organizationId).execute()
      for (const entry of entries) await recordEntry(person, entry)
      return person
    }
    const rowsOf = (csv: string) => Papa.parse<string[]>(csv, { skipEmptyLines: true }).data

    test('the activity export is a file with exactly the columns that the API documents, newest record first', async () => {
      leaves({ activity: { 'worker.created': 2 } })
      const person = await personWithEntries([
        { target: 'old', at: new Date(now - 1000) },
        { target: 'new', projectName: 'Recipes', detail: 'version 2' },
      ])
      const answer = await person.raw('GET /activity/export')
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.equal(
        answer.headers.get('content-disposition'),
        'attachment; filename="activity-2026-06-01.csv"',
      )
      assert.ok(answer.headers.get('x-request-id'))
      assert.deepEqual(rowsOf(await answer.text()), [
        COLUMNS,
        [
          '2026-06-01T12:00:00.000Z',
          'cloudflare',
          'Ann',
          'worker.created',
          'new',
          'ok',
          'Recipes',
          'version 2',
        ],
        ['2026-06-01T11:59:59.000Z', 'cloudflare', 'Ann', 'worker.created', 'old', 'ok', '', ''],
      ])
    })

    test('the export of an empty activity log consists of the header line', async () => {
      const person = await personWithEntries([])
      assert.equal(await (await person.raw('GET /activity/export')).text(), `${COLUMNS.join(',')}\n`)
    })

    test('the activity export contains each field unchanged, except for an apostrophe before a field that looks like a formula', async () => {
      leaves({ activity: { 'worker.created': 1 } })
      const person = await personWithEntries([
        {
          actor: '=HYPERLINK("http://evil.test")',
          target: 'a,b\n"c"',
          detail: '|cmd',
          projectName: '漢字🚀',
        },
      ])
      const [, row] = rowsOf(await (await person.raw('GET /activity/export')).text())
      assert.deepEqual(row?.slice(2), [
        `'=HYPERLINK("http://evil.test")`,
        'worker.created',
        'a,b\n"c"',
        'ok',
        '漢字🚀',
        "'|cmd",
      ])
    })

    test('the filters of the activity log apply to its export; limit and cursor are ignored', async () => {
      leaves({ activity: { 'worker.created': 3 } })
      const person = await personWithEntries([
        { target: 'a' },
        { target: 'b', projectId: 'prj_1' },
        { target: 'c' },
      ])
      const exportedTargets = async (query: string) =>
        rowsOf(await (await person.raw(`GET /activity/export${query}`)).text())
          .slice(1)
          .map((row) => row[4])
          .sort()
          .join('')
      assert.equal(await exportedTargets('?limit=1&cursor=nonsense'), 'abc')
      assert.equal(await exportedTargets('?projectId=prj_1'), 'b')
      assert.equal(await exportedTargets(`?from=${now + 1}`), '')
    })

    test('the fourth activity export in a minute is a 429 for every caller of the organization and for no other organization', async () => {
      const person = await personWithEntries([])
      const key = await app.keyFor(person)
      for (const client of [person, key, person])
        assert.match(await (await client.raw('GET /activity/export')).text(), /^when,/)
      for (const client of [person, key]) {
        const refused = await client.call('GET /activity/export')
        assert.deepEqual([refused.status, refused.error?.code], [429, 'rate_limited'])
        assert.ok(Number(refused.headers.get('retry-after')) >= 1)
      }
      assert.equal((await person.call('GET /activity')).status, 200)
      assert.match(await (await (await personWithEntries([])).raw('GET /activity/export')).text(), /^when,/)
    })

    test('a HEAD request for the activity export returns its headers and leaves no query open', async () => {
      leaves({ activity: { 'worker.created': 1 } })
      const person = await personWithEntries([{ target: 'a' }])
      const answer = await person.raw('HEAD /activity/export')
      assert.deepEqual([answer.status, await answer.text()], [200, ''])
      assert.equal(app.platform.streamPool.totalCount - app.platform.streamPool.idleCount, 0)
    })

    test('an activity export that fails before its first row returns an error envelope, not a file', async () => {
      const person = await personWithEntries([])
      await app.platform.pool.query('alter table activity rename to activity_gone')
      const answer = await person.call('GET /activity/export')
      await app.platform.pool.query('alter table activity_gone rename to activity')
      assert.deepEqual([answer.status, answer.error?.code], [500, 'server_error'])
    })
  })
})
