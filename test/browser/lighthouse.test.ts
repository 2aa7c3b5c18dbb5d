import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { href } from '../../console/routes.ts'
import { buildConsole } from '../../scripts/console-build.ts'
import { LighthouseBrowser } from '../support/lighthouse.ts'
import { ServiceProcess } from '../support/service.ts'
import { signUp } from './browser.ts'

// Its performance is measured by `npm run bench -- console`: a busy machine must not turn the suite red.
let service: ServiceProcess
let browser: LighthouseBrowser

before(async () => {
  await buildConsole()
  ;[service, browser] = await Promise.all([ServiceProcess.start(), LighthouseBrowser.launch()])
})
after(async () => {
  await browser?.close()
  await service?.dispose()
})

test('Lighthouse finds nothing to say about the accessibility of the first two pages', async () => {
  const signIn = await browser.run(service.url + href.signIn(), 'mobile', ['accessibility'])
  assert.deepEqual([signIn.accessibility, signIn.failed], [1, []])
  const page = await browser.context.newPage()
  await signUp(page, service.url, 'ada@example.test')
  const projects = await browser.run(service.url + href.projects(), 'desktop', ['accessibility'])
  assert.deepEqual([projects.accessibility, projects.failed], [1, []])
})
