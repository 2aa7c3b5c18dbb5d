import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FieldDeclaration, Manifest } from './manifest-schema.ts'
import { generateModules, jobsOf } from './typegen.ts'

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

function moduleOf(path: string, changes: Partial<Manifest>, tree = NO_FILES): string {
  const text = generateModules(manifestOf(changes), tree).get(`platform/${path}`)
  assert.ok(text !== undefined, path)
  return text
}

const typesOf = (changes: Partial<Manifest>, tree = NO_FILES) => moduleOf('types.gen.ts', changes, tree)
describe('the generated types of records', () => {
  const linesOf = (text: string, from: string) => {
    const start = text.indexOf(`export interface ${from} {`)
    assert.ok(start >= 0, from)
    return text
      .slice(start, text.indexOf('\n}', start))
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }

  test('each field type of the manifest is generated as the TypeScript type of its values', () => {
    const fields: Record<string, FieldDeclaration> = {
      text: { type: 'text', required: true },
      number: { type: 'number', required: true },
      integer: { type: 'integer', required: true },
      boolean: { type: 'boolean', required: true },
      date: { type: 'date', required: true },
      ref: { type: 'ref', ref: 'plants', required: true },
      file: { type: 'file', required: true },
      json: { type: 'json', required: true },
      list: { type: 'list', required: true },
      choice: { type: 'enum', values: ["it's", 'b"c'], required: true },
    }
    const record = linesOf(typesOf(withFields(fields)), 'PlantsRecord')
    assert.deepEqual(record.slice(1, 1 + Object.keys(fields).length), [
      'text: string',
      'number: number',
      'integer: number',
      'boolean: boolean',
      'date: string',
      'ref: string',
      'file: string',
      'json: unknown',
      'list: string[]',
      `choice: "it's" | "b\\"c"`,
    ])
  })

  test("a record's type allows null for optional fields, and its input type requires only required fields without a default", () => {
    const text = typesOf(
      withFields({
        must: { type: 'text', required: true },
        filled: { type: 'text', required: true, default: 'x' },
        may: { type: 'text', default: 'x' },
        off: { type: 'boolean', required: true, default: false },
      }),
    )
    assert.deepEqual(linesOf(text, 'PlantsRecord').slice(1, 5), [
      'must: string',
      'filled: string',
      'may: string | null',
      'off: boolean',
    ])
    assert.deepEqual(linesOf(text, 'PlantsInput'), [
      'must: string',
      'filled?: string | null | undefined',
      'may?: string | null | undefined',
      'off?: boolean | null | undefined',
    ])
  })

  test('the generated types list exactly the indexed fields for queries and the unique fields for lookups', () => {
    const entry = typesOf(
      withFields({
        plain: { type: 'text' },
        indexed: { type: 'text', index: true },
        one: { type: 'text', unique: true },
        link: { type: 'ref', ref: 'plants' },
        off: { type: 'text', index: false, unique: false },
      }),
    )
    assert.match(entry, /indexed: 'indexed' \| 'one' \| 'link'; unique: 'one' \}/)
    assert.match(typesOf(withFields({ plain: { type: 'text' } })), /indexed: never; unique: never \}/)
  })

  test('without the data capability the generated types contain no collections, even if the manifest has collections', () => {
    const changes = { ...withFields({ a: { type: 'text' } }), uses: [] }
    assert.match(typesOf(changes), /export interface Collections \{\n\n\}/)
    assert.doesNotMatch(typesOf(changes), /PlantsRecord/)
  })

  test('the names of queues, flows and rooms in a manifest are generated as union types, or as `never` without such names', () => {
    const lists = {
      meters: [{ key: 'm1' }, { key: 'm2' }],
      queues: [{ name: 'q' }],
      flows: [{ name: 'f' }],
      rooms: [{ room: 'r' }],
      events: [{ name: 'e' }],
      providers: [{ id: 'p' }],
      roles: ['gardener'],
      pages: [{ path: '/plants/:id', file: 'A.tsx', title: 'A' }],
    } as unknown as Partial<Manifest>
    const of = (text: string) =>
      Object.fromEntries(
        [...text.matchAll(/^export type (\w+) = (.*)$/gm)].map(([, name, type]) => [name, type]),
      )
    const full = of(typesOf(lists, new Map([['server/jobs/water.ts', '']])))
    assert.deepEqual(full, {
      AiTasks: 'Record<never, never>',
      AiTaskName: 'keyof AiTasks & string',
      MeterKey: "'m1' | 'm2'",
      TeamRole: "'owner' | 'member' | 'gardener'",
      QueueName: "'q'",
      FlowName: "'f'",
      RoomName: "'r'",
      EventName: "'e'",
      ProviderId: "'p'",
      JobName: "'water'",
      PagePath: "'/plants/:id'",
    })
    const none = of(typesOf({}))
    for (const name of [
      'MeterKey',
      'QueueName',
      'FlowName',
      'RoomName',
      'EventName',
      'ProviderId',
      'JobName',
      'PagePath',
    ])
      assert.equal(none[name], 'never', name)
    assert.equal(none['TeamRole'], "'owner' | 'member'")
  })

  test('the generated types contain only the AI tasks that pages may run', () => {
    const ai = [
      { task: 'open', system: 's', access: 'public' },
      { task: 'shaped', system: 's', access: 'members', schema: { type: 'object' } },
      { task: 'hidden', system: 's', access: 'nobody' },
      { task: 'usual', system: 's' },
    ] as unknown as NonNullable<Manifest['ai']>
    const text = typesOf({ ai })
    assert.match(text, /'open': \{ text: string \}/)
    assert.match(text, /'shaped': FromSchema<\{"type":"object"\}>/)
    assert.doesNotMatch(text, /hidden|usual/)
    assert.match(text, /import type \{ FromSchema \}/)
    assert.doesNotMatch(typesOf({ ai: ai.slice(0, 1) }), /FromSchema/)
  })
})

describe('the generated modules of pages and jobs', () => {
  test('only files directly in server/jobs/ with a valid name are jobs, in a fixed order', () => {
    const paths = [
      'server/jobs/water.ts',
      'server/jobs/a-b2.ts',
      'server/jobs/Water.ts',
      'server/jobs/deep/water.ts',
      'server/jobs/water.tsx',
      'server/jobs/water.test.ts',
      'server/jobs/.ts',
      'web/server/jobs/water.ts',
      `server/jobs/${'a'.repeat(61)}.ts`,
      'server/jobs/x.ts\nserver/jobs/y.ts',
    ]
    const tree = (all: string[]) => new Map(all.map((path) => [path, '']))
    assert.deepEqual(jobsOf(tree(paths)), ['a-b2', 'water'])
    assert.deepEqual(jobsOf(tree(paths.toReversed())), ['a-b2', 'water'])
    assert.deepEqual(jobsOf(NO_FILES), [])
  })

  test("the generated code imports an app's routes and jobs only when their files exist", () => {
    const none = moduleOf('handlers.gen.ts', {})
    assert.doesNotMatch(none, /import/)
    assert.match(none, /routeModule: object = \{\}/)
    const both = moduleOf(
      'handlers.gen.ts',
      {},
      new Map([
        ['server/routes.ts', ''],
        ['server/jobs/b.ts', ''],
        ['server/jobs/a.ts', ''],
      ]),
    )
    assert.deepEqual(
      [...both.matchAll(/from '([^']+)'/g)].map(([, path]) => path),
      ['../server/routes.ts', '../server/jobs/a.ts', '../server/jobs/b.ts'],
    )
    assert.match(both, /'a': job0,\n {2}'b': job1,/)
  })

  test('a page without declared access is public, and other pages have the declared access', () => {
    const text = moduleOf('pages.gen.ts', {
      pages: [
        { path: '/', file: 'Home.tsx', title: 'Home' },
        { path: '/desk', file: 'admin/Desk.tsx', title: 'Desk', access: 'staff' },
      ],
    })
    assert.match(
      text,
      /path: "\/", title: "Home", file: 'web\/pages\/Home.tsx', access: 'public', component: Page0/,
    )
    assert.match(text, /file: 'web\/pages\/admin\/Desk.tsx', access: 'staff', component: Page1/)
    assert.match(text, /import Page1 from '\.\.\/web\/pages\/admin\/Desk\.tsx'/)
  })

  test('the generated module of pages imports account pages, teams, uploads and page views only when the app uses them', () => {
    const used = (uses: Manifest['uses']) => {
      const text = moduleOf('pages.gen.ts', { uses })
      return [
        './auth/ui/people.tsx',
        './team/ui/with-teams.tsx',
        './files/ui/file-field.tsx',
        './events/send-events.ts',
      ].filter((path) =>
        new RegExp(`(?:export|import) \\{[^}]*\\} from '${path.replaceAll('.', '\\.')}'`).test(text),
      )
    }
    assert.deepEqual(used(['data']), [])
    assert.deepEqual(used(['auth']), ['./auth/ui/people.tsx'])
    assert.deepEqual(used(['team']), ['./auth/ui/people.tsx', './team/ui/with-teams.tsx'])
    assert.deepEqual(used(['files', 'events']), ['./files/ui/file-field.tsx', './events/send-events.ts'])
  })
})
