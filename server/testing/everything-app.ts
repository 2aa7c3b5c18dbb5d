import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { type AppTree, starterTree } from '../agent/source/tree.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { appSaying } from '../releases/testing.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Everything',
  uses: CAPABILITY_KEYS,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    letters: {
      partition: 'app',
      read: 'members',
      write: 'nobody',
      fields: { text: { type: 'text' }, attempt: { type: 'integer' } },
    },
  },
  schedules: [{ name: 'nightly', cron: '0 3 * * *', handler: 'write' }],
  queues: [{ name: 'letters', handler: 'write' }],
  flows: [{ name: 'answer', handler: 'answer' }],
  mailboxes: [{ collection: 'letters' }],
  roles: ['writer'],
  hooks: [{ name: 'post', scheme: 'token', collection: 'letters' }],
  rooms: [{ room: 'desk', access: 'members' }],
  events: [{ name: 'written' }],
  ai: [{ task: 'summarize', system: 'Summarize the letter.', access: 'members' }],
  providers: [{ id: 'github' }],
  meters: [{ key: 'letters', per: 'user', window: 'day', limit: 1 }],
}

export const HOOK_TOKEN = 'a token of the post office'

/** What the app's operator sets besides switching every capability on. */
export const OPERATOR_CHANGES: Partial<
  Record<CapabilityKey, { settings?: object; secrets?: Record<string, string> }>
> = {
  hook: { settings: { endpoints: { post: {} } }, secrets: { postSecret: HOOK_TOKEN } },
  pay: { secrets: { stripeTestKey: 'sk_test_local_everything' } },
  call: { settings: { mode: 'mesh' } },
}

const ROUTES = `import {
  ai, assets, auth, connect, data, email, events, files, flow, guard, live, meter, pay, push, queue, render, team, timers, video,
} from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/letters', async (c) => {
  const person = await auth.require(c.req.raw)
  await guard.limit('letters', c.req.raw)
  const { remaining } = await meter.require('letters', person.id)
  const file = await files.put('a letter', { name: 'a.txt', type: 'text/plain', owner: person.id })
  await timers.set(new Date(Date.now() + 500), 'write', { to: 'themselves' }, { userId: person.id })
  await queue.send('letters', { to: person.name })
  await live.broadcast('desk', 'main', 'letter', { to: person.name })
  await email.send({ to: person.email, subject: 'Your letter', text: 'It is written.' })
  await push.send({ userId: person.id }, { title: 'Your letter', body: 'It is written.', url: '/' })
  events.track('written', { req: c.req.raw })
  await connect.status(person.id, 'github')
  await ai.run('Is this letter polite?')
  await flow.start('answer', { to: person.name })
  await video.as(c.req.raw).list()
  await pay.as(c.req.raw).entitlements()
  await team.as(c.req.raw).list()
  return c.json({ remaining, size: file.size, logo: assets.url('logo.svg') })
})
// Rendering a PDF needs an installed browser, so it has its own route, and a test without a browser need not call it.
routes.post('/letter.pdf', async (c) => c.body(await render.pdf({ html: '<p>It is written.</p>' })))
routes.get('/written', async (c) => c.json((await data.system.list('letters', {})).items))
`

const JOB = `import { data, type JobInfo } from '@slipway/app/server'

export default async (input: { to: string }, job: JobInfo) => {
  await data.system.create('letters', { text: 'to ' + input.to, attempt: job.attempt })
}
`

const FLOW = `import { data, type FlowStep } from '@slipway/app/server'

export default async (input: { to: string }, step: FlowStep) => {
  await step.do('answer', () => data.system.create('letters', { text: 'answer to ' + input.to, attempt: 0 }))
}
`

/**
 * Returns the files of an app that declares these capabilities, and whose route `/api/word` returns `word`. It has no mailboxes, because
 * their collection needs `data`, on which `email` does not depend.
 */
export function appUsing(keys: readonly CapabilityKey[], word: string): AppTree {
  const { slipway, name, pages } = MANIFEST
  const used = new Set(keys.flatMap((key) => capabilityOf(key).impliedBy)).difference(new Set(['mailboxes']))
  const fields = Object.entries(MANIFEST).filter(([field]) => used.has(field))
  return new Map([
    ...appSaying(word),
    ['app.json', JSON.stringify({ slipway, name, pages, uses: keys, ...Object.fromEntries(fields) })],
    ['server/jobs/write.ts', 'export default () => {}\n'],
    ['server/jobs/answer.ts', 'export default () => {}\n'],
  ])
}

/** The files of an app that uses every capability, so that a test of all of them needs only one app. */
export const everythingFiles = (): AppTree =>
  new Map([
    ...starterTree('Everything'),
    ['app.json', JSON.stringify(MANIFEST, null, 2)],
    ['server/routes.ts', ROUTES],
    ['server/jobs/write.ts', JOB],
    ['server/jobs/answer.ts', FLOW],
  ])
