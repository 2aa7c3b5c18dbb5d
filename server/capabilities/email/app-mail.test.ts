import assert from 'node:assert/strict'
import { test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { openCloudApp, until } from '../../releases/testing.ts'

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

test('a live app sends through the account, from the verified address once there is one, and mail to its mailbox becomes a record', async () => {
  const cloud = await openCloudApp()
  try {
    const { person, project, path } = await cloud.personWithProject('Shop')
    for (const key of ['data', 'email'])
      assert.equal((await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })).error, undefined)
    const files: [string, string][] = [
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', HOME],
      ['server/routes.ts', ROUTES],
    ]
    await cloud.build(project.id, new Map([...starterTree('Shop'), ...files]))
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.error, undefined)
    const order = async (to: string) => {
      const body = JSON.stringify({ to })
      const headers = { 'content-type': 'application/json', origin: shipped.data.url }
      const answer = await cloudFetch(`${shipped.data.url}/api/order`, { method: 'POST', headers, body })
      assert.equal(answer.status, 200, await answer.text())
    }
    const sentTo = async (to: string) => {
      const answer = await fetch(`${cloud.world.restUrl}/mail/messages?to=${to}`)
      return ((await answer.json()) as { messages: Mail[] }).messages
    }
    await order('ann@example.com')
    await until(async () => (await sentTo('ann@example.com')).length === 1)
    const [local] = await sentTo('ann@example.com')
    assert.deepEqual(
      [local?.from, local?.subject, local?.content.text],
      [`${project.slug}@mail.slipway.test`, 'Your order', 'It is on its way.'],
    )

    const { data } = await person.call<{ zones: { id: string; name: string; status: string }[] }>(
      `GET ${path}/email/status`,
    )
    const zone = data.zones.find(({ status }) => status === 'active')
    assert.ok(zone)
    const onboarded = await person.call(`POST ${path}/email/onboard`, { zoneId: zone.id, localPart: 'hello' })
    assert.equal(onboarded.error, undefined)
    const verify = () => person.call<{ verified: boolean }>(`POST ${path}/email/verify`)
    await until(async () => (await verify()).data.verified)
    await order('bob@example.com')
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
