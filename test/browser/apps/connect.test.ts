import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { LOCAL_CLIENT } from '../../../local/oauth/provider.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { agreeAtProvider, signUpInApp } from './visitors.ts'
import { assertBecomes, assertSoundSizes, DESK } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Notebook',
  uses: ['auth', 'connect'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Notebook', access: 'members' }],
  providers: [{ id: 'club', scopes: ['offline_access'] }, { id: 'github' }],
}
const HOME = `import { api, Button, connect, type Connection, Page } from '@slipway/app/react'
import { useEffect, useState } from 'react'

export default function Home() {
  const [all, setAll] = useState<Connection[] | null>(null)
  const [email, setEmail] = useState('')
  const load = () => void connect.list().then(setAll)
  useEffect(load, [])
  const status = all?.find((one) => one.provider === 'club')?.status ?? 'not linked'
  return (
    <Page title="Notebook">
      {all !== null && <p>The club is {status}.</p>}
      <Button onClick={() => connect.link('club')}>Link the club</Button>
      <Button onClick={() => void connect.unlink('club').then(load)}>Unlink the club</Button>
      <Button onClick={() => void api.get<{ email: string }>('/api/club').then((me) => setEmail(me.email))}>Who am I</Button>
      <p>{email}</p>
    </Page>
  )
}
`
const ROUTES = `import { auth, connect } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/club', async (c) => {
  const { id } = await auth.require(c.req.raw)
  const answer = await connect.fetch(id, 'club', '/me')
  const { email } = (await answer.json()) as { email: string }
  return c.json({ email })
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('the app returns the email address of the linked OAuth account of a person, and a 409 while no account is linked', async () => {
  const ada = await app.signUp('Ada')
  expect((await ada.get('/api/club')).status).toBe(409)
  await app.link(ada, 'club')
  await app.answers('club', 'GET /me', { email: 'ada@club.test' })
  expect((await ada.get('/api/club')).body).toEqual({ email: 'ada@club.test' })
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'auth' } },
      { name: 'enable_capability', args: { key: 'connect' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('server/routes.ts', ROUTES),
      write('tests/club.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('People link the club.')], repeat: true },
]

describe('connected accounts, in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Notebook',
      title: 'People link the club',
      steps: STEPS,
    }))
  })
  after(() => world?.close())

  test('an OAuth service is set up with client id and secret, and the console shows its redirect URL', async () => {
    await page.goto(world.url + href.capability(projectId, 'connect', { tab: 'live' }))
    await page.getByText('No service is set up yet').waitFor()
    await page.getByLabel('Service', { exact: true }).selectOption('github')
    await page.getByLabel('Client id').fill('Iv1.0123456789')
    await page.getByLabel('Client secret').fill('the-secret-of-github')
    await page.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'github' })
    await row.getByText('ready to be connected').waitFor()
    await row.getByText(`${address}/_app/connect/github/callback`).waitFor()
    await assertBecomes(() => page.getByLabel('Client secret').inputValue(), '')
    await assertSoundSizes(page, 'services')
    world.assertQuiet()
  })

  test('a person connects an account that the app then uses, and can disconnect it again', async () => {
    const issuer = 'https://oauth.slipway.test'
    const club = {
      id: 'club',
      clientId: LOCAL_CLIENT.id,
      authorizeUrl: `${world.service.localUrl}/oauth/authorize`,
      tokenUrl: `${issuer}/token`,
      apiBase: `${issuer}/api`,
      revokeUrl: `${issuer}/revoke`,
    }
    await world.person.call(`PUT /projects/${projectId}/capabilities/connect`, {
      enabled: true,
      settings: { providers: [club] },
      secrets: { clubClientSecret: LOCAL_CLIENT.secret },
    })
    await world.person.call(`POST /projects/${projectId}/deploy`)
    const { page: app } = await world.open('nobody')
    await app.goto(address)
    await signUpInApp(app, 'Ada')
    await app.getByText('The club is not linked.').waitFor()
    await app.getByRole('button', { name: 'Link the club', exact: true }).click()
    await agreeAtProvider(app, 'Ada')
    await app.getByText('The club is linked.').waitFor()
    assert.equal(new URL(app.url()).searchParams.get('connect'), 'linked')
    await app.getByRole('button', { name: 'Who am I' }).click()
    await app.getByText('ada@example.test').waitFor()
    await app.getByRole('button', { name: 'Unlink the club' }).click()
    await app.getByText('The club is not linked.').waitFor()
  })
})
