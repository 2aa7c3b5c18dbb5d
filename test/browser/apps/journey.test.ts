import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { LOCAL_CLIENT } from '../../../local/oauth/provider.ts'
import { findInService, readExports } from './canaries.ts'
import { TICKETS } from './journey-tickets.ts'
import {
  addEntry,
  addPasskey,
  agreeAtProvider,
  inviteToTeam,
  makeTeam,
  press,
  returnByPasskey,
  signInByCode,
  signUpInApp,
  visitApp,
} from './visitors.ts'
import { findViolations } from '../axe.ts'
import { assertBecomes, assertSoundThemes, horizontalOverflowPx } from '../browser.ts'
import { chooseScriptedModel } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

/** Texts stored only by people whom the last test erases. The last test also searches for the names, addresses and ids of these people. */
const CANARIES = ['a day nobody else may know of', 'fern-of-one.txt', 'pressed by one hand', 'CanaryPhone/7']
const [ENTRY = '', FILE = '', BYTES = '', DEVICE = ''] = CANARIES
const ERASED = ['Florentyna', 'hanalei', 'Olgerda']
const emailOf = (name: string) => `${name.toLowerCase()}@example.test`

interface AppPerson {
  id: string
  name: string
  role: string
  methods: string[]
}

describe('an app whose people have accounts, teams, files, limits and jobs', () => {
  let world: BrowserWorld
  let projectId: string
  let app: { url: URL }
  let auth: string
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 900 } } })
    const { person, model, service } = world
    ;({ id: projectId } = await person.call<{ id: string }>('POST /projects', { name: 'Book club' }))
    auth = `/projects/${projectId}/capabilities/auth`
    const key = await chooseScriptedModel({ person, model }, { projectId, steps: [{ text: 'Nothing yet.' }] })
    const tickets = `/projects/${projectId}/tickets`
    for (const { title, steps } of TICKETS) {
      // On a busy machine the app's tests may time out, and the model is called again. So the last response
      // is scripted six times.
      await model.script(key, [...steps, ...Array.from({ length: 5 }, () => steps.at(-1) ?? {})])
      const { id } = await person.call<{ id: string }>(`POST ${tickets}`, { title })
      const built = await person.call<{ status: string }>(`POST ${tickets}/${id}/build`, {})
      assert.equal(built.status, 'built', title)
    }
    const provider = {
      id: 'local',
      clientId: LOCAL_CLIENT.id,
      authorizeUrl: `${service.localUrl}/oauth/authorize`,
      tokenUrl: 'https://oauth.slipway.test/token',
      userInfoUrl: 'https://oauth.slipway.test/userinfo',
      scopes: ['openid', 'email', 'profile'],
    }
    await person.call(`PUT ${auth}`, {
      enabled: true,
      settings: { methods: { password: true, emailCode: true, passkey: true, oauth: [provider] } },
      secrets: { localClientSecret: LOCAL_CLIENT.secret },
    })
    app = { url: new URL((await person.call<{ url: string }>(`POST /projects/${projectId}/deploy`)).url) }
  })
  after(() => world?.close())

  const openApp = (path: string, userAgent?: string): Promise<Page> =>
    visitApp(world.browser, app, path, userAgent === undefined ? {} : { userAgent })
  const waitForDiary = (page: Page) => page.getByRole('heading', { name: 'My diary' }).waitFor()
  const listPeople = () => world.person.call<AppPerson[]>(`GET ${auth}/users`)
  async function codeFor(email: string): Promise<string> {
    const mails = await world.person.call<{ to: string; text: string }[]>(`GET ${auth}/outbox`)
    return /\d{6}/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[0] ?? ''
  }

  test("app users sign up, see only their own records, upload a file, reach a usage limit and see a scheduled job's result", async () => {
    const [flora, gus] = [await openApp('/diary', DEVICE), await openApp('/diary')]
    await signUpInApp(flora, 'Florentyna')
    await signUpInApp(gus, 'Gus')
    await Promise.all([waitForDiary(flora), waitForDiary(gus)])
    await addEntry(flora, ENTRY)
    await addEntry(gus, 'A loud day')
    assert.equal(await gus.getByText(ENTRY).count(), 0)
    const picture = { name: FILE, mimeType: 'text/plain', buffer: Buffer.from(BYTES) }
    await flora.getByLabel('Picture').setInputFiles(picture)
    await flora.getByText(`Kept ${FILE}`).waitFor()
    for (const said of ['Exported 1', 'Exported 1', /limit|left|used up/i]) {
      await press(flora, 'Export')
      await flora.getByRole('status').filter({ hasText: said }).waitFor()
    }
    assert.deepEqual(await findViolations(flora, 'all'), [])
    assert.equal(await horizontalOverflowPx(flora), 0)

    await flora.goto(new URL('/teams', app.url).href)
    await makeTeam(flora, 'Red crew')
    await gus.goto(await inviteToTeam(flora))
    await press(gus, 'Join the team')
    await gus.getByRole('heading', { level: 1, name: 'Red crew' }).waitFor()
    for (const page of [flora, gus]) await page.goto(new URL('/tasks', app.url).href)
    await flora.getByLabel('Task').fill('Paint the fence')
    await press(flora, 'Add task')
    await gus.getByText('Paint the fence').waitFor()

    await flora.goto(app.url.href)
    await flora.getByText('The shelves are tidy').first().waitFor({ timeout: 90_000 })

    // An uncaught error of a page appears in the list of live errors.
    await gus.evaluate("setTimeout(() => { throw new TypeError('the shelf is crooked') })")
    const listErrors = async () => {
      const { items } = await world.person.call<{ items: { message: string; route: string }[] }>(
        `GET /projects/${projectId}/errors`,
      )
      return items.map(({ message, route }) => `${message} on ${route}`)
    }
    await assertBecomes(listErrors, ['TypeError: the shelf is crooked on page /tasks'])
    await Promise.all([flora, gus].map((page) => page.context().close()))
  })

  test('app users sign in with a mailed code, with a passkey, and with an account of the local OpenID provider', async () => {
    const hana = await openApp('/diary', DEVICE)
    await signInByCode(hana, emailOf('hanalei'), () => codeFor(emailOf('hanalei')))
    await waitForDiary(hana)
    await addPasskey(hana, 'hanalei')
    await returnByPasskey(hana, 'hanalei')

    const olga = await openApp('/diary', DEVICE)
    await press(olga, 'Continue with local')
    await agreeAtProvider(olga, 'Olgerda')
    await waitForDiary(olga)
    await addEntry(olga, ENTRY)
    await olga.getByRole('link', { name: 'Olgerda' }).waitFor()

    // Ignore the mailed code: it is enabled, so everyone can sign in with it.
    const own = (await listPeople()).map(({ name, methods }) => [
      name,
      methods.filter((one) => one !== 'emailCode'),
    ])
    assert.deepEqual(Object.fromEntries(own), {
      Florentyna: ['password'],
      Gus: ['password'],
      hanalei: ['passkey'],
      Olgerda: ['local'],
    })
    await Promise.all([hana, olga].map((page) => page.context().close()))
  })

  test("the operator sees an app's people, jobs and usage, makes a person staff, and erases people with all of their data", async () => {
    const { page, person } = world
    for (const [key, shown] of [
      ['schedule', 'tidy'],
      ['meter', 'exports'],
    ] as const) {
      await page.goto(`${world.url}${href.capability(projectId, key)}?tab=live`)
      await page.getByText(shown, { exact: true }).first().waitFor()
      await assertSoundThemes(page, `capability-${key}`, 1280)
    }
    await page.goto(`${world.url}${href.capability(projectId, 'auth')}?tab=live`)
    await page.getByLabel('Role of Gus').selectOption('staff')
    const listRoles = async () => (await listPeople()).map(({ name, role }) => `${name} ${role}`).sort()
    await assertBecomes(listRoles, ['Florentyna member', 'Gus staff', 'Olgerda member', 'hanalei member'])
    await assertSoundThemes(page, 'capability-people', 1280)

    const erased = (await listPeople()).filter(({ name }) => name !== 'Gus')
    const words = [...CANARIES, ...ERASED, ...erased.map(({ id }) => id), ...ERASED.map(emailOf)]
    const findTraces = (some: string[]) => findInService(world.service, some)
    // The assertions below expect no hits, so make sure that the search finds data in Postgres and in the
    // local cloud.
    const known = await findTraces([projectId])
    for (const place of ['public.projects', 'local/world.db'])
      assert.ok(
        known.some((found) => found.startsWith(place)),
        `${place} in ${known.join()}`,
      )
    for (const word of [...CANARIES, ...erased.map(({ id }) => id)])
      assert.notDeepEqual(await findTraces([word]), [], `${word} is stored before`)
    await page.getByRole('button', { name: 'Erase Florentyna' }).click()
    await page.getByRole('textbox').last().fill(emailOf('Florentyna'))
    await press(page, 'Erase')
    await page
      .getByText(/Florentyna was erased: 1 records? and 1 files? removed/)
      .first()
      .waitFor()
    for (const { id, name } of erased)
      if (name !== 'Florentyna') await person.call(`DELETE ${auth}/users/${id}`)
    await assertBecomes(listRoles, ['Gus staff'])
    assert.deepEqual(await findTraces(words), [])
    for (const text of await readExports(person)) {
      assert.ok(text.includes('Book club'), text.slice(0, 300))
      assert.deepEqual(
        words.filter((word) => text.includes(word)),
        [],
      )
    }
    world.assertQuiet()
  })
})
