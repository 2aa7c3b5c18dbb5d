import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { projectQuery } from '../api/project/projects.ts'
import { isShown, isThere, press, readAgain, Refusal, serve, showAt, untilSent } from '../testing/console.tsx'
import { SectionPage } from './section-page.tsx'

const PROJECT = 'GET /projects/prj_1'

/** Shows a project page. `readProject` returns the project or the refusal of the service. */
async function openSection(
  readProject: () => unknown,
  part: Partial<Parameters<typeof SectionPage>[0]> = {},
) {
  const calls = serve({ [PROJECT]: readProject })
  const page = await showAt(
    '/app/projects/$projectId/assets',
    () => (
      <SectionPage projectId="prj_1" title="Assets" {...part}>
        {part.children ?? 'The list of assets'}
      </SectionPage>
    ),
    '/projects/prj_1/assets',
  )
  return { ...page, calls }
}
const breadcrumb = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
const crumbs = () =>
  breadcrumb()
    .queryAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])
const PROJECTS_CRUMB = ['Projects', '/projects']

describe('a page of a project', () => {
  test('the breadcrumb links to the projects, the project and the pages between them, and ends with the current page', async () => {
    await openSection(() => ({ id: 'prj_1', name: 'Plants' }), {
      crumbs: [{ to: '/projects/prj_1/capabilities', label: 'Capabilities' }],
    })
    await breadcrumb().findByText('Plants')
    assert.deepEqual(crumbs(), [
      PROJECTS_CRUMB,
      ['Plants', '/projects/prj_1'],
      ['Capabilities', '/projects/prj_1/capabilities'],
    ])
    const [last] = breadcrumb().getAllByRole('listitem').slice(-1)
    assert.deepEqual([last?.textContent, last?.getAttribute('aria-current')], ['Assets', 'page'])
  })

  test('while the project name loads, the page is shown and the breadcrumb leaves out the project', async () => {
    const project = Promise.withResolvers<unknown>()
    const { calls } = await openSection(() => project.promise)
    await waitFor(() => assert.equal(calls[PROJECT]?.length, 1))
    assert.deepEqual(crumbs(), [PROJECTS_CRUMB])
    assert.ok(isShown('The list of assets'))
    assert.equal(document.title, 'Assets · Slipway')
    project.resolve({ id: 'prj_1', name: 'Plants' })
    await breadcrumb().findByText('Plants')
    assert.equal(document.title, 'Assets · Plants · Slipway')
  })

  test('when the project cannot be read, the page is shown and the breadcrumb still links to the workspace', async () => {
    await openSection(() => new Refusal(403, 'forbidden', 'You may not.'))
    await breadcrumb().findByText('Workspace')
    assert.deepEqual(crumbs(), [PROJECTS_CRUMB, ['Workspace', '/projects/prj_1']])
    assert.ok(isShown('The list of assets'))
    assert.ok(!isThere('alert'))
  })

  test('the page of a deleted project is replaced by the page for a missing project', async () => {
    let project: unknown = { id: 'prj_1', name: 'Plants' }
    await openSection(() => project)
    await breadcrumb().findByText('Plants')
    project = new Refusal(404, 'not_found', 'Gone.')
    await readAgain(projectQuery('prj_1').queryKey)
    await waitFor(() => assert.ok(!isShown('The list of assets')))
    assert.ok(!isThere('navigation', 'Breadcrumb'))
    assert.ok(isThere('link'))
    await untilSent()
  })

  test('a project name with markup is shown as text in the breadcrumb and the tab title', async () => {
    const name = '<b>Plants</b>'
    await openSection(() => ({ id: 'prj_1', name }))
    await breadcrumb().findByText(name)
    assert.equal(document.title, `Assets · ${name} · Slipway`)
    assert.ok(document.querySelector('b') === null)
  })

  test('after an error inside a page, its heading and breadcrumb stay, and the page can be shown again', async (t) => {
    // React also logs the error to the browser console.
    t.mock.method(console, 'error', () => {})
    let isBroken = true
    function Content() {
      if (isBroken) throw new Error('The list is broken.')
      return <p>The list is back</p>
    }
    await openSection(() => ({ id: 'prj_1', name: 'Plants' }), {
      action: <button type="button">Upload</button>,
      lead: 'Files of the app.',
      children: <Content />,
    })
    await screen.findByText('The list is broken.')
    assert.ok(isThere('heading', 'Assets') && isThere('button', 'Upload') && isShown('Files of the app.'))
    isBroken = false
    press(/again|reload/i)
    assert.ok(await screen.findByText('The list is back'))
  })
})
