import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../releases/testing.ts'
import { readManifest } from '../../source/manifest.ts'
import { starterTree } from '../../source/tree.ts'
import { compileApp } from '../../source/typegen.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['auth', 'data', 'schedule', 'hook'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    messages: { partition: 'app', read: 'public', write: 'nobody', fields: { body: { type: 'json' } } },
    done: { partition: 'app', read: 'public', write: 'nobody', fields: { what: { type: 'text' } } },
  },
  schedules: [{ name: 'tick', every: 'minute', handler: 'tick' }],
  hooks: [{ name: 'code', scheme: 'token', collection: 'messages', handler: 'message' }],
}
const jobDoing = (what: string) => `import { data } from '@slipway/app/server'

export default async () => {
  await data.system.create('done', { what: '${what}' })
}
`
const TREE = new Map([
  ...starterTree('Shop'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
  ['server/jobs/tick.ts', jobDoing('schedule')],
  ['server/jobs/remind.ts', jobDoing('timer')],
  ['server/jobs/message.ts', jobDoing('message')],
])
const MINUTE_MS = 60_000

/** The Durable Objects of the app may call it for one capability at a time. Each test continues with the state of the previous test. */
describe('capabilities that call the app while another capability is off', () => {
  const variables = { APP_CALLERS: '["hook"]', HOOK_ENDPOINTS: '{"code":{}}', HOOK_CODE_SECRET: 'the secret' }
  let app: RunningApp
  let cookie = ''

  async function allow(caller: 'schedule' | 'hook'): Promise<void> {
    variables.APP_CALLERS = JSON.stringify([caller])
    await app.ship(TREE)
    await activate()
  }
  async function activate(): Promise<void> {
    const read = readManifest(JSON.stringify(MANIFEST))
    assert.ok(read.ok)
    const { hash, manifest } = compileApp(read.manifest)
    await app.operate('activate', 'production', hash, manifest)
  }
  async function post(path: string, body: object, headers: Record<string, string>) {
    const answer = await app.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, await answer.clone().text())
    return answer
  }
  const setTimer = () =>
    post('/_app/schedule/timers', { at: new Date().toISOString(), name: 'remind', data: null }, { cookie })
  const sendMessage = (id: string) =>
    post(
      '/_app/hook/code',
      { id },
      { authorization: 'Bearer the secret', 'content-type': 'application/json' },
    )
  async function done(): Promise<Record<string, number>> {
    const answer = await app.fetch('/_app/data/done?limit=200')
    const { data } = (await answer.json()) as { data: { items: { what: string }[] } }
    return Object.fromEntries(
      ['schedule', 'timer', 'message'].map((kind) => [
        kind,
        data.items.filter(({ what }) => what === kind).length,
      ]),
    )
  }

  before(async () => {
    app = await startApp(TREE, { enabled: MANIFEST.uses, variables })
    await activate()
    const account = { email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }
    const answer = await post('/_app/auth/sign-up', account, {})
    cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  })
  after(() => app.stop())

  test('with only the hook capability on, webhook messages are handled, and no schedule or timer runs', async () => {
    await setTimer()
    await sendMessage('one')
    await until(async () => (await done())['message'] === 1)
    // Wait past the next full minute, when the schedule would be due.
    await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + 3000)
    assert.deepEqual(await done(), { schedule: 0, timer: 0, message: 1 })
  })

  test('with only the schedule capability on, due schedules and timers run, and no webhook message is handled', async () => {
    await allow('schedule')
    await until(async () => ((await done())['schedule'] ?? 0) >= 1)
    // The Durable Object sets an alarm for overdue timers only after five minutes, or when another timer is set.
    await setTimer()
    await until(async () => (await done())['timer'] === 2)
    await sendMessage('two')
    await sleep(2000)
    assert.equal((await done())['message'], 1)
  })

  test('a webhook message that arrived while the hook capability was off is handled after the capability was enabled', async () => {
    await allow('hook')
    await until(async () => (await done())['message'] === 2)
  })
})
