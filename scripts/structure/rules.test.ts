import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { castBreaks, countJsonCasts } from './json-casts.ts'
import { countRowCasts, rowCastBreaks } from './row-casts.ts'
import { countTypeCasts, typeCastBreaks } from './type-casts.ts'
import { breaksOf, circlesOf, importsOf, ownerlessTables, type Rules, tablesOf } from './rules.ts'

const fileOf = (path: string, text: string) => ({ path, text })

const RULES: Rules = {
  layers: {
    server: [
      ['lib', 'platform.ts', 'sql'],
      ['statements', 'build-state'],
      ['tickets/declaration.ts', 'builds/low.ts'],
      ['projects'],
      ['builds', 'tickets'],
    ],
    console: [['text'], ['ui/frame.tsx'], ['screens'], ['ui']],
    'console/screens': [['list'], ['page', 'form']],
  },
  withoutCircles: { server: ['projects -> tickets'] },
  withoutCirclesInside: ['server'],
  owners: { projects: 'projects', runs: 'builds' },
  sharedOwnership: { 'build-state': 'builds' },
}

describe('the structure check', () => {
  test('the structure check finds static, type-only, side-effect and dynamic relative imports, but no packages or comments', () => {
    const text = `import { a } from './a.ts'
import type {
  B,
} from '../lib/b.ts'
import './c.css'
import zod from 'zod'
export { d } from "./d.ts"
const e = await import('./e.ts')
type F = import('../f.ts').F
// import { g } from './g.ts'`
    assert.deepEqual(importsOf(fileOf('server/builds/x.ts', text)), [
      'server/builds/a.ts',
      'server/lib/b.ts',
      'server/builds/c.css',
      'server/builds/d.ts',
      'server/builds/e.ts',
      'server/f.ts',
    ])
  })

  test('a file may import its own folder and lower layers, but no sibling folder and no higher layer', () => {
    const files = [
      fileOf('server/builds/run.ts', `import './start.ts'\nimport { p } from '../projects/p.ts'`),
      fileOf('server/builds/start.ts', `import { t } from '../tickets/t.ts'`),
      fileOf('server/projects/p.ts', `import type { T } from '../tickets/t.ts'\nimport '../platform.ts'`),
      fileOf('server/tickets/t.ts', `import { start } from '../start.ts'`),
      fileOf('server/start.ts', `import '../server/tickets/t.ts'`),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'server/builds/start.ts imports server/tickets/t.ts, which is not below it',
      'server/projects/p.ts imports server/tickets/t.ts, which is not below it',
      'server/tickets/t.ts imports server/start.ts, which is not below it',
      'folders of server/ import each other: start.ts, tickets',
    ])
  })

  test('test files and fixtures may import from every layer', () => {
    const files = ['server/lib/a.test.ts', 'server/lib/b.test.fixture.ts']
    assert.deepEqual(
      breaksOf(
        files.map((path) => fileOf(path, `import '../builds/run.ts'`)),
        RULES,
      ),
      [],
    )
  })

  test('the structure check reports once that a folder is in no layer of its package', () => {
    const files = [
      fileOf('server/new/a.ts', ''),
      fileOf('server/new/b.ts', ''),
      fileOf('console/new/a.tsx', ''),
      fileOf('console/main.tsx', ''),
      fileOf('sdk/new/a.ts', ''),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'server/new is in no layer: name it in the rules',
      'console/new is in no layer: name it in the rules',
    ])
  })

  test('the layers of a package do not restrict imports from another package', () => {
    const files = [
      fileOf('console/text/a.ts', `import { l } from '../ui/l.tsx'\nimport { b } from '../../sdk/b.ts'`),
      fileOf('console/ui/l.tsx', `import { a } from '../text/a.ts'`),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'console/text/a.ts imports console/ui/l.tsx, which is not below it',
    ])
  })

  test('files without code, such as styles, are in no layer and may be imported from every layer', () => {
    const files = [fileOf('console/text/a.ts', `import '../all.css'\nimport e from '../examples/e.txt?raw'`)]
    assert.deepEqual(breaksOf(files, RULES), [])
  })

  test('the layer rules can put a single file into a lower layer than its folder', () => {
    const files = [
      fileOf('console/screens/list/l.tsx', `import { f } from '../../ui/frame.tsx'`),
      fileOf('console/ui/frame.tsx', `import { l } from './l.tsx'`),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'console/ui/frame.tsx imports console/ui/l.tsx, which is not below it',
    ])
  })

  test('the layer rules apply to folders inside a folder too, and report a folder that is in no layer', () => {
    const files = [
      fileOf('console/screens/page/p.tsx', `import '../list/l.tsx'\nconst f = import('../form/f.tsx')`),
      fileOf('console/screens/more/m.tsx', ''),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'console/screens/more is in no layer: name it in the rules',
      'console/screens/page/p.tsx imports console/screens/form/f.tsx, which is not below it',
    ])
  })

  test('the structure check finds table names in query builder calls and SQL, but not in comments, strings or longer names', () => {
    const tables = ['runs', 'projects', 'run_events']
    const found = (text: string) => tablesOf(fileOf('x.ts', text), tables)
    assert.deepEqual(found(`db.selectFrom('runs').innerJoin('projects', 'a', 'b')`), ['runs', 'projects'])
    assert.deepEqual(found(`db.selectFrom('runs as r')`), ['runs'])
    assert.deepEqual(found(`db.deleteFrom('x').using('projects as p')`), ['projects'])
    assert.deepEqual(found('sql`insert into run_events (a) select 1 from projects`'), [
      'projects',
      'run_events',
    ])
    assert.deepEqual(found('// reads from runs\n/* update projects set */ const from = 1'), [])
    assert.deepEqual(found('sql`select 1 from runs_old`'), [])
    assert.deepEqual(found(`    description: 'Posts go into runs of a project',`), [])
  })

  test('SQL on a table is allowed only in the folder that owns the table', () => {
    const files = [
      fileOf('server/builds/run.ts', `db.updateTable('runs')`),
      fileOf('server/tickets/t.ts', `db.selectFrom('runs')`),
    ]
    assert.deepEqual(breaksOf(files, RULES), ['server/tickets/t.ts has SQL on runs of server/builds'])
  })

  test('a file of server/sql may contain parts of SQL statements, and is reported when it executes one', () => {
    const files = [
      fileOf('server/sql/builds.ts', 'export const queued = sql`exists (select from runs)`'),
      fileOf('server/sql/projects.ts', "db.deleteFrom('projects').executeTakeFirst()"),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'server/sql/projects.ts executes a statement: move it to server/statements',
    ])
  })

  test('SQL of a file in server/sql or server/statements may use only the tables of the folder that its path names', () => {
    const files = [
      fileOf('server/sql/builds.ts', 'sql`select from runs`'),
      fileOf('server/sql/projects.ts', 'sql`select from runs`'),
      fileOf('server/statements/builds/delete-runs.ts', "db.deleteFrom('runs').execute()"),
      fileOf('server/statements/projects/delete-runs.ts', "db.deleteFrom('runs').execute()"),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'server/statements/projects/delete-runs.ts has SQL on runs of server/builds',
    ])
  })

  test('a folder that shares the tables of another folder may have SQL on those tables, and on no other tables', () => {
    const files = [fileOf('server/build-state/a.ts', "db.selectFrom('runs')\ndb.selectFrom('projects')")]
    assert.deepEqual(breaksOf(files, RULES), [
      'server/build-state/a.ts has SQL on projects of server/projects',
    ])
  })

  test('two folders may not import each other, even through a file in another layer, except for exempted imports', () => {
    const allowed = [
      fileOf('server/projects/p.ts', `import { d } from '../tickets/declaration.ts'`),
      fileOf('server/tickets/t.ts', `import { p } from '../projects/p.ts'`),
    ]
    assert.deepEqual(breaksOf(allowed, RULES), [])
    const files = [
      fileOf('server/projects/p.ts', `import type { Low } from '../builds/low.ts'`),
      fileOf('server/builds/b.ts', `import { p } from '../projects/p.ts'`),
    ]
    assert.deepEqual(breaksOf(files, RULES), ['folders of server/ import each other: builds, projects'])
  })

  test('in a package listed in withoutCirclesInside, two folders inside one folder may not import each other, at any depth', () => {
    const files = [
      fileOf('server/builds/run/a.ts', `import type { B } from '../stream/b.ts'`),
      fileOf('server/builds/stream/b.ts', `import '../run/deep/c.ts'`),
      fileOf('server/builds/run/deep/c.ts', `import '../deeper/d.ts'`),
      fileOf('server/builds/run/deeper/d.ts', `import '../deep/c.ts'`),
      fileOf('console/ui/x/a.tsx', `import '../y/b.tsx'`),
      fileOf('console/ui/y/b.tsx', `import '../x/a.tsx'`),
    ]
    assert.deepEqual(breaksOf(files, RULES), [
      'folders of server/builds/ import each other: run, stream',
      'folders of server/builds/run/ import each other: deep, deeper',
    ])
  })

  test('import cycles of more than two files are found in every folder, even when they contain imports of types', () => {
    const files = [
      fileOf('console/a.ts', `import type { B } from './b.ts'`),
      fileOf('console/b.ts', `import { c } from './c.ts'`),
      fileOf('console/c.ts', `import { a } from './a.ts'`),
      fileOf('console/d.ts', `import './e.ts'`),
      fileOf('console/e.ts', `import './d.ts'`),
    ]
    assert.deepEqual(circlesOf(files), [['console/a.ts', 'console/b.ts', 'console/c.ts']])
  })
})

describe('the length of files and the width of comments', () => {
  test('a file of more than 500 lines is reported, even if it is a test, but not if it is generated', () => {
    const lines = (count: number) => 'const a = 1\n'.repeat(count)
    const files = [
      fileOf('local/a.ts', lines(500)),
      fileOf('local/b.ts', lines(501)),
      fileOf('local/c.test.ts', lines(501)),
      fileOf('local/d.gen.ts', lines(501)),
    ]
    assert.deepEqual(
      breaksOf(files, {
        layers: {},
        withoutCircles: {},
        withoutCirclesInside: [],
        owners: {},
        sharedOwnership: {},
      }),
      [
        'local/b.ts has 501 lines, at most 500: split it',
        'local/c.test.ts has 501 lines, at most 500: split it',
      ],
    )
  })

  test('a table of the schema without an owner, and an owner of a table that the schema lacks, are reported', () => {
    const schema = 'create table runs (\n);\ncreate unlogged table "ssoProvider" (\n);\n'
    assert.deepEqual(ownerlessTables(schema, { runs: 'builds', ssoProvider: 'auth' }), [])
    assert.deepEqual(ownerlessTables(schema, { runs: 'builds', mails: 'mail' }), [
      'ssoProvider has no owner: name its folder in scripts/structure/check.ts',
      'mails has an owner, but the schema has no such table',
    ])
  })

  test('a comment of more than 140 columns is reported with its line, unlike code of that width or a generated file', () => {
    const wide = (start: string, columns: number) => start.padEnd(columns, 'x')
    const source = [wide('// ', 140), wide(' * ', 141), wide('const a = 1 //', 200)].join('\n')
    const files = [fileOf('local/a.ts', source), fileOf('local/b.gen.ts', source)]
    assert.deepEqual(
      breaksOf(files, {
        layers: {},
        withoutCircles: {},
        withoutCirclesInside: [],
        owners: {},
        sharedOwnership: {},
      }),
      ['local/a.ts:2 is a comment of 141 columns, at most 140: wrap it'],
    )
  })
})

describe('the check of casts of JSON', () => {
  test('the structure check counts a cast of a JSON.parse result across nested brackets and lines, and a cast to JsonText', () => {
    const casts = [
      `const a = JSON.parse(text) as Foo`,
      `const a = (JSON.parse(await read(text ?? ')')) as Foo).b`,
      `const a = JSON.parse(text) as unknown as Foo`,
      `const a = JSON.parse(\n  new TextDecoder().decode(bytes),\n) as {\n  a: string\n}`,
      `const a = text as JsonText<Foo>`,
    ]
    for (const text of casts) assert.equal(countJsonCasts(text), 1, text)
    const fine = [
      `const a: Foo = JSON.parse(text)`,
      `const a = fieldsOf(JSON.parse(text)) as Foo`,
      `const a = read(JSON.parse(text), b as Foo)`,
      `const a = JSON.parse(text as string)`,
    ]
    for (const text of fine) assert.equal(countJsonCasts(text), 0, text)
  })

  test('a file may cast JSON only as often as json-casts.json lists, and a listed number that is too high is reported', () => {
    const casting = `const a = JSON.parse(b) as C\n`
    const files = [
      fileOf('local/a.ts', casting),
      fileOf('local/b.ts', casting.repeat(2)),
      fileOf('local/c.ts', ''),
      fileOf('local/d.test.ts', casting),
    ]
    assert.deepEqual(
      castBreaks(files, { 'local/a.ts': 1, 'local/b.ts': 1, 'local/c.ts': 1, 'local/gone.ts': 2 }),
      [
        'local/b.ts casts JSON 2 times, 1 allowed: type its source as JsonText, or check the value',
        'local/c.ts casts JSON 0 times: lower its number in json-casts.json',
        'local/gone.ts casts JSON 0 times: lower its number in json-casts.json',
      ],
    )
  })
})

describe('the check of casts of columns', () => {
  test('the structure check counts casts of a database column, but neither reads of a column nor other casts', () => {
    const casts = [
      `const id = row['id'] as string`,
      `const id = (row?.['id'] as string | undefined) ?? null`,
      `const at = row[\n  'created_at'\n] as number`,
    ]
    for (const text of casts) assert.equal(countRowCasts(text), 1, text)
    const fine = [`const id = row.id`, `const on = row['on'] === 1`, `const box = env['BOX'] as MailBox`]
    for (const text of fine) assert.equal(countRowCasts(text), 0, text)
  })

  test('a file may cast database columns only as often as row-casts.json lists, and a number that is too high is reported', () => {
    const casting = `const id = row['id'] as string\n`
    const files = [
      fileOf('local/a.ts', casting),
      fileOf('local/b.ts', casting.repeat(2)),
      fileOf('local/c.ts', ''),
    ]
    assert.deepEqual(rowCastBreaks(files, { 'local/a.ts': 1, 'local/b.ts': 1, 'local/c.ts': 1 }), [
      'local/b.ts casts a column of a row 2 times, 1 allowed: give the query a row type',
      'local/c.ts casts a column of a row 0 times: lower its number in row-casts.json',
    ])
  })
})

describe('the check of type casts', () => {
  test('the structure check counts every type cast, even in a template literal, in JSX and in a cast of a cast', () => {
    const casts: [text: string, count: number][] = [
      ['const a = b as C', 1],
      ['const a = (await b()) as { c: string }', 1],
      ["const a = b['c'] as 'd' | 'e'", 1],
      ['const a = b as unknown as C', 2],
      ['const a = `x ${b as string} y ${{ c: d as C }} z`', 2],
      ['<A b={c as D}>as Text</A>', 1],
      ["const a = /['`]/.test(b) ? (c as D) : `as E`", 1],
      ['const a = [\n  b,\n] as [C, D]', 1],
    ]
    for (const [text, count] of casts) assert.equal(countTypeCasts(text), count, text)
  })

  test('the structure check does not count as const, renamed imports, properties named as, comments and texts as casts', () => {
    const fine = [
      "const a = ['b'] as const",
      "import * as z from 'zod'",
      "import { a as B, type c as D } from './e.ts'",
      "export { a as B } from './c.ts'",
      "const { as, url } = f({ as: 'pdf' })",
      'pay.as(request)',
      '// b as C\n/* d as E */',
      "const a = 'b as C' + `select d as E from ${f}`",
    ]
    for (const text of fine) assert.equal(countTypeCasts(text), 0, text)
  })

  test('a package may have only as many type casts as type-casts.json lists, and a listed number that is too high is reported', () => {
    const files = [
      fileOf('local/a.ts', 'const a = b as C\n'),
      fileOf('local/d/e.ts', 'const a = b as C // it`s\n'),
      fileOf('local/f.test.ts', 'const a = b as C\n'),
      fileOf('sdk/a.ts', ''),
    ]
    assert.deepEqual(typeCastBreaks(files, { local: 2, sdk: 0 }), [])
    assert.deepEqual(typeCastBreaks(files, { local: 1, sdk: 1 }), [
      'local casts to a type 2 times, 1 allowed: use a type guard, `satisfies` or a better declared type',
      'sdk casts to a type 0 times: lower its number in type-casts.json',
    ])
  })
})
