import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, isShown, render, screen } from '../testing/kit.test.fixture.tsx'
import { Tabs } from './tabs.tsx'

const TABS = [
  { key: 'open', title: 'Open', content: <p>Two orders</p> },
  { key: 'paid', title: 'Paid', content: <p>Five orders</p> },
  { key: 'sent', title: 'Sent', content: <p>No orders</p> },
]
const tabNamed = (name: string) => screen.getByRole('tab', { name })
const pressKey = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })

describe('tabs', () => {
  test('the first tab is open initially, and labels its panel', () => {
    render(<Tabs label="Orders" tabs={TABS} />)
    assert.ok(screen.getByRole('tablist', { name: 'Orders' }))
    assert.equal(tabNamed('Open').getAttribute('aria-selected'), 'true')
    assert.equal(screen.getByRole('tabpanel', { name: 'Open' }).textContent, 'Two orders')
    assert.equal(isShown('Five orders'), false)
  })

  test('clicking a tab opens it and closes the previous one', () => {
    render(<Tabs label="Orders" tabs={TABS} />)
    fireEvent.click(tabNamed('Paid'))
    assert.ok(isShown('Five orders'))
    assert.equal(isShown('Two orders'), false)
    assert.equal(tabNamed('Open').getAttribute('aria-selected'), 'false')
  })

  test('arrow keys focus and open tabs, and wrap around at both ends', () => {
    render(<Tabs label="Orders" tabs={TABS} />)
    tabNamed('Open').focus()
    pressKey('ArrowRight')
    assert.ok(document.activeElement === tabNamed('Paid'))
    assert.ok(isShown('Five orders'))
    pressKey('ArrowLeft')
    pressKey('ArrowLeft')
    assert.ok(document.activeElement === tabNamed('Sent'))
    pressKey('ArrowRight')
    assert.ok(document.activeElement === tabNamed('Open'))
    pressKey('a')
    assert.ok(isShown('Two orders'))
  })

  test('the Tab key stops only at the open tab', () => {
    render(<Tabs label="Orders" tabs={TABS} />)
    fireEvent.click(tabNamed('Paid'))
    assert.deepEqual(
      TABS.map(({ title }) => tabNamed(title).tabIndex),
      [-1, 0, -1],
    )
  })

  test('removing the open tab opens the first one, and without tabs nothing is shown', () => {
    const { rerender, container } = render(<Tabs label="Orders" tabs={TABS} />)
    fireEvent.click(tabNamed('Sent'))
    rerender(<Tabs label="Orders" tabs={TABS.slice(0, 2)} />)
    assert.ok(isShown('Two orders'))
    rerender(<Tabs label="Orders" tabs={[]} />)
    assert.equal(container.textContent, '')
  })

  test('what was typed in one tab is not shown in another tab with the same content', () => {
    const tabs = ['open', 'paid'].map((key) => ({ key, title: key, content: <input aria-label="Search" /> }))
    render(<Tabs label="Orders" tabs={tabs} />)
    fireEvent.input(screen.getByLabelText('Search'), { target: { value: 'fern' } })
    fireEvent.click(tabNamed('paid'))
    assert.equal(screen.getByLabelText<HTMLInputElement>('Search').value, '')
  })
})
