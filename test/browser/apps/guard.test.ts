import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { href } from '../../../console/routes.ts'
import { cloudFetch } from '../../../server/cloudflare/fetch.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundApp, press, signUpInApp } from './visitors.ts'
import { assertSoundSizes, DESK, PHONE } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Cake shop',
  uses: ['auth', 'data', 'guard'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Contact' }],
  collections: {
    letters: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { text: { type: 'text', required: true } },
    },
  },
}
const HOME = `import { useState } from 'react'
import { api, Button, Page, RecordList, TextField } from '@slipway/app/react'

export default () => {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const send = async () => {
    try {
      await api.post('/api/contact', { text })
      setProblem('')
    } catch (error) {
      setProblem(String((error as Error).message))
    }
  }
  return (
    <Page title="Contact">
      {problem !== '' && <p role="alert">{problem}</p>}
      <TextField label="Your letter" value={text} onChange={setText} />
      <Button onClick={() => void send()}>Send</Button>
      <RecordList collection="letters" />
    </Page>
  )
}
`
const ROUTES = `import { ApiError, data, guard } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/contact', async (c) => {
  await guard.verify(c.req.raw, 'contact')
  if (!(await guard.limit('letters', c.req.raw))) throw new ApiError('rate_limited', 'Write again in a minute.')
  return c.json(await data.system.create('letters', await c.req.json()))
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a contact message is stored with a bot-check token, and refused with 403 without one', async () => {
  expect((await app.post('/api/contact', { text: 'Hello' })).status).toBe(200)
  expect((await app.fetch('/api/contact', { method: 'POST' })).status).toBe(403)
  expect((await app.data.list('letters')).items.length).toBe(1)
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      ...['auth', 'data', 'guard'].map((key) => ({ name: 'enable_capability', args: { key } })),
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('server/routes.ts', ROUTES),
      write('tests/letters.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Letters come from people only.')], repeat: true },
]
const SETTINGS = {
  protect: ['auth.signUp'],
  limits: [{ name: 'letters', limit: 2, period: 60, per: 'ip' }],
}

describe('a form that bots cannot send, in the browser', () => {
  let world: BrowserWorld
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Cake shop',
      title: 'A form for letters',
      steps: STEPS,
      settings: { guard: SETTINGS },
    }))
  })
  after(() => world?.close())

  const postAsBot = async (path: string) => {
    const answer = await cloudFetch(`${address}${path}`, { method: 'POST', body: '{"text":"Buy pills"}' })
    await answer.body?.cancel()
    return answer.status
  }

  test('a visitor of an app passes the invisible bot check, a third message exceeds the limit, and a bot can send none', async () => {
    const { page, assertQuiet } = await world.open('nobody', { viewport: PHONE })
    await page.goto(address)
    assert.equal(await postAsBot('/api/contact'), 403)
    for (const text of ['One carrot cake', 'Two lemon cakes']) {
      await page.getByLabel('Your letter').fill(text)
      await press(page, 'Send')
      await page.getByText(text).first().waitFor()
    }
    await assertSoundApp(page, 'app-guard')
    // The app refuses the first call of the page with 403. The page then repeats it with a bot-check token.
    assertQuiet(/403/)
    await page.getByLabel('Your letter').fill('Three cakes')
    await press(page, 'Send')
    await page.getByRole('alert').getByText('Write again in a minute.').waitFor()
    await page.getByText('Buy pills').waitFor({ state: 'detached' })
    assertQuiet(/429/)
  })

  test('people can sign up in an app whose sign-up has a bot check, and a client without a bot-check token cannot', async () => {
    const { page, assertQuiet } = await world.open('nobody', { viewport: PHONE })
    assert.equal(await postAsBot('/_app/auth/sign-up'), 403)
    await page.goto(`${address}/sign-in`)
    await signUpInApp(page, 'Ann')
    await page.getByRole('link', { name: 'Ann' }).waitFor()
    assertQuiet(/403/)
  })

  test('the console lists the protected and rate-limited actions of the app, and the bot-check widget in the cloud account', async () => {
    const { page } = world
    await page.goto(world.url + href.capability(projectId, 'guard'))
    await page.getByText('What is protected').first().waitFor()
    await page.getByText('cake-shop-guard').waitFor()
    await assertSoundSizes(page, 'guard')
    world.assertQuiet()
  })
})
