import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { askApp, control, startTestWorld, type TestWorld } from './world.ts'
import { projectWith, wrangler, writeFiles } from './wrangler.ts'

const CONFIG = JSON.stringify({
  name: 'counter',
  main: 'src/index.js',
  compatibility_date: '2026-06-01',
  assets: { directory: 'public', binding: 'ASSETS' },
  vars: { GREETING: 'hello' },
  durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
})

const source = (label: string) => `
import { DurableObject } from 'cloudflare:workers'
export class Counter extends DurableObject {
  hit() {
    const { sql } = this.ctx.storage
    sql.exec('CREATE TABLE IF NOT EXISTS hits (at INTEGER)')
    sql.exec('INSERT INTO hits VALUES (1)')
    return sql.exec('SELECT count(*) AS n FROM hits').one().n
  }
}
export default {
  async fetch(request, env) {
    const hits = await env.COUNTER.getByName('all').hit()
    return Response.json({ label: '${label}', greeting: env.GREETING, secret: env.SECRET ?? null, hits })
  },
}`

let world: TestWorld
let project: string
before(async () => {
  world = await startTestWorld()
  project = projectWith(world, {
    'wrangler.jsonc': CONFIG,
    'src/index.js': source('first'),
    'public/index.html': '<h1>a static page</h1>',
  })
})
after(() => world.remove())

async function run(...args: string[]): Promise<string> {
  const { code, output } = await wrangler(world, project, ...args)
  assert.equal(code, 0, output)
  return output
}

async function ask(): Promise<{ label: string; greeting: string; secret: string | null; hits: number }> {
  const { status, text } = await askApp(world, 'counter', '/api')
  assert.equal(status, 200, text)
  return JSON.parse(text) as Awaited<ReturnType<typeof ask>>
}

test('wrangler knows who it is', async () => {
  assert.match(await run('whoami'), /owner@slipway\.test/)
})

test('wrangler deploys a worker with assets and a SQLite Durable Object, and it answers', async () => {
  await run('deploy')
  assert.deepEqual(await ask(), { label: 'first', greeting: 'hello', secret: null, hits: 1 })
  const page = await askApp(world, 'counter', '/')
  assert.deepEqual([page.status, page.text], [200, '<h1>a static page</h1>'])
})

test('wrangler deploys it again, and the data is still there', async () => {
  writeFiles(project, { 'src/index.js': source('second'), 'public/more.html': 'more' })
  await run('deploy', '--message', 'second one')
  const answer = await ask()
  assert.deepEqual([answer.label, answer.hits], ['second', 2])
  assert.equal((await askApp(world, 'counter', '/more')).text, 'more')
})

test('a secret set by wrangler reaches the app and survives a deploy, and its text is never listed', async () => {
  writeFiles(project, { 'secrets.json': JSON.stringify({ SECRET: 'hidden-text' }) })
  await run('secret', 'bulk', 'secrets.json')
  assert.equal((await ask()).secret, 'hidden-text')
  await run('deploy')
  assert.equal((await ask()).secret, 'hidden-text')
  const list = await run('secret', 'list')
  assert.match(list, /SECRET/)
  assert.doesNotMatch(list, /hidden-text/)
})

test('a script that does not start is refused with the reason, and the old version keeps serving', async () => {
  writeFiles(project, { 'src/index.js': `${source('broken')}\nthrow new Error('it breaks at the top')` })
  const { code, output } = await wrangler(world, project, 'deploy')
  assert.notEqual(code, 0)
  assert.match(output, /it breaks at the top/)
  assert.match(output, /10021/)
  assert.equal((await ask()).label, 'second')
})

test('wrangler lists the versions and rolls back to the first, with the data as it is', async () => {
  const versions = JSON.parse(await run('versions', 'list', '--json')) as { id: string; number: number }[]
  assert.equal(versions.length, 4)
  const first = versions.find((version) => version.number === 1)
  const before = await ask()
  await run('rollback', first?.id ?? '', '--yes', '--message', 'back to the first')
  const answer = await ask()
  assert.deepEqual([answer.label, answer.hits], ['first', before.hits + 1])
  assert.match(await run('deployments', 'list'), /back to the first/)
})

test('wrangler deletes the worker, and its name answers 404 and finds no old data when made again', async () => {
  await run('delete', '--force')
  assert.equal((await askApp(world, 'counter', '/api')).status, 404)
  writeFiles(project, { 'src/index.js': source('again') })
  await run('deploy')
  assert.deepEqual(await ask(), { label: 'again', greeting: 'hello', secret: null, hits: 1 })
})

test('wrangler called nothing that the local cloud lacks', async () => {
  const { entries } = (await control(world, 'GET', '/journal')) as {
    entries: { unimplemented: boolean; method: string; path: string }[]
  }
  assert.ok(entries.length > 50)
  assert.deepEqual(
    entries.filter((entry) => entry.unimplemented).map((entry) => `${entry.method} ${entry.path}`),
    [],
  )
})
