import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
} from '../../testing/console.tsx'
import { ProjectSettings } from './project-settings.tsx'

const PATH = '/projects/prj_1'
const PROJECT = {
  id: 'prj_1',
  name: 'Plants',
  slug: 'plants',
  slugLocked: false,
  lifecycle: 'offline',
  provision: { state: 'ready', error: null },
}

async function openSettings(project: () => unknown, answers: Record<string, () => unknown> = {}) {
  serve({
    [`GET ${PATH}`]: project,
    [`GET ${PATH}/access`]: () => ({ enabled: false, since: null, applied: true }),
    [`GET ${PATH}/model`]: () => ({ connectionId: null, model: null }),
    [`GET ${PATH}/packages`]: () => ({ items: [], dependencies: 0 }),
    [`GET ${PATH}/deploy`]: () => ({ state: 'none' }),
    'GET /connections/models': () => [],
    ...answers,
  })
  await showAt('/app/projects/$projectId/settings', ProjectSettings, `${PATH}/settings`)
}
const panels = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)

describe('the settings of a project', () => {
  test("the project settings show their other panels when the app's packages cannot be loaded", async () => {
    await openSettings(() => PROJECT, {
      [`GET ${PATH}/packages`]: () => new Refusal(403, 'forbidden', 'You may not read the packages.'),
    })
    await assertAlert(/You may not read the packages/)
    assert.deepEqual(panels(), ['Name and address', 'Access code', 'Model', 'Archive', 'Delete project'])
    assert.equal(field('Name').value, 'Plants')
  })

  test('when the address of a project can no longer change, its settings link to the custom domain page', async () => {
    await openSettings(() => ({ ...PROJECT, slugLocked: true }))
    await screen.findByLabelText('Name')
    assert.ok(screen.getAllByRole('link').some((link) => link.getAttribute('href') === `${PATH}/domain`))
  })

  test('an archived project offers to be unarchived, and not to be archived', async () => {
    await openSettings(() => ({ ...PROJECT, lifecycle: 'archived' }))
    await screen.findByLabelText('Name')
    assert.equal(isThere('button', /^Unarchive|^Bring/), true)
    assert.equal(isThere('button', /^Archive/), false)
  })

  test('when the project cannot be read, the reason is shown instead of its settings, and a retry shows them', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    await openSettings(() => answer)
    await assertAlert(/You may not/)
    assert.equal(isShown('Plants'), false)
    answer = PROJECT
    press('Try again')
    await waitFor(() => assert.equal(field('Name').value, 'Plants'))
  })
})
