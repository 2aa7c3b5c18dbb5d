import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Hono } from 'hono'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { importInWorkerd } from '@slipway/runtime/kernel/objects/workerd.test.fixture.ts'
import { starterTree } from '../../source/tree.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { openSocket } from '../../testing/bundle-socket.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Everything',
  uses: CAPABILITY_KEYS,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    notes: {
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: { text: { type: 'text', search: true } },
    },
    pushes: { partition: 'app', read: 'public', write: 'public', fields: { body: { type: 'text' } } },
  },
  meters: [{ key: 'exports', per: 'app', window: 'day', limit: 3 }],
  queues: [{ name: 'letter', handler: 'note' }],
  flows: [{ name: 'order', handler: 'note' }],
  schedules: [{ name: 'tick', every: 'minute', handler: 'note' }],
  hooks: [{ name: 'code', scheme: 'github', collection: 'pushes' }],
  mailboxes: [{ collection: 'pushes' }],
  rooms: [{ room: 'desk', access: 'members' }],
}

/** Not a literal, because the type check of the service does not know the types of Cloudflare's runtime. */
const MOUNTS_MODULE = new URL('../../../../runtime/mounts.ts', import.meta.url).href

interface MountsModule {
  MOUNTS: Record<string, { routes: Hono }>
}

/** A name that the app declares, or that its operator could, for the first parameter of a capability's routes. */
const NAMES: Record<string, string> = {
  ai: 'summarize',
  auth: 'club',
  connect: 'github',
  data: 'notes',
  live: 'desk',
}

/**
 * Calls every function of every object that server code can import. Most functions throw before they read an argument. `TABLE` has valid
 * arguments for the other functions.
 */
const ROUTES = `import * as server from '@slipway/app/server'
import { Hono } from 'hono'

const user = 'u_' + '1'.repeat(26)
const recordsOf = (name) => ({
  [name + '.all']: (of) => of.all('notes').next(),
  [name + '.createMany']: (of) => of.createMany('notes', [{ text: 'hello' }]),
})
const TABLE = {
  'ai.run': (of) => of.run('Hello'),
  'ai.stream': (of) => of.stream('Hello'),
  'ai.object': (of) => of.object({ type: 'object' }, 'Hello'),
  'auth.update': (of) => of.update(user, { name: 'Ada' }),
  'files.imageUrl': (of) => of.imageUrl('1', { width: 64 }),
  'files.put': (of) => of.put('text', { name: 'a.txt', type: 'text/plain' }),
  'flow.signal': (of) => of.signal('order_1', 'paid'),
  'guard.verify': (of, request) => of.verify(request, 'contact'),
  'queue.send': (of) => of.send('letter', {}),
  'queue.sendMany': (of) => of.sendMany([{ name: 'letter', data: {} }]),
  'render.pdf': (of) => of.pdf({ html: '<p>Hi</p>' }),
  'render.screenshot': (of) => of.screenshot({ html: '<p>Hi</p>' }),
  'render.markdown': (of) => of.markdown({ html: '<p>Hi</p>' }),
  'render.html': (of) => of.html({ url: '/' }),
  'timers.set': (of) => of.set(new Date(), 'note', {}, { userId: user }),
  'timers.list': (of) => of.list({ userId: user }),
  'timers.cancel': (of) => of.cancel('timer_1', { userId: user }),
  'team.as.create': (of) => of.create({ name: 'Red' }),
  'video.as.createUpload': (of) => of.createUpload({ name: 'Trip' }),
  ...recordsOf('data.as'),
  ...recordsOf('data.system'),
  ...recordsOf('data.system.of'),
}
// These functions only return an address, an id or an object with further functions, so they do not throw.
const PURE = ['assets.url', 'newId', 'as', 'of', 'system']

export const routes = new Hono()
routes.get('/calls', async (c) => {
  const request = c.req.raw
  const objects = Object.fromEntries(Object.entries(server).filter(([, one]) => typeof one === 'object'))
  for (const [name, one] of Object.entries(objects)) if (one.as) objects[name + '.as'] = one.as(request)
  objects['data.system'] = objects.data.system
  objects['data.system.of'] = objects.data.system.of(user)
  const answers = {}
  for (const [name, object] of Object.entries(objects))
    for (const method of Object.keys(object)) {
      if (PURE.includes(method) || PURE.includes(name + '.' + method)) continue
      try {
        const call = TABLE[name + '.' + method] ?? ((of) => of[method]())
        answers[name + '.' + method] = 'accepted ' + JSON.stringify(await call(object, request))
      } catch (error) {
        answers[name + '.' + method] = error.code ?? String(error)
      }
    }
  return c.json(answers)
})
`
const TREE = new Map([
  ...starterTree('Everything'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['server/routes.ts', ROUTES],
  ['server/jobs/note.ts', 'export default () => {}\n'],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])

/** Returns made-up paths and the paths of the real routes, by the key of each capability with code in the app's worker. */
async function pathsOfRoutes(): Promise<[key: string, paths: string[]][]> {
  const { MOUNTS } = await importInWorkerd(() => import(MOUNTS_MODULE) as Promise<MountsModule>)
  return Object.entries(MOUNTS).map(([key, { routes }]) => {
    const real = routes.routes.map(({ path }) =>
      path.replace(/:[^/]+|\*/, NAMES[key] ?? 'x').replaceAll(/:[^/]+/g, '1'),
    )
    return [key, [...new Set(['', '/x', '/x/y', '/x/y/z', ...real])]]
  })
}

const SESSION = `app_session=u_${'1'.repeat(26)}.${'0'.repeat(16)}.${'0'.repeat(64)}`

interface Refusal {
  error?: { code: string }
}

describe('an app whose capabilities were all switched off', () => {
  let app: RunningApp
  before(async () => {
    app = await startApp(TREE, { enabled: [] })
  })
  after(() => app.stop())

  for (const [who, headers] of [
    ['a visitor', {}],
    ['a person whose session was opened before', { cookie: SESSION }],
  ] as const) {
    test(`with all capabilities of an app switched off, every function of server code throws not_enabled for a request of ${who}`, async () => {
      const answers = (await (await app.fetch('/api/calls', { headers })).json()) as Record<string, string>
      assert.ok(Object.keys(answers).length > 60, Object.keys(answers).join())
      const others = Object.entries(answers).filter(([, answer]) => answer !== 'not_enabled')
      assert.deepEqual(others, [])
    })

    test(`with all capabilities of an app switched off, every platform route of a capability returns 404 not_enabled to ${who}`, async () => {
      const others: string[] = []
      const all = await pathsOfRoutes()
      assert.ok(all.some(([key, paths]) => key === 'data' && paths.includes('/notes')))
      for (const [key, paths] of all)
        for (const path of paths)
          for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
            const hasBody = method !== 'GET' && method !== 'DELETE'
            const init = { method, headers, ...(hasBody && { body: '{}' }) }
            const answer = await app.fetch(`/_app/${key}${path}`, init)
            const { error } = (await answer.json()) as Refusal
            if (answer.status !== 404 || error?.code !== 'not_enabled')
              others.push(`${method} /_app/${key}${path}: ${answer.status} ${error?.code}`)
          }
      assert.deepEqual(others, [])
      await assert.rejects(openSocket(app, { collections: ['notes'], ...headers }))
    })
  }

  test('an app with all capabilities switched off still serves its pages, API routes and health route', async () => {
    for (const path of ['/', '/api/calls', '/_app/health', '/_app/config'])
      assert.equal((await app.fetch(path)).status, 200, path)
    const config = await (await app.fetch('/_app/config')).json()
    assert.deepEqual((config as { data: { capabilities: string[] } }).data.capabilities, [])
  })
})
