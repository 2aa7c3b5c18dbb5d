import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { assertAlert, isShown, press, Refusal, serve, showAt, untilSent } from '../../testing/console.tsx'
import { Projects } from './projects.tsx'

const LIST_PROJECTS = 'GET /projects'
const projectOf = (id: string, part: Partial<Project> = {}) => ({
  id,
  name: `Project ${id}`,
  lifecycle: 'offline',
  provision: { state: 'ready', error: null },
  url: null,
  deployedAt: null,
  updatedAt: '2026-01-01T00:00:00Z',
  ...part,
})
const projectPage = (items: object[], nextCursor: string | null = null) => ({ items, nextCursor })

async function renderProjects(
  list: (call: { query: Record<string, string> }) => unknown,
  address = '/projects',
  attention: object[] = [],
) {
  const calls = serve({
    [LIST_PROJECTS]: (call) => list(call),
    'GET /connections/models': () => [],
    'GET /attention': () => ({ items: attention }),
    'GET /traffic': () => ({ covered: false, projects: [] }),
  })
  const shown = await showAt('/app/projects', Projects, address)
  return { ...shown, queries: () => calls[LIST_PROJECTS]?.map(({ query }) => query) }
}
const projectList = () => screen.getByRole('region', { name: 'Your projects' })
const projectNames = () =>
  within(projectList())
    .getAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent)

describe('the list of projects', () => {
  test('the page of an organization without projects says that there are none, and has no search field', async () => {
    await renderProjects(() => projectPage([]))
    await screen.findByText('No projects yet')
    assert.ok(screen.queryByRole('searchbox') === null)
  })

  test('each project is a link to its workspace, and markup in its name is shown as text', async () => {
    const name = '<img src=x onerror=alert(1)>'
    await renderProjects(() => projectPage([projectOf('a'), projectOf('b', { name })]))
    const link = await screen.findByRole('link', { name: 'Project a' })
    assert.equal(link.getAttribute('href'), '/projects/a')
    assert.ok(screen.getByRole('link', { name }))
    assert.ok(projectList().querySelector('img') === null)
    assert.ok(screen.queryByRole('button', { name: 'Show more' }) === null)
  })

  test('the list of projects links only to apps that are live, and their links have noopener and noreferrer', async () => {
    const url = 'https://plants.example.com'
    await renderProjects(() =>
      projectPage([
        projectOf('a', { lifecycle: 'live', url }),
        projectOf('b', { lifecycle: 'archived', url }),
      ]),
    )
    const links = await screen.findAllByRole('link', { name: /plants\.example\.com/ })
    assert.deepEqual(
      links.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]),
      [[url, 'noopener noreferrer']],
    )
  })

  test('the next page of projects is added after the first one', async () => {
    const { queries } = await renderProjects(({ query }) =>
      query.cursor === 'c2' ? projectPage([projectOf('b')]) : projectPage([projectOf('a')], 'c2'),
    )
    await screen.findByRole('link', { name: 'Project a' })
    press('Show more')
    await screen.findByRole('link', { name: 'Project b' })
    assert.deepEqual(projectNames(), ['Project a', 'Project b'])
    assert.deepEqual(queries(), [{}, { cursor: 'c2' }])
    assert.ok(screen.queryByRole('button', { name: 'Show more' }) === null)
  })

  test('when the next page of projects cannot be loaded, an alert under the list offers a retry', async () => {
    let isBroken = true
    await renderProjects(({ query }) => {
      if (query.cursor === undefined) return projectPage([projectOf('a')], 'c2')
      return isBroken ? new Refusal(409, 'conflict', 'The page is gone.') : projectPage([projectOf('b')])
    })
    await screen.findByRole('link', { name: 'Project a' })
    press('Show more')
    await assertAlert(/The page is gone/)
    assert.deepEqual(projectNames(), ['Project a'])
    isBroken = false
    press('Try again')
    await screen.findByRole('link', { name: 'Project b' })
    assert.ok(screen.queryByRole('alert') === null)
  })

  test('when the first page of projects cannot be loaded, an alert offers a retry', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), projectPage([projectOf('a')])]
    await renderProjects(() => answers.shift())
    await assertAlert(/You may not/)
    assert.ok(!isShown('No projects yet'), 'a failed read is not an empty list')
    press('Try again')
    await screen.findByRole('link', { name: 'Project a' })
  })

  test('a search for projects without a result shows the text that was searched for, and one press clears it', async () => {
    const { queries, place } = await renderProjects(
      ({ query }) => (query.q === undefined ? projectPage([projectOf('a')]) : projectPage([])),
      '/projects?q=42',
    )
    await screen.findByText('No project is called “42”')
    assert.equal(screen.getByRole<HTMLInputElement>('searchbox').value, '42')
    press('Clear the search')
    await screen.findByRole('link', { name: 'Project a' })
    assert.equal(place(), '/projects')
    await waitFor(() => assert.deepEqual(queries(), [{ q: '42' }, {}]))
  })

  test('after a search for projects is cleared, the page does not claim “no projects” while all projects are being read', async () => {
    const all = Promise.withResolvers<void>()
    await renderProjects(async ({ query }) => {
      if (query['q'] !== undefined) return projectPage([])
      await all.promise
      return projectPage([projectOf('a')])
    }, '/projects?q=42')
    await screen.findByText('No project is called “42”')
    press('Clear the search')
    await waitFor(() => assert.ok(!isShown('No project is called “42”')))
    await untilSent()
    assert.ok(!isShown('No projects yet'))
    assert.ok(screen.queryByRole('searchbox') !== null)
    all.resolve()
    await screen.findByRole('link', { name: 'Project a' })
  })

  test("on a user's first visit all existing builds count as seen, but questions to the user are still counted", async () => {
    const buildOf = (projectId: string, state: string) => ({
      projectId,
      projectName: projectId,
      ticketId: `tkt_${projectId}`,
      title: 'A ticket',
      runId: `run_${projectId}_${state}`,
      state,
      at: '2026-01-01T00:00:00Z',
    })
    const builds = [buildOf('a', 'built'), buildOf('b', 'built'), buildOf('b', 'asking')]
    await renderProjects(() => projectPage([projectOf('a'), projectOf('b')]), '/projects', builds)
    await screen.findByText('1 question for you')
    assert.ok(screen.queryByText(/new build/) === null)
    assert.equal(
      localStorage.getItem('slipway.seen-builds.usr_ada.org_1'),
      'run_a_built run_b_built run_b_asking',
    )
  })
})
