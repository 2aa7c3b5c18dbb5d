import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { button, field, isThere, press, serve, show, showAt, write } from '../testing/console.tsx'
import { Sessions } from './account/sessions.tsx'
import { EventTable } from './capabilities/events/event-table.tsx'
import { Products } from './capabilities/pay/products.tsx'
import { settingText, settingFields } from './capabilities/settings/schema-fields.ts'
import { SettingControl } from './capabilities/settings/setting-control.tsx'
import { TreePane } from './code/tree-pane.tsx'
import { Projects } from './projects/projects.tsx'
import { AddressField } from './settings/security/address-field.tsx'

/** Focuses a button and presses it, as a user with a keyboard does. */
const pressFocused = (name: string) => {
  button(name).focus()
  press(name)
}
const hasFocus = (element: HTMLElement | undefined) => document.activeElement === element

describe('the focus of a user whose pressed button disappears', () => {
  test('removing an item of a list setting focuses the button that adds an item', () => {
    const items = { type: 'object', properties: { host: { type: 'string', title: 'Host' } } }
    const [setting] = settingFields({ properties: { it: { title: 'Host', type: 'array', items } } })
    assert.ok(setting)
    function Page({ of }: { of: NonNullable<typeof setting> }) {
      const [value, setValue] = useState(settingText(of, [{ host: 'a' }, { host: 'b' }]))
      return <SettingControl field={of} value={value} error={undefined} onChange={setValue} />
    }
    show(<Page of={setting} />)
    pressFocused('Host: remove 1')
    assert.ok(hasFocus(button('Host: add one')))
    pressFocused('Host: remove 1')
    assert.ok(hasFocus(button('Host: add one')))
  })

  test("adding the user's current IP address to the allowed addresses focuses the field of allowed addresses", () => {
    function Page() {
      const [value, setValue] = useState('')
      return (
        <AddressField
          value={value}
          own="192.0.2.1"
          disabled={false}
          problem={undefined}
          onChange={setValue}
        />
      )
    }
    show(<Page />)
    pressFocused('Add it')
    assert.equal(field('Allowed addresses').value, '192.0.2.1')
    assert.ok(hasFocus(field('Allowed addresses')))
  })

  test('clearing the filter of the file tree focuses the filter field', () => {
    function Page() {
      const [filter, setFilter] = useState('nothing like this')
      return (
        <TreePane
          paths={new Map([['app.json', null]])}
          chosen={undefined}
          filter={filter}
          onFilter={setFilter}
          onChoose={() => {}}
        />
      )
    }
    show(<Page />)
    pressFocused('Show all files')
    assert.ok(hasFocus(screen.getByRole('searchbox')))
  })

  test('when “Show more” disappears after the last sessions or events, the focus moves to the first row that it added', async () => {
    const sessions = Array.from({ length: 12 }, (_, n) => ({
      id: `ses_${n}`,
      token: `token_${n}`,
      createdAt: '2026-01-01T00:00:00Z',
      expiresAt: '2999-01-01T00:00:00Z',
      ipAddress: '192.0.2.1',
      userAgent: '',
    }))
    serve({ 'GET /api/auth/list-sessions': () => sessions })
    show(<Sessions currentToken="token_0" />)
    await screen.findByRole('button', { name: 'Show more' })
    pressFocused('Show more')
    assert.ok(hasFocus(screen.getAllByRole('listitem')[10]))
    cleanup()
    const items = Array.from({ length: 25 }, (_, n) => ({
      name: `sold_${n}`,
      group: null,
      count: 1,
      value: 0,
      visitors: 1,
      lastAt: '2026-01-01T00:00:00Z',
    }))
    show(<EventTable items={items} title="Events" first="Event" nameOf={({ name }) => [name, null]} />)
    pressFocused('Show 5 more')
    assert.ok(hasFocus(screen.getByRole('row', { name: /^sold_20/ })))
  })

  test('clearing a search of projects focuses the search field', async () => {
    const plants = {
      id: 'prj_1',
      name: 'Plants',
      lifecycle: 'offline',
      provision: { state: 'ready', error: null },
      updatedAt: '2026-01-01T00:00:00Z',
    }
    serve({
      'GET /projects': ({ query }) => ({ items: query['q'] === undefined ? [plants] : [], nextCursor: null }),
      'GET /connections/models': () => [],
      'GET /attention': () => ({ items: [] }),
      'GET /traffic': () => ({ covered: false, projects: [] }),
    })
    await showAt('/app/projects', Projects, '/projects?q=fern')
    await screen.findByRole('button', { name: 'Clear the search' })
    pressFocused('Clear the search')
    await waitFor(() => assert.ok(!isThere('button', 'Clear the search')))
    assert.ok(hasFocus(screen.getByRole('searchbox')))
  })

  test("cancelling or saving the form for a product's new price focuses the button that opens the form", async () => {
    const vase = { id: 'prod_1', name: 'Vase', amount: 1250, currency: 'eur', interval: null, active: true }
    serve({
      'GET /projects/prj_1/pay/products': () => [vase],
      'POST /projects/prj_1/pay/products/prod_1/price': () => vase,
    })
    show(<Products projectId="prj_1" currency="eur" />)
    await screen.findByRole('button', { name: 'New price of Vase' })
    press('New price of Vase')
    pressFocused('Cancel')
    assert.ok(hasFocus(button('New price of Vase')))
    press('New price of Vase')
    write('Price (EUR)', '15')
    pressFocused('Set the price')
    await waitFor(() => assert.ok(!isThere('button', 'Set the price')))
    assert.ok(hasFocus(button('New price of Vase')))
  })
})
