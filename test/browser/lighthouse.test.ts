import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { href } from '../../console/routes.ts'
import { LighthouseBrowser } from '../support/lighthouse.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

// Its performance is measured by `npm run bench -- console`: a busy machine must not turn the suite red.
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

  test('finds nothing to say about the accessibility of the first two pages', async () => {
    const signIn = await browser.run(world.url + href.signIn(), 'mobile', ['accessibility'])
    assert.deepEqual([signIn.accessibility, signIn.failed], [1, []])
    await browser.context.addCookies(world.person.cookies)
    const projects = await browser.run(world.url + href.projects(), 'desktop', ['accessibility'])
    assert.deepEqual([projects.accessibility, projects.failed], [1, []])
  })
})
