import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transform } from 'esbuild'
import type { FieldDeclaration, Manifest } from './manifest-schema.ts'
import { compileApp, generateModules } from './typegen.ts'

const NO_FILES: ReadonlyMap<string, string> = new Map()

const manifestOf = (changes: Partial<Manifest> = {}): Manifest => ({
  slipway: 1,
  name: 'Plants',
  pages: [],
  collections: {},
  uses: ['data'],
  migrations: [],
  ...changes,
})

const withFields = (fields: Record<string, FieldDeclaration>, name = 'plants'): Partial<Manifest> => ({
  collections: { [name]: { partition: 'app', fields } },
})

const hashOf = (changes: Partial<Manifest> = {}) => compileApp(manifestOf(changes)).hash
const compiledOf = (changes: Partial<Manifest>) => compileApp(manifestOf(changes)).manifest

/** Compiles a module to JavaScript; rejects when it is not valid TypeScript. */
const compile = async (source: string): Promise<string> => (await transform(source, { loader: 'ts' })).code

/** Runs a generated module that imports nothing at run time. */
const evaluate = async (source: string): Promise<Record<string, unknown>> =>
  (await import(`data:text/javascript,${encodeURIComponent(await compile(source))}`)) as Record<
    string,
    unknown
  >

/** Text that would end a string, a comment or a script if it were written without escaping. */
const HOSTILE = [
  `'; process.exit(1); '`,
  '`${process.exit(1)}`',
  '*/ export const x = 1 /*',
  '</script><script>alert(1)</script>',
  'line\nbreak\r\u2028\u2029',
  '\\',
  '"',
  '\u0000',
  '__proto__',
]

describe('the generated modules of an app', () => {
  test('every generated module is marked as generated and is valid TypeScript, whatever text the manifest contains', async () => {
    for (const text of HOSTILE) {
      const fields: Record<string, FieldDeclaration> = {
        a: { type: 'text', title: text, help: text, default: text, required: true },
        b: { type: 'enum', values: [text, 'plain'] },
      }
      const modules = generateModules(
        manifestOf({
          ...withFields(fields),
          name: text,
          description: text,
          pages: [{ path: '/', file: 'Home.tsx', title: text }],
          uses: ['data', 'ai'],
          ai: [
            {
              task: 'sum',
              system: text,
              access: 'members',
              schema: { type: 'object', title: text },
            } as never,
          ],
        }),
        NO_FILES,
      )
      for (const [path, source] of modules) {
        if (!path.endsWith('.ts')) continue
        assert.ok(source.startsWith('// Generated from app.json. Do not edit.\n'), path)
        await assert.doesNotReject(compile(source), `${path} for ${JSON.stringify(text)}`)
      }
    }
  })

  test('the generated manifest module equals the manifest that the service compiles, whatever text it contains', async () => {
    for (const text of HOSTILE) {
      const given = manifestOf({
        ...withFields({ a: { type: 'text', title: text, default: text } }),
        name: text,
        pages: [{ path: '/', file: 'Home.tsx', title: text }],
      })
      const source = generateModules(given, NO_FILES).get('platform/manifest.gen.ts') ?? ''
      const module = await evaluate(source)
      const { hash, manifest } = compileApp(given)
      assert.deepEqual(module['manifest'], JSON.parse(JSON.stringify(manifest)))
      assert.equal(module['manifestHash'], hash)
    }
  })

  test('equal app manifests generate equal source modules', () => {
    const changes = withFields({ a: { type: 'text' } })
    assert.deepEqual(
      [...generateModules(manifestOf(changes), NO_FILES)],
      [...generateModules(manifestOf(structuredClone(changes)), NO_FILES)],
    )
  })
})

describe('the hash of a manifest', () => {
  const base = withFields({ a: { type: 'text' } })

  test('changing only the name, description, pages or look of an app keeps the hash of its manifest', () => {
    const pages: Manifest['pages'] = [{ path: '/', file: 'Home.tsx', title: 'Home' }]
    const same = [
      { ...base, name: 'Other name' },
      { ...base, description: 'Something' },
      { ...base, pages },
      { ...base, look: { palette: 'indigo' as const } },
      {
        ...base,
        ai: [],
        meters: [],
        queues: [],
        flows: [],
        roles: [],
        hooks: [],
        rooms: [],
        events: [],
        schedules: [],
      },
    ]
    for (const changes of same) assert.equal(hashOf(changes), hashOf(base), JSON.stringify(changes))
  })

  test('changing any property that the runtime uses changes the hash of the manifest', () => {
    const field = (changes: Partial<FieldDeclaration>) => withFields({ a: { type: 'text', ...changes } })
    const access = (words: object) => ({
      collections: {
        plants: { partition: 'app' as const, fields: { a: { type: 'text' as const } }, ...words },
      },
    })
    const migration = { id: '0001', collection: 'plants', steps: [{ op: 'drop' as const, field: 'b' }] }
    const different = [
      base,
      field({ required: true }),
      field({ index: true }),
      field({ unique: true }),
      field({ max: 5 }),
      field({ type: 'json' }),
      access({ read: 'public' }),
      access({ write: 'owner' }),
      access({ partition: 'user' }),
      access({ title: 'Other' }),
      { ...base, migrations: [migration] },
      { ...base, roles: ['gardener'] },
      { ...base, uses: ['data', 'events'] as Manifest['uses'] },
      { ...base, schedules: [{ name: 's', every: 'hour', handler: 'h' }] },
      withFields({ a: { type: 'text' } }, 'pots'),
    ]
    const hashes = different.map(hashOf)
    assert.equal(new Set(hashes).size, different.length)
    for (const hash of hashes) assert.match(hash, /^[0-9a-f]{32}$/)
  })

  test('stating the default access rules in a manifest gives the same hash as omitting the rules', () => {
    const written = {
      collections: {
        plants: { partition: 'app' as const, read: 'members' as const, write: 'staff' as const, fields: {} },
      },
    }
    assert.equal(hashOf(written), hashOf(withFields({})))
  })

  test("the compiled manifest and its hash depend on an app's page paths only if the app counts page views", () => {
    const pages = (path: string): Partial<Manifest> => ({
      uses: ['events'],
      pages: [{ path, file: 'A.tsx', title: 'A' }],
    })
    assert.notEqual(hashOf(pages('/a')), hashOf(pages('/b')))
    assert.deepEqual(compiledOf(pages('/a')).paths, ['/a'])
    assert.equal('paths' in compiledOf({ pages: [{ path: '/a', file: 'A.tsx', title: 'A' }] }), false)
  })
})

describe('the compiled manifest', () => {
  test('the compiled manifest contains exactly the lists of app.json that are not empty', () => {
    const lists = {
      ai: [{ task: 't', system: 's' }],
      meters: [{ key: 'm', per: 'user', window: 'day', limit: 3 }],
      queues: [{ name: 'q', handler: 'h' }],
      flows: [{ name: 'f', handler: 'h' }],
      roles: ['r'],
      hooks: [{ endpoint: 'e', collection: 'c' }],
      mailboxes: [{ collection: 'c' }],
      rooms: [{ room: 'r', access: 'members' }],
      providers: [{ id: 'p' }],
    } as unknown as Partial<Manifest>
    const keysWith = (given: Partial<Manifest>) => Object.keys(compiledOf(given))
    const basic = ['name', 'collections', 'migrations']
    assert.deepEqual(keysWith(lists).toSorted(), [...basic, ...Object.keys(lists)].toSorted())
    const compiled = compiledOf(lists) as unknown as Record<string, unknown>
    for (const [key, value] of Object.entries(lists)) assert.deepEqual(compiled[key], value, key)
    const empty = Object.fromEntries(Object.keys(lists).map((key) => [key, []]))
    assert.deepEqual(keysWith(empty), basic)
  })

  test('an app with webhooks gets a collection for messages that only the server can write, unless the manifest declares it', () => {
    const own = { partition: 'app' as const, fields: { mine: { type: 'text' as const } } }
    const compiled = compiledOf({ uses: ['data', 'hook'] }).collections
    assert.deepEqual([compiled['hookEvents']?.read, compiled['hookEvents']?.write], ['staff', 'nobody'])
    const declared = compiledOf({ uses: ['data', 'hook'], collections: { hookEvents: own } }).collections
    assert.deepEqual(Object.keys(declared['hookEvents']?.fields ?? {}), ['mine'])
    assert.deepEqual(Object.keys(compiledOf({ uses: ['data'] }).collections), [])
  })

  test("a schedule is compiled to a cron pattern and keeps the manifest's text for display", () => {
    const schedules = [
      { name: 'a', every: 'day at 07:30', handler: 'h', retries: 2 },
      { name: 'b', cron: '5 4 * * 1', timezone: 'Europe/Vienna', handler: 'h' },
    ]
    assert.deepEqual(compiledOf({ schedules }).schedules, [
      { name: 'a', handler: 'h', retries: 2, repeat: 'day at 07:30', cron: '30 7 * * *' },
      { name: 'b', handler: 'h', timezone: 'Europe/Vienna', repeat: '5 4 * * 1', cron: '5 4 * * 1' },
    ])
  })

  test('a collection without a title gets a title from its name', () => {
    const titles = ['plants', 'waterLog', 'a1B'].map(
      (name) => compiledOf(withFields({}, name)).collections[name]?.title,
    )
    assert.deepEqual(titles, ['Plants', 'Water log', 'A1 b'])
  })

  test('a reference field is compiled with the declared removal rule, and other fields get no removal rule', () => {
    const { plants } = compiledOf(
      withFields({ a: { type: 'ref', ref: 'plants', onRemove: 'cascade' }, b: { type: 'text' } }),
    ).collections
    assert.equal(plants?.fields['a']?.onRemove, 'cascade')
    assert.deepEqual(plants?.fields['b'], { type: 'text' })
  })

  test('compiling a manifest does not modify the manifest object', () => {
    const manifest = manifestOf({
      ...withFields({ a: { type: 'ref', ref: 'plants' } }),
      schedules: [{ name: 's', every: 'hour', handler: 'h' }],
    })
    const before = structuredClone(manifest)
    compileApp(manifest)
    generateModules(manifest, NO_FILES)
    assert.deepEqual(manifest, before)
  })
})
