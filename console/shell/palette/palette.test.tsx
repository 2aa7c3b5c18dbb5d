import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
import { isShown, isThere, serve, show, showAt, untilSent } from '../../testing/console.tsx'
import { useCommand } from './commands.ts'
import { Palette } from './palette.tsx'

interface Search {
  query: Record<string, string>
}
const projectsPage = (...names: string[]) => ({
  items: names.map((name) => ({ id: `prj_${name}`, name })),
  nextCursor: null,
})

async function renderPalette(
  projects: (call: Search) => unknown = () => projectsPage(),
  address = '/activity',
) {
  const did: string[] = []
  const calls = serve({ 'GET /projects': projects })
  const page = await showAt(
    '/app/activity',
    () => <Palette onClose={() => did.push('closed')} onShowShortcuts={() => did.push('shortcuts')} />,
    address,
  )
  await screen.findByRole('combobox')
  return { ...page, did, searches: () => calls['GET /projects']?.map(({ query }) => query.q) }
}
const searchBox = () => screen.getByRole<HTMLInputElement>('combobox')
const typeQuery = (value: string) => fireEvent.change(searchBox(), { target: { value } })
const pressKey = (name: string, more = {}) => fireEvent.keyDown(searchBox(), { key: name, ...more })
/** Returns the marked entry, as a screen reader reads it. */
const markedOption = () => {
  const option = document.getElementById(searchBox().getAttribute('aria-activedescendant') ?? '')
  assert.equal(option?.getAttribute('aria-selected'), 'true')
  return option?.textContent ?? ''
}

describe('the command palette', () => {
  test('Enter closes the command palette and opens the page of the highlighted entry', async () => {
    const { did, place } = await renderPalette()
    typeQuery('api key')
    pressKey('Enter')
    assert.deepEqual(did, ['closed'])
    await waitFor(() => assert.equal(place(), '/settings/keys'))
  })

  test('Enter on an action in the palette runs the action and opens no page', async () => {
    const { did, place } = await renderPalette()
    typeQuery('shortcut')
    pressKey('Enter')
    assert.deepEqual(did, ['closed', 'shortcuts'])
    assert.equal(place(), '/activity')
  })

  test('in the palette the arrow keys move the highlight from the first entry to the last and back, and typing resets it', async () => {
    await renderPalette()
    typeQuery('theme')
    const first = markedOption()
    pressKey('ArrowUp')
    const last = markedOption()
    assert.notEqual(last, first)
    pressKey('ArrowDown')
    assert.equal(markedOption(), first)
    pressKey('ArrowDown')
    assert.notEqual(markedOption(), first)
    typeQuery('members')
    assert.match(markedOption(), /Members/)
  })

  test('Enter in the palette opens nothing while an input method composes a word', async () => {
    const { did } = await renderPalette()
    typeQuery('api key')
    pressKey('Enter', { isComposing: true })
    // In Safari the Enter that ends a composition follows `compositionend`.
    pressKey('Enter', { keyCode: 229 })
    assert.deepEqual(did, [])
  })

  test('Enter right after typing in the palette opens an entry that matches the whole text, not an earlier search result', async () => {
    const { promise } = Promise.withResolvers<unknown>()
    const { place, searches } = await renderPalette(({ query }) =>
      query.q === undefined ? projectsPage('Alpha') : promise,
    )
    await screen.findByRole('option', { name: /Alpha/ })
    typeQuery('members')
    assert.ok(screen.queryByRole('option', { name: /Alpha/ }) === null, 'before the search is sent')
    await waitFor(() => assert.deepEqual(searches(), [undefined, 'members']))
    assert.ok(screen.queryByRole('option', { name: /Alpha/ }) === null, 'before it is answered')
    pressKey('Enter')
    await waitFor(() => assert.equal(place(), '/settings/members'))
  })

  test('a search result that arrives late does not change which palette entry is highlighted', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { place } = await renderPalette(({ query }) => (query.q === 'members' ? promise : projectsPage()))
    typeQuery('members')
    assert.match(markedOption(), /Members/)
    pressKey('ArrowDown')
    pressKey('ArrowUp')
    await act(async () => resolve(projectsPage('Members club')))
    await screen.findByRole('option', { name: /Members club/ })
    assert.doesNotMatch(markedOption(), /club/)
    pressKey('Enter')
    await waitFor(() => assert.equal(place(), '/settings/members'))
  })

  test('when no palette entry matches, the search text is shown as plain text, and Enter does nothing', async () => {
    const { did } = await renderPalette()
    typeQuery('<img src=x onerror=alert(1)>')
    assert.ok(isShown(/<img src=x onerror=alert\(1\)>/))
    assert.equal(searchBox().getAttribute('aria-expanded'), 'false')
    pressKey('ArrowDown')
    pressKey('Enter')
    assert.deepEqual(did, [])
  })

  test('a page that was opened from the palette is the first entry at the next opening', async () => {
    const { place } = await renderPalette()
    typeQuery('api key')
    pressKey('Enter')
    await waitFor(() => assert.equal(place(), '/settings/keys'))
    queryClient.clear()
    await renderPalette()
    assert.match(screen.getAllByRole('option')[0]?.textContent ?? '', /key/i)
  })

  test('a disabled action of the palette shows the reason, and neither Enter nor a click runs it or closes the palette', async () => {
    let runs = 0
    const command = {
      id: 'build',
      words: 'Build it',
      icon: null,
      reason: 'Choose a ticket to build',
      run: () => runs++,
    }
    const Page = () => {
      useCommand(command)
      return null
    }
    const page = show(<Page />)
    const { did } = await renderPalette()
    typeQuery('build it')
    const option = screen.getByRole('option', { name: /Build it/ })
    assert.match(option.textContent ?? '', /Choose a ticket to build/)
    assert.equal(option.getAttribute('aria-disabled'), 'true')
    pressKey('Enter')
    fireEvent.click(option)
    assert.deepEqual([runs, did], [0, []])
    page.unmount()
  })

  test('moving the pointer over a palette entry highlights it, and a click opens it', async () => {
    const { place, did } = await renderPalette()
    typeQuery('theme')
    const options = screen.getAllByRole('option')
    fireEvent.pointerMove(options[2] as Element)
    assert.equal(markedOption(), options[2]?.textContent)
    typeQuery('api key')
    fireEvent.click(screen.getByRole('option', { name: /Create an API key/ }))
    assert.deepEqual(did, ['closed'])
    await waitFor(() => assert.equal(place(), '/settings/keys'))
  })

  test('the palette does not show results of an earlier search that arrive after those of a newer search', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { searches } = await renderPalette(({ query }) =>
      query.q === 'pla' ? promise : projectsPage(...(query.q === 'plants' ? ['plants'] : [])),
    )
    typeQuery('pla')
    await waitFor(() => assert.ok(searches()?.includes('pla')))
    typeQuery('plants')
    await screen.findByRole('option', { name: /plants/ })
    await act(async () => resolve(projectsPage('plaza')))
    assert.ok(!isThere('option', /plaza/))
    assert.ok(isThere('option', /plants/))
  })

  test('the palette sends one search when the typing pauses, and none for a text of only spaces', async () => {
    const { searches } = await renderPalette()
    await waitFor(() => assert.deepEqual(searches(), [undefined]))
    for (const text of ['s', 'sh', 'sho', 'shop']) typeQuery(text)
    await waitFor(() => assert.deepEqual(searches(), [undefined, 'shop']))
    typeQuery('   ')
    await untilSent()
    assert.deepEqual(searches(), [undefined, 'shop'])
  })

  test('the palette announces the number of its entries while the user types', async () => {
    await renderPalette()
    assert.equal(screen.getByRole('status').textContent, '')
    typeQuery('create an api key')
    assert.equal(screen.getByRole('status').textContent, '1 result')
    typeQuery('nothing like this')
    assert.equal(screen.getByRole('status').textContent, '0 results')
  })
})
