import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { starterTree } from '../source/tree.ts'

/**
 * The capabilities of the test app `releaseTree()`. `releases/` has the worker of this app as earlier versions of Slipway bundled it, and
 * tests run each of these workers with the current live worker. When the calls to the live worker change, add the current worker: make
 * the app call the capabilities that it does not call yet, and write the result of `bundleApp(completeTree(releaseTree(), new
 * Set(RELEASE_KEYS)), { parts: ['server'], minify: true })` to `releases/<date>.worker.txt`. Each worker calls every method of the live
 * worker that existed when the worker was bundled.
 */
export const RELEASE_KEYS: CapabilityKey[] = [
  'auth',
  'data',
  'files',
  'team',
  'meter',
  'queue',
  'schedule',
  'hook',
  'live',
]

const collection = (partition: string, access: string, fields: object) => ({
  partition,
  read: access,
  write: access,
  fields,
})
const TEXT = { text: { type: 'text', required: true } }

export const releaseManifest = (noteFields: object = {}) => ({
  slipway: 1,
  name: 'Notes',
  uses: RELEASE_KEYS,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Notes', access: 'public' }],
  collections: {
    notes: collection('app', 'public', {
      text: { type: 'text', required: true, search: true },
      count: { type: 'integer', index: true },
      ...noteFields,
    }),
    diary: collection('user', 'owner', TEXT),
    tasks: collection('team', 'team', TEXT),
    pushes: collection('app', 'public', { body: { type: 'text' }, status: { type: 'text' } }),
  },
  meters: [{ key: 'exports', per: 'team', window: 'day', limit: 3 }],
  rooms: [{ room: 'desk', access: 'members' }],
  queues: [{ name: 'letter', handler: 'note' }],
  schedules: [{ name: 'tick', every: 'monday at 09:00', handler: 'note' }],
  hooks: [{ name: 'code', scheme: 'github', collection: 'pushes', handler: 'on-push' }],
})

const ROUTES = `import { auth, data, files, hook, live, meter, queue, team, timers } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/notes', async (c) => c.json(await data.system.list('notes', { sort: '-createdAt' })))
routes.post('/notes', async (c) => c.json(await data.system.create('notes', await c.req.json())))
routes.patch('/notes/:id', async (c) => c.json(await data.system.update('notes', c.req.param('id'), await c.req.json())))
routes.delete('/notes/:id', async (c) => c.json(await data.system.remove('notes', c.req.param('id'))))
routes.get('/search', async (c) => c.json(await data.as(c.req.raw).search('notes', c.req.query('q') ?? '')))
routes.post('/files', async (c) => c.json(await files.put(await c.req.text(), { name: 'note.txt', type: 'text/plain' })))
routes.get('/files', async (c) => c.json(await files.list()))
routes.get('/who', async (c) => c.json(await auth.user(c.req.raw)))
routes.get('/diary', async (c) => c.json(await data.as(c.req.raw).list('diary')))
routes.post('/teams', async (c) => c.json(await team.as(c.req.raw).create({ name: 'Red' })))
routes.get('/teams', async (c) => c.json(await team.as(c.req.raw).list()))
routes.get('/teams/:id/tasks', async (c) => c.json(await data.system.of(c.req.param('id')).list('tasks')))
routes.post('/teams/:id/export', async (c) => c.json(await meter.require('exports', c.req.param('id'))))
routes.get('/teams/:id/export', async (c) => c.json(await meter.peek('exports', c.req.param('id'))))
routes.post('/letters', async (c) => c.json(await queue.send('letter', await c.req.json(), { key: 'letter 1' })))
routes.post('/remind', async (c) => {
  const { id: userId } = await auth.require(c.req.raw)
  return c.json(await timers.set(new Date(), 'note', await c.req.json(), { userId }))
})
routes.post('/rooms/:id', async (c) => {
  await live.broadcast('desk', c.req.param('id'), 'say', await c.req.json())
  return c.json(await live.peers('desk', c.req.param('id')))
})
routes.post('/replay/:id', async (c) => c.json(await hook.replay(c.req.param('id'))))
`
const NOTE = `import { data } from '@slipway/app/server'

export default async (note: { text: string }) => {
  await data.system.create('notes', { text: note.text })
}
`
const ON_PUSH = `import { data, type HookEvent } from '@slipway/app/server'

export default async ({ deliveryId }: HookEvent) => {
  await data.system.create('notes', { text: 'pushed ' + deliveryId })
}
`

export const releaseTree = (noteFields: object = {}) =>
  new Map([
    ...starterTree('Notes'),
    ['app.json', JSON.stringify(releaseManifest(noteFields))],
    ['server/routes.ts', ROUTES],
    ['server/jobs/note.ts', NOTE],
    ['server/jobs/on-push.ts', ON_PUSH],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Notes">Notes</Page>\n`,
    ],
  ])
