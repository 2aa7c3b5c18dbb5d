import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Sidebar, useSidebar } from '@cloudflare/kumo/components/sidebar'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { appDialog } from '../app-dialog.ts'
import { isThere, Refusal, serve, showAt, untilSent } from '../../testing/console.tsx'
import { Navigation } from './navigation.tsx'

const projectsOf = (count: number) => ({
  items: Array.from({ length: count }, (_, n) => ({ id: `prj_${n + 1}`, name: `Project ${n + 1}` })),
  nextCursor: null,
})

/** Shows the navigation at `address`. The page has a button that opens the navigation sheet of a narrow window. */
async function renderNavigation(address: string, answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    'GET /projects': () => projectsOf(2),
    'GET /projects/prj_1': () => ({ id: 'prj_1', name: 'Project 1' }),
    ...answers,
  })
  function Sheet() {
    const { openMobile, setOpenMobile } = useSidebar()
    return (
      <button type="button" onClick={() => setOpenMobile(true)}>
        {openMobile ? 'Sheet is open' : 'Sheet is closed'}
      </button>
    )
  }
  const page = () => (
    <Sidebar.Provider defaultOpen>
      <Sheet />
      <Navigation />
    </Sidebar.Provider>
  )
  const route = /^\/projects\/./.test(address) ? '/app/projects/$projectId/$' : '/app/$'
  const shown = await showAt(route, page, address)
  await untilSent()
  return { calls, ...shown }
}
const main = () => within(screen.getByRole('navigation', { name: 'Main' }))
const nameOf = (link: HTMLElement) => link.getAttribute('data-tip') ?? ''
const links = () => main().getAllByRole('link').map(nameOf)
/** The names of the links that are marked as the current page for screen readers. */
const currentLinks = () =>
  main()
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page')
    .map(nameOf)

describe('the main navigation', () => {
  test('the navigation marks only the link of the current page or its parent page', async () => {
    for (const [address, current] of [
      ['/projects', ['Projects']],
      ['/activity', ['Activity']],
      ['/settings/keys', ['Settings']],
      ['/account', []],
    ] as const) {
      await renderNavigation(address)
      assert.deepEqual(currentLinks(), current, address)
      cleanup()
    }
  })

  test('on a project page the navigation shows the project sections and marks the current section', async () => {
    await renderNavigation('/projects/prj_1/capabilities/data')
    await main().findByText('Capabilities')
    assert.deepEqual(currentLinks(), ['Capabilities'])
    const code = main().getByRole('link', { name: 'Code' })
    assert.equal(code.getAttribute('href'), '/projects/prj_1/code')
  })

  test('on a workspace page, the links of the workspace and the project are marked', async () => {
    await renderNavigation('/projects/prj_1/')
    await main().findByText('Workspace')
    assert.deepEqual(currentLinks(), ['Workspace', 'Project 1'])
  })

  test('when the project cannot be read, the navigation has no project sections, but keeps its other links', async () => {
    await renderNavigation('/projects/prj_1/code', {
      'GET /projects/prj_1': () => new Refusal(404, 'not_found', 'Gone.'),
    })
    await main().findByText('Project 2')
    await waitFor(() => assert.ok(!links().includes('Code')))
    assert.ok(links().includes('Activity'))
  })

  test('the navigation lists the five newest projects', async () => {
    await renderNavigation('/activity', { 'GET /projects': () => projectsOf(7) })
    await main().findByText('Project 5')
    assert.ok(!links().includes('Project 6'))
  })

  test('when the projects cannot be read, the navigation is shown without projects', async () => {
    await renderNavigation('/activity', { 'GET /projects': () => new Refusal(403, 'forbidden', 'No.') })
    assert.ok(links().includes('Projects'))
    assert.ok(!isThere('alert'))
    assert.ok(screen.queryByText('Recent') === null, 'no heading without a list')
  })

  test('a project name with markup is shown as text in the navigation', async () => {
    const name = '<img src=x onerror=alert(1)>'
    await renderNavigation('/activity', {
      'GET /projects': () => ({ items: [{ id: 'prj_1', name }], nextCursor: null }),
    })
    assert.ok(await main().findByText(name))
  })

  test('in the navigation “Search” opens the command palette and “Ask for help” the help dialog', async () => {
    await renderNavigation('/activity')
    fireEvent.click(main().getByRole('button', { name: /^Search/ }))
    assert.equal(appDialog.get(), 'palette')
    fireEvent.click(main().getByRole('button', { name: 'Ask for help' }))
    assert.equal(appDialog.get(), 'help')
    act(() => appDialog.show(null))
  })

  test('the navigation of a narrow window closes on a link click, before the next page has loaded', async () => {
    const { go } = await renderNavigation('/activity')
    fireEvent.click(screen.getByRole('button', { name: 'Sheet is closed' }))
    assert.ok(screen.getByRole('button', { name: 'Sheet is open' }))
    await go('/projects')
    await screen.findByRole('button', { name: 'Sheet is closed' })
  })
})
