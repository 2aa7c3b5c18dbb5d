import { after, before, describe, test } from 'node:test'
import { href } from '../../console/routes.ts'
import { run } from '../../scripts/lib.ts'
import { makeScriptedProject } from './scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('a pause of builds by the operator', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld()
  })
  after(() => world?.close())

  const runAdmin = (...args: string[]) =>
    run(process.execPath, ['scripts/admin.ts', ...args], { env: world.service.env })

  test('a build is refused with the reason while builds are paused, and is possible again afterwards', async () => {
    const { page } = world
    const place = await makeScriptedProject(world, {
      steps: [{ text: 'Nothing to do.', repeat: true }],
      titles: ['A list of plants'],
    })
    await runAdmin('pause', '--reason', 'The model is being replaced until noon.')
    await page.goto(
      world.url + href.project(place.projectId, { ticket: place.tickets[0] ?? '', tab: 'build' }),
    )
    await page.getByRole('button', { name: 'Build this ticket' }).click()
    await page.getByText('Builds are paused: The model is being replaced until noon.').waitFor()
    await page.getByText('The build did not start').waitFor()
    await runAdmin('resume')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing to do.').first().waitFor()
  })
})
