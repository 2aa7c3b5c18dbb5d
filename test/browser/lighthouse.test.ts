import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { href } from '../../console/routes.ts'
import { LighthouseBrowser } from '../support/lighthouse.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

// Tests accessibility only. `npm run bench -- console` measures performance, because a busy machine must not make tests fail.
describe('Lighthouse', () => {
  let world: BrowserWorld
  let browser: LighthouseBrowser
  before(async () => {
    world = await openBrowserWorld()
    browser = await LighthouseBrowser.launch()
  })
  after(async () => {
    await browser?.close()
    await world?.close()
  })

  test('Lighthouse reports no accessibility problem on the sign-in and the projects page', async () => {
    const signIn = await browser.run(world.url + href.signIn(), 'mobile', ['accessibility'])
    assert.deepEqual([signIn.accessibility, signIn.failed], [1, []])
    await browser.context.addCookies(world.person.cookies)
    const projects = await browser.run(world.url + href.projects(), 'desktop', ['accessibility'])
    assert.deepEqual([projects.accessibility, projects.failed], [1, []])
  })
})
