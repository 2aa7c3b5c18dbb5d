import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { starterTree } from '../source/tree.ts'
import { type RunningApp, startApp } from '../testing/bundle.ts'
import { openSocket } from '../testing/bundle-socket.ts'

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

/** Addresses that are answered before the objects are asked. */
const KNOWN: Record<string, string[]> = {
  ai: ['/summarize'],
  auth: ['/me', '/sign-out', '/sessions', '/passkeys', '/handover', '/handover.js', '/oauth/club/start'],
  data: ['/socket', '/mutate', '/notes'],
  schedule: ['/timers'],
  connect: ['/github/start', '/github/callback', '/github/key'],
  live: ['/desk/1'],
  pay: ['/products', '/checkout', '/portal', '/entitlements', '/return', '/webhook'],
  push: ['/sw.js', '/key', '/devices'],
  team: ['/invites/accept'],
  video: ['/uploads', '/v1/player'],
}

/** Calls each function that server code has, with arguments that are good while its capability is on. */
const ROUTES = `import {
  ai, assets, auth, connect, data, email, events, files, flow, guard, hook, live, meter, pay, push, queue, render, team, timers, video,
} from '@slipway/app/server'
import { Hono } from 'hono'

const user = 'u_' + '1'.repeat(26)
const crew = 't_' + '1'.repeat(26)
const fields = { text: 'hello' }
const records = {
  get: (of) => of.get('notes', 'rec_1'),
  list: (of) => of.list('notes'),
  all: (of) => of.all('notes').next(),
  count: (of) => of.count('notes'),
  search: (of) => of.search('notes', 'hello'),
  create: (of) => of.create('notes', fields),
  update: (of) => of.update('notes', 'rec_1', fields),
  createMany: (of) => of.createMany('notes', [fields]),
  upsert: (of) => of.upsert('notes', 'text', fields),
  increment: (of) => of.increment('notes', 'rec_1', 'count'),
  remove: (of) => of.remove('notes', 'rec_1'),
  tx: (of) => of.tx([{ op: 'create', collection: 'notes', fields }]),
}
const TABLE = {
  ai: {
    run: (of) => of.run('Hello'),
    stream: (of) => of.stream('Hello'),
    object: (of) => of.object({ type: 'object' }, 'Hello'),
    embed: (of) => of.embed(['Hello']),
    similar: (of) => of.similar('notes', { id: 'rec_1' }),
  },
  auth: {
    user: (of, request) => of.user(request),
    require: (of, request) => of.require(request),
    get: (of) => of.get(user),
    update: (of) => of.update(user, { name: 'Ada' }),
    signOutAll: (of) => of.signOutAll(user),
  },
  files: {
    put: (of) => of.put('text', { name: 'a.txt', type: 'text/plain' }),
    find: (of) => of.find('file_1'),
    get: (of) => of.get('file_1'),
    url: (of) => of.url('file_1'),
    list: (of) => of.list(),
    remove: (of) => of.remove('file_1'),
    ticket: (of) => of.ticket(),
  },
  email: { send: (of) => of.send({ to: 'ada@example.test', subject: 'Hi', text: 'There.' }) },
  connect: {
    fetch: (of) => of.fetch(user, 'github', '/user'),
    status: (of) => of.status(user, 'github'),
  },
  events: { track: (of) => of.track('written') },
  live: {
    broadcast: (of) => of.broadcast('desk', '1', 'hi', {}),
    peers: (of) => of.peers('desk', '1'),
  },
  guard: { verify: (of, request) => of.verify(request, 'contact'), limit: (of) => of.limit('contact', 'ada') },
  hook: { replay: (of) => of.replay('rec_1'), send: (of) => of.send('https://example.test', 'type', {}) },
  pay: { entitled: (of) => of.entitled(user, 'book'), products: (of) => of.products() },
  'pay.as': {
    checkout: (of) => of.checkout('book'),
    portal: (of) => of.portal(),
    entitlements: (of) => of.entitlements(),
    entitled: (of) => of.entitled('book'),
  },
  meter: {
    consume: (of) => of.consume('exports', 'app'),
    require: (of) => of.require('exports', 'app'),
    peek: (of) => of.peek('exports', 'app'),
    refund: (of) => of.refund('spend 1'),
  },
  push: { send: (of) => of.send({ userId: user }, { title: 'Hi', body: 'There', url: '/' }) },
  video: {
    list: (of) => of.list(user),
    get: (of) => of.get('v1'),
    playerUrl: (of) => of.playerUrl('v1'),
    remove: (of) => of.remove('v1'),
  },
  'video.as': {
    createUpload: (of) => of.createUpload({ name: 'Trip' }),
    list: (of) => of.list(),
    get: (of) => of.get('v1'),
    playerUrl: (of) => of.playerUrl('v1'),
    remove: (of) => of.remove('v1'),
  },
  render: {
    pdf: (of) => of.pdf({ html: '<p>Hi</p>' }),
    screenshot: (of) => of.screenshot({ html: '<p>Hi</p>' }),
    markdown: (of) => of.markdown({ html: '<p>Hi</p>' }),
    html: (of) => of.html({ url: '/' }),
  },
  flow: {
    start: (of) => of.start('order', {}),
    status: (of) => of.status('order_1'),
    signal: (of) => of.signal('order_1', 'paid'),
    cancel: (of) => of.cancel('order_1'),
  },
  queue: {
    send: (of) => of.send('letter', {}),
    sendMany: (of) => of.sendMany([{ name: 'letter', data: {} }]),
  },
  timers: {
    set: (of) => of.set(new Date(), 'note', {}, { userId: user }),
    list: (of) => of.list({ userId: user }),
    cancel: (of) => of.cancel('timer_1', { userId: user }),
  },
  team: { find: (of) => of.find(crew) },
  'ai.as': { similar: (of) => of.similar('notes', { text: 'Hello' }) },
  'team.as': {
    create: (of) => of.create({ name: 'Red' }),
    list: (of) => of.list(),
    get: (of) => of.get(crew),
    rename: (of) => of.rename(crew, 'Blue'),
    invite: (of) => of.invite(crew),
    invites: (of) => of.invites(crew),
    revokeInvite: (of) => of.revokeInvite(crew, 'inv_1'),
    accept: (of) => of.accept(crew + '.' + '0'.repeat(64)),
    members: (of) => of.members(crew),
    setRole: (of) => of.setRole(crew, user, 'member'),
    remove: (of) => of.remove(crew, user),
    leave: (of) => of.leave(crew),
    delete: (of) => of.delete(crew),
  },
  'data.as': records,
  'data.system': records,
  'data.system.of': records,
}
// These give an address or an id, or something to call.
const PURE = ['assets.url', 'newId', 'as', 'of', 'system']

export const routes = new Hono()
routes.get('/calls', async (c) => {
  const request = c.req.raw
  const objects = {
    ai, assets, auth, connect, data, email, events, files, flow, guard, hook, live, meter, pay, push, queue, render, team, timers, video,
    'ai.as': ai.as(request),
    'pay.as': pay.as(request),
    'team.as': team.as(request),
    'video.as': video.as(request),
    'data.as': data.as(request),
    'data.system': data.system,
    'data.system.of': data.system.of(user),
  }
  const answers = {}
  for (const [name, object] of Object.entries(objects))
    for (const method of Object.keys(object)) {
      if (PURE.includes(method) || PURE.includes(name + '.' + method)) continue
      try {
        const value = await TABLE[name][method](object, request)
        answers[name + '.' + method] = 'accepted ' + JSON.stringify(value)
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
/** Without a part of its own in the app's worker. */
const MOUNTLESS = ['call', 'email', 'flow', 'queue', 'render']
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
    test(`every function of server code throws not_enabled for the request of ${who}`, async () => {
      const answers = (await (await app.fetch('/api/calls', { headers })).json()) as Record<string, string>
      assert.ok(Object.keys(answers).length > 60, Object.keys(answers).join())
      for (const key of CAPABILITY_KEYS.filter((one) => !['assets', 'call'].includes(one)))
        assert.ok(
          Object.keys(answers).some((name) => name.startsWith(key === 'schedule' ? 'timers' : key)),
          key,
        )
      const others = Object.entries(answers).filter(([, answer]) => answer !== 'not_enabled')
      assert.deepEqual(others, [])
    })

    test(`every address of every mount answers not_enabled to ${who}`, async () => {
      const paths = ['', '/x', '/x/y', '/x/y/z']
      const others: string[] = []
      for (const key of CAPABILITY_KEYS.filter((one) => !MOUNTLESS.includes(one)))
        for (const path of [...paths, ...(KNOWN[key] ?? [])])
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

  test('its pages, its own routes and its health are still served', async () => {
    for (const path of ['/', '/api/calls', '/_app/health', '/_app/config'])
      assert.equal((await app.fetch(path)).status, 200, path)
    const config = await (await app.fetch('/_app/config')).json()
    assert.deepEqual((config as { data: { capabilities: string[] } }).data.capabilities, [])
  })
})
