import assert from 'node:assert/strict'
import { test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { deleteWorker } from '../../cloudflare/products/workers.ts'
import { openCloudApp, until } from '../../releases/testing.ts'
import { adminName } from '../../resource-names.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['data', 'email'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    letters: {
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { from: { type: 'text' }, subject: { type: 'text' }, text: { type: 'text', as: 'long' } },
    },
  },
  mailboxes: [{ collection: 'letters' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const ROUTES = `import { email } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/order', async (c) => {
  const { to } = await c.req.json<{ to: string }>()
  return c.json(await email.send({ to, subject: 'Your order', text: 'It is on its way.' }))
})
`

interface Mail {
  from: string
  subject: string
  content: { text: string }
}
interface Listed {
  to: string[]
  subject: string
  state: string
  attempts: number
  error: string | null
  sentAt: string | null
}

async function openShop() {
  const cloud = await openCloudApp()
  const { person, project, path } = await cloud.personWithProject('Shop')
  for (const key of ['data', 'email'])
    assert.equal((await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })).error, undefined)
  const files: [string, string][] = [
    ['app.json', JSON.stringify(MANIFEST)],
    ['web/pages/Home.tsx', HOME],
    ['server/routes.ts', ROUTES],
  ]
  await cloud.build(project.id, new Map([...starterTree('Shop'), ...files]))
  const ship = async () => {
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.error, undefined)
    return shipped.data.url
  }
  const order = async (url: string, to: string) => {
    const body = JSON.stringify({ to })
    const headers = { 'content-type': 'application/json', origin: url }
    const answer = await cloudFetch(`${url}/api/order`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, await answer.text())
  }
  const sentTo = async (to: string) => {
    const answer = await fetch(`${cloud.world.restUrl}/mail/messages?to=${to}`)
    return ((await answer.json()) as { messages: Mail[] }).messages
  }
  const onboard = async () => {
    const { data } = await person.call<{ zones: { id: string; name: string; status: string }[] }>(
      `GET ${path}/email/status`,
    )
    const zone = data.zones.find(({ status }) => status === 'active')
    assert.ok(zone)
    const wish = { zoneId: zone.id, localPart: 'hello' }
    assert.equal((await person.call(`POST ${path}/email/onboard`, wish)).error, undefined)
    return zone
  }
  const verify = async () =>
    (await person.call<{ verified: boolean }>(`POST ${path}/email/verify`)).data.verified
  const listed = async (query = '') =>
    (await person.call<Listed[]>(`GET ${path}/capabilities/email/mails${query}`)).data
  return { cloud, person, project, path, ship, order, sentTo, onboard, verify, listed }
}

test('a live app sends mail from its verified address, and mail to its mailbox becomes a record', async () => {
  leaves({
    events: { 'project.deployed': 1 },
    activity: {
      'assets.upload': 1,
      'dns.record.create': 4,
      'email.domain.create': 1,
      'email.routing.enable': 1,
      'email.rule.create': 1,
      'project.deployed': 1,
      'worker.address': 'some',
      'worker.upload': 'some',
    },
    jobs: { deploy: 'some', provision: 'any' },
  })
  const { cloud, person, project, path, ship, order, sentTo, onboard, verify } = await openShop()
  try {
    const url = await ship()
    await order(url, 'ann@example.com')
    await until(async () => (await sentTo('ann@example.com')).length === 1)
    const [local] = await sentTo('ann@example.com')
    assert.deepEqual(
      [local?.from, local?.subject, local?.content.text],
      [`${project.slug}@mail.slipway.test`, 'Your order', 'It is on its way.'],
    )

    const zone = await onboard()
    await until(verify)
    await order(url, 'bob@example.com')
    await until(async () => (await sentTo('bob@example.com')).length === 1)
    assert.equal((await sentTo('bob@example.com'))[0]?.from, `hello@${zone.name}`)

    const mailboxes = [{ localPart: 'office', collection: 'letters', notify: false }]
    const replaced = await person.call<{ routing: string }>(`PUT ${path}/email/mailboxes`, { mailboxes })
    assert.equal(replaced.data.routing, 'ready')
    const mail = {
      from: 'ann@example.com',
      to: `office@${zone.name}`,
      subject: 'A question',
      text: 'Are you open?',
    }
    const posted = await fetch(`${cloud.world.restUrl}/mail/inbound`, {
      method: 'POST',
      body: JSON.stringify(mail),
    })
    const { received } = (await posted.json()) as { received: { status: string; detail: string | null }[] }
    assert.deepEqual(
      received.map(({ status, detail }) => [status, detail]),
      [['delivered', null]],
    )
    const letters = async () =>
      (
        await person.call<{ from: string; subject: string; text: string }[]>(
          `GET ${path}/capabilities/data/records/letters`,
        )
      ).data
    await until(async () => (await letters()).length === 1)
    const [letter] = await letters()
    assert.deepEqual([letter?.subject, letter?.text.trim()], ['A question', 'Are you open?'])
  } finally {
    await cloud.close()
  }
})

test('verifying the mail domain sends the waiting mail, which is then listed as sent', async () => {
  leaves({
    events: { 'project.deployed': 1 },
    activity: {
      'assets.upload': 1,
      'dns.record.create': 4,
      'email.domain.create': 1,
      'project.deployed': 1,
      'worker.address': 'some',
      'worker.upload': 'some',
    },
    jobs: { deploy: 'some', provision: 'any' },
  })
  const { cloud, person, path, ship, order, sentTo, onboard, verify, listed } = await openShop()
  try {
    // Marks the account as one of Cloudflare itself, because only the local cloud sends mail without a domain.
    const { config, db } = cloud.app.platform
    config.real.cloudflare = config.cloudflare
    await db.updateTable('connections').set({ profile: 'real' }).execute()
    await db.updateTable('cloud_accounts').set({ profile: 'real' }).execute()
    const early = await person.call(`GET ${path}/capabilities/email/mails`)
    assert.deepEqual([early.status, early.error?.code], [404, 'not_enabled'])

    const url = await ship()
    assert.deepEqual(await listed(), [])
    await order(url, 'ann@example.com')
    await order(url, 'bob@example.com')
    const waiting = { subject: 'Your order', state: 'waiting', attempts: 0, error: null, sentAt: null }
    assert.partialDeepStrictEqual(await listed(), [
      { ...waiting, to: ['bob@example.com'] },
      { ...waiting, to: ['ann@example.com'] },
    ])
    assert.ok(!JSON.stringify(await listed()).includes('on its way'))
    assert.equal((await listed('?limit=1')).length, 1)
    const many = await person.call(`GET ${path}/capabilities/email/mails?limit=1001`)
    assert.equal(many.status, 400)

    const zone = await onboard()
    await until(verify)
    // The app itself retries only after five minutes, so this attempt must have been requested by the service.
    await until(async () => (await listed()).every(({ state }) => state === 'sent'))
    assert.equal((await sentTo('ann@example.com'))[0]?.from, `hello@${zone.name}`)
    assert.ok((await listed()).every(({ sentAt, attempts }) => sentAt !== null && attempts === 1))
  } finally {
    await cloud.close()
  }
})

test('verifying a mail domain succeeds even if the app is unreachable and cannot send its waiting mail', async () => {
  leaves({
    events: { 'project.deployed': 1 },
    activity: {
      'assets.upload': 1,
      'dns.record.create': 4,
      'email.domain.create': 1,
      'project.deployed': 1,
      'worker.address': 'some',
      'worker.delete': 1,
      'worker.upload': 'some',
    },
    jobs: { deploy: 'some', provision: 'any' },
  })
  const { cloud, person, project, ship, onboard, verify } = await openShop()
  try {
    await ship()
    await onboard()
    await until(verify)
    // Delete the admin worker only after the sender was stored, because storing the sender publishes this worker again.
    await deleteWorker(await cloud.accountOf(person.organizationId), adminName(project))
    assert.equal(await verify(), true)
  } finally {
    await cloud.close()
  }
})
