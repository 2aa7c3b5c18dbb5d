import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACCESS_RULES } from '../reading/access.ts'
import {
  addChoices,
  addCollections,
  addFields,
  changeAccess,
  dropFields,
  type AppFiles,
  hasForeignRoutes,
  isOwnPage,
  isOwnTest,
  removeCollection,
  renameField,
  withMigration,
  withStartPage,
  writePage,
} from './changes.ts'
import type { ScaffoldFields } from '../reading/fields.ts'
import type { WantedList } from '../reading/lists.ts'
import { EMPTY_PAGE } from './pages.ts'
import type { ScaffoldManifest } from './manifest.ts'
import type { ToolCall } from './tool-call.ts'

const STARTER: ScaffoldManifest = {
  slipway: 1,
  name: 'New',
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const ROUTES = "import { Hono } from 'hono'\n\nexport const routes = new Hono()\n"
const HOME = EMPTY_PAGE

const wantedOf = (collection: string, change: Partial<WantedList> = {}): WantedList => ({
  collection,
  title: collection,
  fields: { name: { type: 'text', required: true } },
  hasOwnFields: true,
  access: 'open',
  ...change,
})

const filesOf = (manifest: ScaffoldManifest, more: Record<string, string> = {}): AppFiles =>
  new Map([['app.json', JSON.stringify(manifest)], ...Object.entries(more)])

/** Applies tool calls like the file tools of a real build. Throws where a real tool would return an error. */
function apply(files: AppFiles, calls: ToolCall[]): Map<string, string> {
  const after = new Map(files)
  for (const { name, args } of calls) {
    const path = String(args['path'])
    const before = after.get(path)
    if (name === 'write_file') after.set(path, String(args['content']))
    else if (name === 'delete_file') assert.ok(after.delete(path), `${path} is not there to be deleted`)
    else {
      assert.equal(name, 'edit_file')
      const old = String(args['old'])
      assert.equal(before?.split(old).length, 2, `the edited text is not exactly once in ${path}`)
      after.set(
        path,
        before.replace(old, () => String(args['new'])),
      )
    }
  }
  return after
}

const manifestIn = (files: AppFiles) => JSON.parse(files.get('app.json') ?? '') as ScaffoldManifest

/** Returns an app with these lists. Each list is added by a separate build, as if requested one after the other. */
function appWith(...wanted: WantedList[]): { files: Map<string, string>; manifest: ScaffoldManifest } {
  let files = apply(filesOf(STARTER, { 'server/routes.ts': ROUTES, 'web/pages/Home.tsx': HOME }), [])
  for (const one of wanted) files = apply(files, addCollections(files, manifestIn(files), [one]))
  return { files, manifest: manifestIn(files) }
}

const pathsOf = (calls: ToolCall[]) => calls.map(({ name, args }) => `${name} ${String(args['path'])}`)
const fieldsIn = (manifest: ScaffoldManifest, collection: string): ScaffoldFields =>
  manifest.collections?.[collection]?.fields ?? {}

describe('adding lists to an app', () => {
  test('the first list of an app gets the start page and names the app, and the initial page Home.tsx is deleted', () => {
    const { files, manifest } = appWith(wantedOf('plants'))
    assert.deepEqual(manifest.pages, [{ path: '/', file: 'Plants.tsx', title: 'plants' }])
    assert.notEqual(manifest.name, 'New')
    assert.equal(files.has('web/pages/Home.tsx'), false)
    assert.ok(files.has('web/pages/Plants.tsx') && files.has('tests/plants.test.ts'))
    assert.deepEqual(manifest.uses, ['data'])
  })

  test('a second list gets a separate page, and the app keeps its name, look and start page', () => {
    const first = appWith(wantedOf('plants'))
    const { manifest } = appWith(wantedOf('plants'), wantedOf('apiKeys'))
    assert.deepEqual(
      manifest.pages?.map(({ path }) => path),
      ['/', '/the-api-keys'],
    )
    assert.deepEqual([manifest.name, manifest.look], [first.manifest.name, first.manifest.look])
    assert.deepEqual(Object.keys(manifest.collections ?? {}), ['plants', 'apiKeys'])
  })

  test('a Home.tsx that a person wrote remains the start page, and the first list gets another path', () => {
    const mine = 'export default function Home() { return <p>Welcome</p> }\n'
    const files = filesOf(STARTER, { 'web/pages/Home.tsx': mine })
    const after = apply(files, addCollections(files, STARTER, [wantedOf('plants')]))
    assert.deepEqual(
      [manifestIn(after).pages?.map(({ path, file }) => [path, file]), after.get('web/pages/Home.tsx')],
      [
        [
          ['/', 'Home.tsx'],
          ['/plants', 'Plants.tsx'],
        ],
        mine,
      ],
    )
  })

  test("the first list replaces a new app's unchanged start page even when the prompt contains only the page's path", () => {
    const files = filesOf(STARTER, { 'web/pages/Home.tsx': '' })
    const after = apply(files, addCollections(files, STARTER, [wantedOf('plants')]))
    assert.deepEqual(
      [manifestIn(after).pages?.map(({ path, file }) => [path, file]), after.has('web/pages/Home.tsx')],
      [[['/', 'Plants.tsx']], false],
    )
  })

  test('adding a list keeps a start page other than Home.tsx, and keys of app.json that the scaffold does not use', () => {
    const manifest: ScaffoldManifest = {
      ...STARTER,
      pages: [{ path: '/', file: 'Welcome.tsx', title: 'Welcome' }],
      hooks: [{ endpoint: 'x' }],
    }
    const files = filesOf(manifest, { 'web/pages/Home.tsx': HOME })
    const after = apply(files, addCollections(files, manifest, [wantedOf('plants')]))
    assert.deepEqual(
      manifestIn(after).pages?.map(({ path, file }) => `${path} ${file}`),
      ['/ Welcome.tsx', '/plants Plants.tsx'],
    )
    assert.deepEqual(manifestIn(after)['hooks'], [{ endpoint: 'x' }])
    assert.ok(after.has('web/pages/Home.tsx'), 'a file that no page uses is not deleted')
  })

  test("a list's kind of access sets its read and write rules, its capabilities and whether its page requires signing in", () => {
    const needs = {
      open: ['data'],
      readers: ['data', 'auth'],
      members: ['data', 'auth'],
      authors: ['data', 'auth'],
      own: ['data', 'auth'],
      team: ['data', 'auth', 'team'],
      staff: ['data', 'auth'],
    } as const
    for (const [access, uses] of Object.entries(needs) as [keyof typeof needs, readonly string[]][]) {
      const { manifest } = appWith(wantedOf('plants', { access }))
      assert.deepEqual(manifest.uses, uses, access)
      const { partition, read, write } = manifest.collections?.['plants'] ?? {}
      assert.deepEqual({ partition, read, write }, ACCESS_RULES[access], access)
      const isOpenToRead = ACCESS_RULES[access].read === 'public'
      assert.equal(manifest.pages?.[0]?.access, isOpenToRead ? undefined : 'members', access)
    }
  })

  test('only a list that everyone may write to gets API routes', () => {
    assert.equal(appWith(wantedOf('plants', { access: 'own' })).files.get('server/routes.ts'), ROUTES)
    const { files } = appWith(wantedOf('plants', { access: 'own' }), wantedOf('pots'))
    assert.doesNotMatch(files.get('server/routes.ts') ?? '', /plants/)
  })

  test('with two lists that everyone may write to, routes.ts has the routes of both and each import only once', () => {
    const routes = appWith(wantedOf('plants'), wantedOf('pots')).files.get('server/routes.ts') ?? ''
    for (const path of [
      "patch('/plants/:id'",
      "delete('/plants/:id'",
      "patch('/pots/:id'",
      "delete('/pots/:id'",
    ])
      assert.equal(routes.split(`routes.${path}`).length, 2, path)
    assert.equal(routes.match(/^import .* from '@slipway\/app\/server'$/gm)?.length, 1)
    assert.equal(routes.match(/new Hono\(\)/g)?.length, 1)
  })

  test('routes that a person wrote are kept when the routes of a new list are added to the file', () => {
    const own = `import { data } from '@slipway/app/server'\nimport { Hono } from 'hono'\n\nexport const routes = new Hono()\nroutes.get('/mine', (c) => c.text('mine'))\n`
    const files = filesOf(STARTER, { 'server/routes.ts': own })
    const calls = addCollections(files, STARTER, [wantedOf('plants')])
    const after = apply(files, calls).get('server/routes.ts') ?? ''
    assert.ok(after.includes("routes.get('/mine'") && after.includes("routes.patch('/plants/:id'"))
    assert.ok(pathsOf(calls).includes('edit_file server/routes.ts'))
  })

  test('a routes.ts that does not import "data" gets the import and the routes of a new list, and keeps its existing routes', () => {
    const own = `import { Hono } from 'hono'\n\nexport const routes = new Hono()\nroutes.get('/mine', (c) => c.text('mine'))\n`
    const files = filesOf(STARTER, { 'server/routes.ts': own })
    const after =
      apply(files, addCollections(files, STARTER, [wantedOf('plants')])).get('server/routes.ts') ?? ''
    assert.match(after, /import \{ data \} from '@slipway\/app\/server'/)
    assert.ok(after.includes("routes.get('/mine'") && after.includes("routes.patch('/plants/:id'"))
    assert.equal(after.match(/new Hono\(\)/g)?.length, 1)
  })
})

describe('changing the fields of a list', () => {
  test('a renamed field keeps its place and type, and a migration keeps its values', () => {
    const { files, manifest } = appWith(
      wantedOf('plants', {
        fields: { name: { type: 'text', required: true }, pot: { type: 'number' }, note: { type: 'text' } },
      }),
    )
    const after = manifestIn(apply(files, renameField(files, manifest, 'plants', 'pot', 'size')))
    assert.deepEqual(Object.keys(fieldsIn(after, 'plants')), ['name', 'size', 'note'])
    assert.deepEqual(fieldsIn(after, 'plants')['size'], { type: 'number' })
    assert.deepEqual(after.migrations, [
      { id: '0001-rename-plants', collection: 'plants', steps: [{ op: 'rename', field: 'pot', to: 'size' }] },
    ])
  })

  test('removing several fields adds one migration that drops their values, in the order given', () => {
    const { files, manifest } = appWith(
      wantedOf('plants', {
        fields: { name: { type: 'text', required: true }, a: { type: 'text' }, b: { type: 'text' } },
      }),
    )
    const after = manifestIn(apply(files, dropFields(files, manifest, 'plants', ['b', 'a'])))
    assert.deepEqual(Object.keys(fieldsIn(after, 'plants')), ['name'])
    assert.deepEqual(
      after.migrations?.map(({ steps }) => steps),
      [
        [
          { op: 'drop', field: 'b' },
          { op: 'drop', field: 'a' },
        ],
      ],
    )
  })

  test('new fields come after the existing fields, and adding a file field enables the capability files', () => {
    const { files, manifest } = appWith(wantedOf('plants'))
    const after = manifestIn(
      apply(
        files,
        addFields(files, manifest, 'plants', { photo: { type: 'file' }, pot: { type: 'number' } }),
      ),
    )
    assert.deepEqual(Object.keys(fieldsIn(after, 'plants')), ['name', 'photo', 'pot'])
    assert.deepEqual(after.uses, ['data', 'files'])
  })

  test('new choices of a field come after the existing choices, and a text field with choices becomes an enum field', () => {
    const { files, manifest } = appWith(
      wantedOf('plants', {
        fields: {
          name: { type: 'text', required: true },
          state: { type: 'enum', values: ['ok'], index: true },
        },
      }),
    )
    const grown = manifestIn(apply(files, addChoices(files, manifest, 'plants', 'state', ['ill', 'gone'])))
    assert.deepEqual(fieldsIn(grown, 'plants')['state'], {
      type: 'enum',
      values: ['ok', 'ill', 'gone'],
      index: true,
    })
    const turned = manifestIn(apply(files, addChoices(files, manifest, 'plants', 'name', ['a'])))
    assert.deepEqual(fieldsIn(turned, 'plants')['name'], { type: 'enum', values: ['a'], required: true })
  })

  test("new choices of a required field are written into the scaffold's test of the list, unless the test was edited", () => {
    const mood = { type: 'enum' as const, values: ['good', 'bad'], required: true, index: true }
    const { files, manifest } = appWith(wantedOf('moods', { fields: { mood, date: { type: 'date' } } }))
    const add = (app: AppFiles) => apply(app, addChoices(app, manifest, 'moods', 'mood', ['okay']))
    const grown = add(files)
    assert.ok(isOwnTest(grown, manifestIn(grown), 'moods'))
    assert.match(grown.get('tests/moods.test.ts') ?? '', /okay/)
    const edited = `${files.get('tests/moods.test.ts')}// mine\n`
    assert.equal(add(new Map(files).set('tests/moods.test.ts', edited)).get('tests/moods.test.ts'), edited)
  })

  test("a list's page that was edited by hand is not overwritten when the list's fields change", () => {
    const { files, manifest } = appWith(wantedOf('plants'))
    const page = 'web/pages/Plants.tsx'
    const status: ScaffoldFields = { status: { type: 'enum', values: ['open', 'done'], index: true } }
    assert.equal(isOwnPage(files, manifest, 'plants'), true)
    const added = addFields(files, manifest, 'plants', status)
    assert.ok(pathsOf(added).includes(`write_file ${page}`))
    files.set(page, `${files.get(page)}// mine\n`)
    assert.equal(isOwnPage(files, manifest, 'plants'), false)
    for (const calls of [
      addFields(files, manifest, 'plants', status),
      renameField(files, manifest, 'plants', 'name', 'title'),
    ])
      assert.ok(!pathsOf(calls).some((call) => call.endsWith(page)))
  })

  test("a list's test that was edited by hand is not overwritten when a field is renamed or removed", () => {
    const fields: ScaffoldFields = { name: { type: 'text', required: true }, room: { type: 'text' } }
    const { files, manifest } = appWith(wantedOf('plants', { fields }))
    const path = 'tests/plants.test.ts'
    const changes = () => [
      renameField(files, manifest, 'plants', 'name', 'title'),
      dropFields(files, manifest, 'plants', ['room']),
    ]
    const writesTest = () => changes().map((calls) => pathsOf(calls).includes(`write_file ${path}`))
    const unedited = writesTest()
    files.set(path, `${files.get(path)}// mine\n`)
    const edited = writesTest()
    files.delete(path)
    assert.deepEqual(
      [unedited, edited, writesTest()],
      [
        [true, true],
        [false, false],
        [true, true],
      ],
    )
  })

  test('white space at the start or end of a generated page or test does not count as an edit by hand', () => {
    const { files, manifest } = appWith(wantedOf('plants'))
    for (const path of ['web/pages/Plants.tsx', 'tests/plants.test.ts'])
      files.set(path, `\n${files.get(path)}\n\n`)
    assert.ok(isOwnPage(files, manifest, 'plants') && isOwnTest(files, manifest, 'plants'))
    files.set('tests/plants.test.ts', '')
    assert.equal(isOwnTest(files, manifest, 'plants'), false)
    assert.equal(isOwnPage(files, manifest, 'unknown'), false)
  })

  test("a generated page whose form posts to a route counts as edited once the route's file is missing", () => {
    const { files, manifest } = appWith(wantedOf('plants'))
    const posted = apply(files, [writePage(files, manifest, 'plants', { isPosted: true })])
    assert.notEqual(posted.get('web/pages/Plants.tsx'), files.get('web/pages/Plants.tsx'))
    assert.equal(isOwnPage(posted, manifest, 'plants'), false)
    posted.set('server/addToPlants.ts', '')
    assert.equal(isOwnPage(posted, manifest, 'plants'), true)
  })

  test('migration ids sort in the order in which the migrations were added, even after the tenth', () => {
    const ids: string[] = []
    let manifest = STARTER
    for (let n = 0; n < 12; n++) {
      manifest = withMigration(manifest, 'waterLogs', [{ op: 'drop', field: `f${n}` }])
      ids.push(manifest.migrations?.at(-1)?.id ?? '')
    }
    assert.deepEqual(
      [ids[0], ids[9], ids[11]],
      ['0001-drop-waterlogs', '0010-drop-waterlogs', '0012-drop-waterlogs'],
    )
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(STARTER.migrations, undefined)
  })
})

describe('changing who may use a list', () => {
  test('a list that loses public write access also loses its API routes, and other lists keep theirs', () => {
    const { files, manifest } = appWith(wantedOf('plants'), wantedOf('pots'))
    const after = apply(files, changeAccess(files, manifest, 'own', ['plants']))
    const routes = after.get('server/routes.ts') ?? ''
    assert.ok(!routes.includes('/plants/:id') && routes.includes("routes.patch('/pots/:id'"))
    const { partition, read, write } = manifestIn(after).collections?.['plants'] ?? {}
    assert.deepEqual({ partition, read, write }, ACCESS_RULES.own)
    assert.equal(manifestIn(after).collections?.['pots']?.write, ACCESS_RULES.open.write)
    const both =
      apply(files, changeAccess(files, manifest, 'own', ['plants', 'pots'])).get('server/routes.ts') ?? ''
    assert.doesNotMatch(both, /routes\.\w+\(|\bdata\b/)
  })

  test("a list's page requires signing in only while only members may read the list", () => {
    const { files, manifest } = appWith(wantedOf('plants'), wantedOf('pots'))
    const closed = apply(files, changeAccess(files, manifest, 'members', ['plants']))
    assert.deepEqual(
      manifestIn(closed).pages?.map(({ access }) => access),
      ['members', undefined],
    )
    const opened = apply(closed, changeAccess(closed, manifestIn(closed), 'staff', ['plants']))
    assert.deepEqual(
      manifestIn(opened).pages?.map((page) => 'access' in page),
      [false, false],
    )
  })

  test('a handwritten route that writes to a list is recognized, whatever quotes, HTTP method and path parameter it uses', () => {
    const { files } = appWith(wantedOf('plants'))
    assert.equal(hasForeignRoutes(files, 'plants'), false)
    for (const route of [
      "routes.post('/plants', (c) => c.text(''))",
      'routes.put("/plants/:id", handler)',
      'routes.patch(`/plants/:id`, handler)',
      "routes.delete(\n  '/plants/:key', handler)",
    ]) {
      const own = new Map(files).set('server/routes.ts', `${files.get('server/routes.ts')}${route}\n`)
      assert.equal(hasForeignRoutes(own, 'plants'), true, route)
      assert.equal(hasForeignRoutes(own, 'plant'), false, route)
    }
    const harmless = new Map(files).set(
      'server/routes.ts',
      "routes.get('/plants', list)\nroutes.post('/plants', addToPlants)",
    )
    assert.equal(hasForeignRoutes(harmless, 'plants'), false)
  })
})

describe('removing a list', () => {
  const linked = () =>
    appWith(
      wantedOf('pots'),
      wantedOf('plants', {
        fields: { name: { type: 'text', required: true }, pot: { type: 'ref', ref: 'pots', index: true } },
      }),
    )

  test('removing a list deletes its page, test and routes, and a migration deletes its records', () => {
    const { files, manifest } = linked()
    const after = apply(files, removeCollection(files, manifest, 'plants'))
    assert.deepEqual(Object.keys(manifestIn(after).collections ?? {}), ['pots'])
    assert.ok(!after.has('web/pages/Plants.tsx') && !after.has('tests/plants.test.ts'))
    assert.ok(!(after.get('server/routes.ts') ?? '').includes('plants'))
    assert.deepEqual(manifestIn(after).migrations?.at(-1), {
      id: '0001-drop-plants',
      collection: 'plants',
      steps: [{ op: 'drop' }],
    })
  })

  test('removing a list also removes fields of other lists that refer to the removed list', () => {
    const { files, manifest } = linked()
    const after = manifestIn(apply(files, removeCollection(files, manifest, 'pots')))
    assert.deepEqual(Object.keys(fieldsIn(after, 'plants')), ['name'])
    assert.deepEqual(
      after.migrations?.map(({ id }) => id),
      ['0001-drop-pots', '0002-drop-plants'],
    )
    assert.ok(!JSON.stringify(after.collections).includes('pots'))
  })

  test('when the start page is removed, another page becomes the start page, or an empty Home.tsx when no page is left', () => {
    const { files, manifest } = linked()
    const moved = manifestIn(apply(files, withStartPage(manifest, removeCollection(files, manifest, 'pots'))))
    assert.deepEqual(
      moved.pages?.map(({ path, file }) => `${path} ${file}`),
      ['/ Plants.tsx'],
    )
    const single = appWith(wantedOf('pots'))
    const after = apply(
      single.files,
      withStartPage(single.manifest, removeCollection(single.files, single.manifest, 'pots')),
    )
    assert.deepEqual(manifestIn(after).pages, [{ file: 'Home.tsx', title: 'Home', path: '/' }])
    assert.ok(after.has('web/pages/Home.tsx'))
  })

  test('a change that does not remove the start page keeps it, even if it is not first in app.json', () => {
    const { files, manifest } = linked()
    const extra = { path: '/extra', file: 'Extra.tsx', title: 'Extra' }
    const before = { ...manifest, pages: [extra, ...(manifest.pages ?? [])] }
    const calls = removeCollection(files, before, 'plants')
    assert.deepEqual(withStartPage(before, calls), calls)
    assert.deepEqual(withStartPage(manifest, []), [])
  })
})
