import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
import { isShown, serve, showAt } from '../../testing/console.tsx'
import { Palette } from './palette.tsx'

interface Search {
  query: Record<string, string>
}
const found = (...names: string[]) => ({
  items: names.map((name) => ({ id: `prj_${name}`, name })),
  nextCursor: null,
})

async function renderPalette(projects: (call: Search) => unknown = () => found(), address = '/activity') {
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
const box = () => screen.getByRole<HTMLInputElement>('combobox')
const type = (value: string) => fireEvent.change(box(), { target: { value } })
const key = (name: string, more = {}) => fireEvent.keyDown(box(), { key: name, ...more })
/** Returns the marked entry, as a screen reader reads it. */
const marked = () => {
  const option = document.getElementById(box().getAttribute('aria-activedescendant') ?? '')
  assert.equal(option?.getAttribute('aria-selected'), 'true')
  return option?.textContent ?? ''
}

describe('the command palette', () => {
  test('Enter closes the palette and opens the page of the marked entry', async () => {
    const { did, place } = await renderPalette()
    type('api key')
    key('Enter')
    assert.deepEqual(did, ['closed'])
    await waitFor(() => assert.equal(place(), '/settings/keys'))
  })

  test('Enter on an action of the palette runs it and opens no page', async () => {
    const { did, place } = await renderPalette()
    type('shortcut')
    key('Enter')
    assert.deepEqual(did, ['closed', 'shortcuts'])
    assert.equal(place(), '/activity')
  })

  test('the arrow keys move the mark in a circle, and typing marks the first entry again', async () => {
    await renderPalette()
    type('theme')
    const first = marked()
    key('ArrowUp')
    const last = marked()
    assert.notEqual(last, first)
    key('ArrowDown')
    assert.equal(marked(), first)
    key('ArrowDown')
    assert.notEqual(marked(), first)
    type('members')
    assert.match(marked(), /Members/)
  })

  test('Enter opens nothing while an input method composes a word', async () => {
    const { did } = await renderPalette()
    type('api key')
    key('Enter', { isComposing: true })
    assert.deepEqual(did, [])
  })

  test('Enter right after the last letter opens an entry for the typed text, not one listed before', async () => {
    const { promise } = Promise.withResolvers<unknown>()
    const { place, searches } = await renderPalette(({ query }) =>
      query.q === undefined ? found('Alpha') : promise,
    )
    await screen.findByRole('option', { name: /Alpha/ })
    type('members')
    assert.ok(screen.queryByRole('option', { name: /Alpha/ }) === null, 'before the search is sent')
    await waitFor(() => assert.deepEqual(searches(), [undefined, 'members']))
    assert.ok(screen.queryByRole('option', { name: /Alpha/ }) === null, 'before it is answered')
    key('Enter')
    await waitFor(() => assert.equal(place(), '/settings/members'))
  })

  test('a project that is found later does not move the mark to another entry', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { place } = await renderPalette(({ query }) => (query.q === 'members' ? promise : found()))
    type('members')
    assert.match(marked(), /Members/)
    key('ArrowDown')
    key('ArrowUp')
    await act(async () => resolve(found('Members club')))
    await screen.findByRole('option', { name: /Members club/ })
    assert.doesNotMatch(marked(), /club/)
    key('Enter')
    await waitFor(() => assert.equal(place(), '/settings/members'))
  })

  test('a text without any palette entry is shown as plain text, and Enter does nothing', async () => {
    const { did } = await renderPalette()
    type('<img src=x onerror=alert(1)>')
    assert.ok(isShown(/<img src=x onerror=alert\(1\)>/))
    assert.equal(box().getAttribute('aria-expanded'), 'false')
    key('ArrowDown')
    key('Enter')
    assert.deepEqual(did, [])
  })

  test('a page that was opened by the palette is offered first the next time', async () => {
    const { place } = await renderPalette()
    type('api key')
    key('Enter')
    await waitFor(() => assert.equal(place(), '/settings/keys'))
    queryClient.clear()
    await renderPalette()
    assert.match(screen.getAllByRole('option')[0]?.textContent ?? '', /key/i)
  })
})
