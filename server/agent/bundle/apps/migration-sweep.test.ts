import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Team } from '@slipway/runtime/team/types.ts'
import { until } from '../../../releases/testing.ts'
import { readManifest } from '../../source/manifest.ts'
import { starterTree } from '../../source/tree.ts'
import { compileApp } from '../../source/typegen.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const PEOPLE = 45
const ENABLED = ['auth', 'data', 'team']
const STARS = { type: 'integer' }
const TITLE = { type: 'text', search: true }

interface Fields {
  [name: string]: object
}
interface Row {
  id: string
  rev: number
  partition: string
  [field: string]: unknown
}

/** Returns a release of the app: the files, and the compiled manifest and hash that activate the release. */
function releaseOf(fields: Fields, migrations: object[]) {
  const collections = {
    diary: { partition: 'user', fields },
    plans: { partition: 'team', fields },
  }
  const pages = [{ path: '/', file: 'Home.tsx', title: 'Home' }]
  const text = JSON.stringify({ slipway: 1, name: 'Diary', uses: ENABLED, pages, collections, migrations })
  const read = readManifest(text)
  assert.ok(read.ok, JSON.stringify(read))
  const home = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
  const tree = new Map([...starterTree('Diary'), ['app.json', text], ['web/pages/Home.tsx', home]])
  return { tree, ...compileApp(read.manifest) }
}

/** The first revision is 1, and each of the two steps changes a record once. */
const MIGRATED_REV = 3
const STEPS = [
  { op: 'rename', field: 'text', to: 'title' },
  { op: 'convert', field: 'stars', as: 'text' },
]
const OLD = releaseOf({ text: { type: 'text', search: true }, stars: STARS }, [])
const NEW = releaseOf(
  { title: TITLE, stars: { type: 'text' } },
  ['diary', 'plans'].map((collection) => ({ id: `0001-${collection}`, collection, steps: STEPS })),
)

describe('migrations of an app that 45 people and a team do not open again', () => {
  let app: RunningApp
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sweep-'))
  /** The data that the old release has stored; each test works with a copy. */
  const original = join(folder, 'original')
  let copies = 0

  const start = async ({ tree }: typeof OLD, stateFolder = join(folder, String(copies))) => {
    app = await startApp(tree, { enabled: ENABLED, stateFolder })
  }
  const activate = ({ hash, manifest }: typeof OLD) => app.operate('activate', 'production', hash, manifest)
  const list = async (collection: string) =>
    (await app.operate<{ items: Row[] }>('page', 'production', collection, { limit: 200 })).items
  const search = (q: string) => app.operate<Row[]>('search', 'production', 'diary', { q, limit: 100 })
  const migrated = async () =>
    [...(await list('diary')), ...(await list('plans'))].filter(({ rev }) => rev === MIGRATED_REV).length
  // The timeout includes the half minute after which the runtime retries an interrupted alarm.
  const untilAll = () => until(async () => (await migrated()) === PEOPLE + 1, 60_000)

  async function post<T>(
    path: string,
    cookie: string,
    body: object,
    network = '10.0.0.1',
  ): Promise<[T, string]> {
    const headers = { cookie, 'cf-connecting-ip': network }
    const answer = await app.fetch(`/_app${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    const { data } = (await answer.json()) as { data: T }
    return [data, answer.headers.get('set-cookie')?.split(';')[0] ?? '']
  }
  const add = (cookie: string, collection: string, partition: string, text: string) =>
    post('/data/mutate', cookie, {
      mutationId: crypto.randomUUID(),
      ops: [{ op: 'create', collection, fields: { text, stars: 3 } }],
      partition,
    })

  async function signUpAndWrite(n: number): Promise<string> {
    const account = { email: `p${n}@example.test`, password: 'a long password', name: `P${n}` }
    const [, cookie] = await post('/auth/sign-up', '', account, `10.0.${n}.1`)
    await add(cookie, 'diary', 'own', `apple number${n}`)
    return cookie
  }

  before(async () => {
    await start(OLD, original)
    await activate(OLD)
    const cookies: string[] = []
    // Five people sign up at a time. More sign-ups would only wait, because two passwords are hashed at a time.
    for (let n = 0; n < PEOPLE; n += 5)
      cookies.push(...(await Promise.all([0, 1, 2, 3, 4].map((more) => signUpAndWrite(n + more)))))
    const cookie = cookies[0] ?? ''
    const [team] = await post<Team>('/team', cookie, { name: 'Red' })
    await add(cookie, 'plans', team.id, 'a plan')
    await until(async () => (await list('diary')).length === PEOPLE && (await list('plans')).length === 1)
    await app.stop()
  })
  beforeEach(async () => {
    cpSync(original, join(folder, String(++copies)), { recursive: true })
    await start(OLD)
  })
  afterEach(() => app.stop())
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function requireNewShape(): Promise<void> {
    for (const row of [...(await list('diary')), ...(await list('plans'))])
      assert.deepEqual(
        [row.rev, row['stars'], typeof row['title']],
        [MIGRATED_REV, '3', 'string'],
        row.partition,
      )
    assert.equal((await search('apple')).length, PEOPLE)
    assert.equal((await search('number7'))[0]?.['title'], 'apple number7')
  }

  test("a new release migrates every person's and team's records exactly once, and the operator's lists and search show the result", async () => {
    await app.ship(NEW.tree)
    await activate(NEW)
    await untilAll()
    await requireNewShape()
    // Activate the same release again, as a change of settings does.
    await activate(NEW)
    await requireNewShape()
  })

  test('a rollback during a migration lets the older release read its fields, and the next deployment completes the migration', async () => {
    await app.ship(NEW.tree)
    await activate(NEW)
    await until(async () => (await migrated()) > 0)
    await app.ship(OLD.tree)
    await activate(OLD)
    await untilAll()
    for (const row of await list('diary'))
      assert.deepEqual([row['stars'], String(row['text']).startsWith('apple')], [3, true])
    assert.equal((await search('number7'))[0]?.['text'], 'apple number7')
    await app.ship(NEW.tree)
    await activate(NEW)
    await until(async () => (await search('apple')).length === PEOPLE)
    await requireNewShape()
  })

  test('a record migration that is interrupted by a restart of the app continues until every record is migrated', async () => {
    await app.ship(NEW.tree)
    await activate(NEW)
    await app.stop()
    await start(NEW)
    await untilAll()
    await requireNewShape()
  })
})
