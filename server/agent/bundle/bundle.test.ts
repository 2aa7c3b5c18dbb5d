import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleApp, bundleLive } from './bundle.ts'
import { completeTree } from '../source/tree.ts'
import { plantsTree } from '../testing/tree.ts'

const PAGE = 'web/pages/Rooms.tsx'
const page = (imports: string) => ({
  [PAGE]: `${imports}\nexport default function Rooms() { return null }\n`,
})

async function bundle(changes: Record<string, string>) {
  return bundleApp(completeTree(plantsTree(changes), new Set(['data'])), {
    parts: ['server', 'web'],
    minify: false,
  })
}

async function refusal(changes: Record<string, string>) {
  const result = await bundle(changes)
  assert.ok(!result.ok, 'the bundle was made')
  return result.errors[0]!
}

test('bundling an app yields a worker of one module, static files with a hash in their names, and a page that loads these files', async () => {
  const result = await bundle({})
  assert.ok(result.ok)
  const { server, web } = result.bundle
  assert.deepEqual(Object.keys(server.modules), [server.main])
  const html = Buffer.from(web['/index.html']!.bytes).toString()
  const script = /src="(\/assets\/main-[0-9a-f]{10}\.js)"/.exec(html)?.[1] ?? ''
  const style = /href="(\/assets\/main-[0-9a-f]{10}\.css)"/.exec(html)?.[1] ?? ''
  assert.equal(web[script]?.contentType, 'text/javascript; charset=utf-8')
  assert.equal(web[style]?.contentType, 'text/css; charset=utf-8')
  assert.equal(web['/icon.svg']?.contentType, 'image/svg+xml')
  assert.ok(!html.includes('main.tsx'))
})

test("the page of a bundled app contains the app's name, escaped for HTML", async () => {
  const manifest = (plantsTree().get('app.json') ?? '').replace(
    '"Office plants"',
    () => '"</title><b>$& plants"',
  )
  const result = await bundle({ 'app.json': manifest })
  assert.ok(result.ok)
  const html = Buffer.from(result.bundle.web['/index.html']!.bytes).toString()
  assert.match(html, /<title>&lt;\/title&gt;&lt;b&gt;\$&amp; plants<\/title>/)
})

test('bundling the same app twice returns the same bytes', async () => {
  const [one, two] = [await bundle({}), await bundle({})]
  assert.ok(one.ok && two.ok)
  assert.deepEqual(one.bundle, two.bundle)
})

const REFUSED: [what: string, changes: Record<string, string>, message: RegExp][] = [
  ['a package that is not allowed', page("import x from 'axios'\nx()"), /axios is not available.*Use fetch/],
  [
    'a file of a package that is not allowed',
    page("import x from 'lodash/map'\nx()"),
    /lodash is not available/,
  ],
  [
    'a package that is named like a member of all objects',
    page("import x from 'constructor'\nx()"),
    /constructor is not available\. Available: .*; others can be added with the packages tool\.$/,
  ],
  [
    'a Node module',
    page("import { readFileSync } from 'node:fs'\nreadFileSync('/')"),
    /node:fs is not available to app code/,
  ],
  [
    'a Node module without its prefix',
    page("import fs from 'fs'\nfs.x()"),
    /fs is not available to app code/,
  ],
  [
    'the bindings of the worker',
    { 'server/routes.ts': "import { env } from 'cloudflare:workers'\nexport const routes = env\n" },
    /cloudflare:workers is not available/,
  ],
  [
    'an internal module of the platform',
    page("import { env } from '../../platform/kernel/worker/env'\nenv()"),
    /platform\/ is locked/,
  ],
  [
    'server code in the browser',
    page("import { routes } from '../../server/routes'\nroutes()"),
    /web\/ cannot import server/,
  ],
  [
    'the server entry in the browser',
    page("import { data } from '@slipway/app/server'\ndata()"),
    /not for browser code/,
  ],
  [
    'server code in the browser, through a file in shared/,',
    {
      'shared/rates.ts': "import { routes } from '../server/routes'\nexport const rates = () => routes\n",
      ...page("import { rates } from '../../shared/rates'\nrates()"),
    },
    /shared\/rates\.ts is part of the pages, so it cannot import server\//,
  ],
  [
    'the server entry in the browser, through a file in shared/,',
    {
      'shared/records.ts':
        "import { data } from '@slipway/app/server'\nexport const all = () => data.list('plants')\n",
      ...page("import { all } from '../../shared/records'\nall()"),
    },
    /shared\/records\.ts is part of the pages, so it cannot import @slipway\/app\/server/,
  ],
  ['a missing file', page("import { x } from '../components/x'\nx()"), /components\/x does not exist/],
  ['a file outside of the tree', page("import x from '../../../../etc/passwd'\nx()"), /does not exist/],
  ['a file of the machine by its absolute path', page("import x from '/etc/passwd'\nx()"), /does not exist/],
]

for (const [what, changes, message] of REFUSED) {
  test(`importing ${what} from app code is refused`, async () => {
    const error = await refusal(changes)
    assert.match(error.message, message)
    assert.equal(error.phase, 'bundle')
    assert.equal(error.code, 'import')
    assert.equal(error.file, Object.keys(changes)[0])
    assert.equal(error.line, 1)
  })
}

test('a file in shared/ that no page imports may import server code, and types of server code may be imported anywhere', async () => {
  const result = await bundle({
    'shared/records.ts':
      "import { data } from '@slipway/app/server'\nimport { limit } from '../server/limit'\nexport const all = () => data.list('plants', { limit })\n",
    'shared/limit.ts':
      "import type { Limit } from '../server/limit'\nexport const isLimit = (n: number): n is Limit => n === 5\n",
    'server/limit.ts': 'export const limit = 5\nexport type Limit = typeof limit\n',
    'server/all.ts': "export { all } from '../shared/records'\n",
    ...page("import { isLimit } from '../../shared/limit'\nisLimit(1)"),
  })
  assert.ok(result.ok, JSON.stringify(result))
})

test('a ship accepts server code that a page imports through a file in shared/, because older versions of apps were checked without the rule against it', async () => {
  const changes = {
    'shared/rates.ts': "import { rate } from '../server/rate'\nexport const rates = () => [rate]\n",
    'server/rate.ts': "export const rate = 'seven percent'\n",
    ...page("import { rates } from '../../shared/rates'\nconsole.log(rates())"),
  }
  const tree = completeTree(plantsTree(changes), new Set(['data']))
  assert.ok((await bundleApp(tree, { parts: ['server', 'web'], minify: true })).ok)
  assert.ok(!(await bundleApp(tree, { parts: ['server', 'web'], minify: false })).ok)
})

test('a syntax error in app code is reported with file, line, column and an excerpt of the source', async () => {
  const error = await refusal({ [PAGE]: 'export default function Rooms() {\n  return <p>\n}\n' })
  assert.equal(error.file, PAGE)
  assert.equal(error.code, 'syntax')
  assert.ok(error.line >= 2 && error.column >= 1)
  assert.match(error.excerpt, /return <p>/)
})

test("a tsconfig.json among the app's files does not affect how the app's imports are bundled", async () => {
  const result = await bundle({
    'web/tsconfig.json': '{ "compilerOptions": { "paths": { "react": ["./evil"] } } }',
  })
  assert.ok(result.ok)
})

test('bundling an app whose HTML page lacks its script tag is refused', async () => {
  const error = await refusal({ 'web/index.html': '<!doctype html><p>Hello' })
  assert.equal(error.file, 'web/index.html')
})

test('bundling an app fails when its server code has more than 1 MB compressed', async () => {
  const noise = Array.from(
    { length: 12_000 },
    (_, i) => `'${Math.sin(i).toString(36)}${Math.cos(i * 7).toString(36)}'`,
  )
  const big = Array.from({ length: 8 }, (_, i) => [
    `shared/big${i}.ts`,
    `export const big = [${noise.map((entry) => entry.replace("'", `'${i}`)).join(',\n')}]\n`,
  ])
  const routes = big
    .map(([path], i) => `import { big as b${i} } from '../${String(path).replace('.ts', '')}'`)
    .join('\n')
  const uses = big.map((_, i) => `b${i}`).join(', ')
  const code = `import { Hono } from 'hono'\n${routes}\nexport const routes = new Hono()\nroutes.get('/x', (c) => c.json([${uses}]))\n`
  const changes = { ...Object.fromEntries(big), 'server/routes.ts': code }
  const tree = completeTree(plantsTree(changes), new Set(['data']))
  const result = await bundleApp(tree, { parts: ['server'], minify: true })
  assert.ok(!result.ok)
  assert.match(result.errors[0]?.message ?? '', /The server bundle has \d+ kB compressed/)
})

test("the worker that stores an app's records has a version hash and imports only uploaded modules and modules built into workerd", async () => {
  const { main, modules, version } = await bundleLive()
  assert.match(version, /^[0-9a-f]{16}$/)
  assert.ok(main in modules)
  for (const text of Object.values(modules))
    for (const [, name = ''] of text.matchAll(/(?:\}from|\bimport)\(?"([^"]+)"/g))
      assert.ok(
        name.slice(2) in modules || ['cloudflare:workers', 'node:buffer', 'node:crypto'].includes(name),
        name,
      )
})
