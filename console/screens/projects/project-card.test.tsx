import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { isShown, isThere, serve, show, untilSent } from '../../testing/console.tsx'
import { ProjectCard } from './project-card.tsx'

const projectOf = (id: string, part: object = {}) =>
  ({
    id,
    name: `Project ${id}`,
    lifecycle: 'offline',
    provision: { state: 'ready', error: null },
    url: null,
    deployedAt: null,
    updatedAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    ...part,
  }) as unknown as Project
const item = (runId: string, projectId: string, state: string) => ({ runId, projectId, state })

/** Shows a card for each project, from top to bottom. */
function showCards(...projects: Project[]) {
  show(
    <ul>
      {projects.map((project) => (
        <ProjectCard key={project.id} project={project} traffic={null} />
      ))}
    </ul>,
  )
}
const needs = () =>
  screen
    .getAllByRole('listitem')
    .map((card) =>
      Array.from(card.querySelectorAll('p + p span:not([aria-hidden])'), (one) => one.textContent),
    )
const showCard = (project: object, traffic: ComponentProps<typeof ProjectCard>['traffic'] = null) =>
  show(<ProjectCard project={projectOf('a', project)} traffic={traffic} />)
const describedState = () => screen.getByRole('listitem').querySelector('p')?.textContent

describe('the card of a project', () => {
  test('a project card counts tickets waiting for an answer, failed builds, and builds that are new to this visitor', async () => {
    localStorage.setItem('slipway.seen-builds.usr_ada.org_1', 'old')
    serve({
      'GET /attention': () => ({
        items: [
          item('r1', 'a', 'asking'),
          item('r2', 'a', 'failed'),
          item('r3', 'a', 'failed'),
          item('old', 'a', 'built'),
          item('r4', 'b', 'built'),
        ],
      }),
    })
    showCards(projectOf('a'), projectOf('b'), projectOf('c'))
    await waitFor(() =>
      assert.deepEqual(needs(), [['1 question for you', '2 builds failed'], ['1 new build'], []]),
    )
  })

  test("on a user's first visit no build of any project counts as new", async () => {
    const calls = serve({
      'GET /attention': () => ({
        items: [item('r1', 'a', 'built'), item('r2', 'b', 'built'), item('r3', 'b', 'asking')],
      }),
    })
    showCards(projectOf('a'), projectOf('b'))
    await waitFor(() => assert.deepEqual(needs(), [[], ['1 question for you']]))
    assert.equal(calls['GET /attention']?.length, 1)
    assert.deepEqual(localStorage.getItem('slipway.seen-builds.usr_ada.org_1')?.split(' '), [
      'r1',
      'r2',
      'r3',
    ])
  })

  test('when the builds that need attention cannot be loaded, a project card still shows the state of its project', async () => {
    serve({})
    showCard({ lifecycle: 'archived' })
    await untilSent()
    assert.equal(describedState(), 'Archived·Changed 3 days ago')
    assert.equal(localStorage.getItem('slipway.seen-builds.usr_ada.org_1'), null)
  })

  test('a project card shows the state of the setup until the project is ready, and then the state of the app', () => {
    serve({})
    const stateOf = (project: object) => {
      const { unmount } = showCard(project)
      const state = describedState()?.split('·')[0]
      unmount()
      return state
    }
    assert.deepEqual(
      [
        stateOf({ provision: { state: 'creating', error: null }, lifecycle: 'offline' }),
        stateOf({ provision: { state: 'error', error: { code: 'x', message: 'x' } }, lifecycle: 'live' }),
        stateOf({ lifecycle: 'offline' }),
        stateOf({ lifecycle: 'live' }),
      ],
      ['Setting up', 'Needs attention', 'Not shipped', 'Live'],
    )
  })

  test('a project card links to a live app by its host and says when it was shipped, and has no link otherwise', () => {
    serve({})
    const live = { lifecycle: 'live', url: 'https://app.example.test/', deployedAt: new Date().toISOString() }
    const { unmount } = showCard(live)
    const link = screen.getByRole('link', { name: 'Open the live app Project a: app.example.test' })
    assert.deepEqual([link.getAttribute('href'), link.getAttribute('rel')], [live.url, 'noopener noreferrer'])
    assert.equal(describedState(), 'Live·Shipped just now')
    unmount()
    showCard({ ...live, lifecycle: 'offline' })
    assert.equal(isThere('link', /Open the live app/), false)
  })

  test('a project card shows the requests of the last 24 hours, and errors only when there are some', () => {
    serve({})
    const { unmount } = showCard({}, { requests: 1, errors: 0 })
    assert.equal(isShown(/error/), false)
    assert.ok(isShown(/^1 request/))
    unmount()
    showCard({}, { requests: 12_400, errors: 2 })
    assert.ok(isShown(/12\.4k requests/))
    assert.ok(isShown(/2 errors/))
  })
})
