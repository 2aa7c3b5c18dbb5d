import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeTree, isLocked, lockedFiles, pathProblem, pathConflict, starterTree } from './tree.ts'
import { plantsTree } from '../testing/tree.ts'
import { readManifest } from './manifest.ts'

const DATA = new Set(['data'])

test('valid paths of app files are allowed', () => {
  for (const path of [
    'app.json',
    'web/pages/[id].tsx',
    'server/routes.ts',
    'public/robots.txt',
    'shared/a-b_c.ts',
  ]) {
    assert.equal(pathProblem(path), null, path)
  }
})

test('hostile paths of app files are refused', () => {
  const paths = [
    '',
    '/etc/passwd',
    '../web/a.ts',
    'web/../a.ts',
    'web//a.ts',
    'web/./a.ts',
    'web/.hidden.ts',
    'web/a b.ts',
    'web/a\0.ts',
    'web/a\\b.ts',
    'web/ü.ts',
    'secrets/a.ts',
    'web',
    'web/a.exe',
    'web/a',
    'package.json',
    'web/node_modules/react/index.ts',
    'shared/node_modules/a.ts',
    'server/Node_Modules/hono/index.ts',
    `web/${'a/'.repeat(8)}a.ts`,
    `web/${'a'.repeat(130)}.ts`,
  ]
  for (const path of paths) assert.notEqual(pathProblem(path), null, path)
})

test('a new file cannot have the path of an existing folder or lie below an existing file', () => {
  const tree = new Map([
    ['shared/a.ts', ''],
    ['web/pages/Home.tsx', ''],
  ])
  assert.match(pathConflict('shared/a.ts/b.ts', tree) ?? '', /^lies in shared\/a\.ts, which is a file/)
  assert.match(pathConflict('shared/A.ts/b/c.ts', tree) ?? '', /^lies in shared\/a\.ts/)
  assert.match(pathConflict('web/pages', tree) ?? '', /^is a folder already: web\/pages\/Home\.tsx/)
  for (const path of ['shared/a.ts', 'shared/a.tsx', 'shared/a/b.ts', 'web/pages/Homes.tsx'])
    assert.equal(pathConflict(path, tree), null, path)
})

test('the build agent is not allowed to change platform files, configuration files or the README', () => {
  for (const path of [
    'platform/worker.ts',
    'wrangler.jsonc',
    'package.json',
    'tsconfig.json',
    'README.md',
    '.gitignore',
  ]) {
    assert.ok(isLocked(path), path)
  }
  assert.ok(!isLocked('web/platform/a.ts'))
})

test('a new app has a valid manifest, and the build agent may write each of its files', () => {
  const tree = starterTree('My <App>')
  const result = readManifest(tree.get('app.json') ?? '')
  assert.ok(result.ok)
  assert.equal(result.manifest.name, 'My <App>')
  for (const path of tree.keys()) assert.ok(!isLocked(path) && pathProblem(path) === null, path)
})

test("a new app is named with the first 60 characters of the project's name, and no emoji is split", () => {
  const manifest = readManifest(starterTree(` ${'x'.repeat(59)}🌱 garden`).get('app.json') ?? '')
  assert.equal(manifest.ok && manifest.manifest.name, 'x'.repeat(59))
})

test("a build agent's file in the platform folder is replaced by the platform's file or removed", () => {
  const tree = completeTree(plantsTree({ 'platform/worker.ts': 'evil', 'platform/extra.ts': 'evil' }), DATA)
  assert.notEqual(tree.get('platform/worker.ts'), 'evil')
  assert.ok(!tree.has('platform/extra.ts'))
})

test('equal files of the build agent give byte-identical platform and configuration files', () => {
  const one = completeTree(plantsTree(), DATA)
  const two = completeTree(plantsTree(), DATA)
  assert.deepEqual([...one], [...two])
})

test('the platform files of an app contain no tests and no node_modules', () => {
  for (const path of completeTree(plantsTree(), DATA).keys()) {
    if (!path.startsWith('platform/')) continue
    assert.ok(!path.includes('.test.') && !path.includes('node_modules'), path)
  }
})

test('generated types contain the fields and page paths of the manifest', () => {
  const types = completeTree(plantsTree(), DATA).get('platform/types.gen.ts') ?? ''
  assert.match(
    types,
    /export interface PlantsRecord \{\n {2}id: string\n {2}name: string\n {2}room: string \| null/,
  )
  assert.match(
    types,
    /export interface PlantsInput \{\n {2}name: string\n {2}room\?: string \| null \| undefined/,
  )
  assert.match(types, /light: "shade" \| "half_shade" \| "sun" \| null/)
  assert.match(types, /PagePath = '\/' \| '\/rooms' \| '\/plants\/:id'/)
})

test('for a manifest that is not valid JSON, the generated list of pages is empty', () => {
  const tree = completeTree(new Map([['app.json', '{']]), DATA)
  assert.match(tree.get('platform/pages.gen.ts') ?? '', /pages: PageEntry\[\] = \[\n\n\]/)
})

test('renaming an app does not change the hash of its manifest', () => {
  const hashOf = (name: string) => {
    const files = plantsTree()
    const result = readManifest(
      (files.get('app.json') ?? '').replace('"Office plants"', JSON.stringify(name)),
    )
    assert.ok(result.ok)
    return /manifestHash: string = '(\w+)'/.exec(
      lockedFiles(files, result.manifest, DATA).get('platform/manifest.gen.ts') ?? '',
    )?.[1]
  }
  assert.equal(hashOf('One'), hashOf('Two'))
})

test("an app's wrangler file binds the worker that stores its records only when the data capability is on", () => {
  const config = (enabled: Set<string>) =>
    JSON.parse(completeTree(plantsTree(), enabled).get('wrangler.jsonc') ?? '') as { services?: object[] }
  assert.deepEqual(config(DATA).services, [
    { binding: 'LIVE', service: 'office-plants-live', entrypoint: 'Production' },
  ])
  assert.equal(config(new Set()).services, undefined)
})

test('the generated files of an app import its jobs, type the names in its manifest and configure its queues', () => {
  const manifest = {
    slipway: 1,
    name: 'Letters',
    uses: ['auth', 'meter', 'queue', 'live', 'ai'],
    meters: [{ key: 'letters', per: 'user', window: 'day', limit: 5 }],
    rooms: [{ room: 'desk', access: 'members', history: 5 }],
    ai: [
      { task: 'sum', system: 'Sum.', access: 'public' },
      { task: 'kind', system: 'Sort.', access: 'public', schema: { type: 'object', required: ['kind'] } },
      { task: 'hidden', system: 'For server code.' },
    ],
    queues: [
      { name: 'write', handler: 'write-letter', retries: 8 },
      { name: 'send', handler: 'write-letter' },
    ],
  }
  const own = new Map([
    ['app.json', JSON.stringify(manifest)],
    ['server/jobs/write-letter.ts', 'export default () => {}'],
  ])
  const tree = completeTree(own, new Set(['auth', 'meter', 'queue']))
  const handlers = tree.get('platform/handlers.gen.ts') ?? ''
  assert.match(handlers, /import \* as job0 from '\.\.\/server\/jobs\/write-letter\.ts'/)
  assert.match(handlers, /'write-letter': job0/)
  const types = tree.get('platform/types.gen.ts') ?? ''
  assert.match(types, /export type MeterKey = 'letters'\n/)
  assert.match(types, /export type RoomName = 'desk'\n/)
  assert.match(
    types,
    /AiTasks = \{\n  'sum': \{ text: string \}\n  'kind': FromSchema<\{"type":"object","required":\["kind"\]\}>\n\}/,
  )
  assert.match(tree.get('platform/manifest.gen.ts') ?? '', /"rooms": \[\s+\{\s+"room": "desk"/)
  assert.match(types, /export type QueueName = 'write' \| 'send'\n/)
  const { queues } = JSON.parse(tree.get('wrangler.jsonc') ?? '') as { queues: object }
  assert.deepEqual(queues, {
    producers: [
      { binding: 'JOBS', queue: 'letters-jobs' },
      { binding: 'DEAD_JOBS', queue: 'letters-jobs-dlq' },
    ],
    consumers: [
      {
        queue: 'letters-jobs',
        dead_letter_queue: 'letters-jobs-dlq',
        max_batch_size: 10,
        max_batch_timeout: 2,
        max_retries: 8,
        retry_delay: 30,
      },
    ],
  })
  assert.match(
    tree.get('DEPLOY.md') ?? '',
    /wrangler queues create <name>.*`-jobs` and the one ending in `-jobs-dlq`/,
  )
})
