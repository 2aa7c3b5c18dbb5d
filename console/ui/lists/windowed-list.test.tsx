import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { act, fireEvent, screen } from '@testing-library/react'
import type { QueuedUpload } from '../../api/uploads/upload-queue.ts'
import { press, show } from '../../testing/console.tsx'
import { giveScrollersHeight } from '../../testing/layout.ts'
import { UploadButtons, UploadProgress } from './upload-parts.tsx'
import { WindowedList } from './windowed-list.tsx'

const ROW_PX = 50
const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => `Item ${n + 1}`)

/** Shows the list in a pane of 600 px, with rows as high as the list expects them. */
function renderList(t: TestContext, props: Partial<React.ComponentProps<typeof WindowedList<string>>>) {
  giveScrollersHeight(t)
  t.mock.getter(HTMLElement.prototype, 'offsetHeight', function (this: HTMLElement) {
    return this.matches('[data-scroller]') ? 600 : ROW_PX
  })
  const list = (more: typeof props) => (
    <div data-scroller>
      <WindowedList items={itemsOf(1000)} rowPx={ROW_PX} keyOf={(item) => item} {...props} {...more}>
        {(item, index) => (
          <label>
            {item} at {index}
            <input aria-label={item} />
          </label>
        )}
      </WindowedList>
    </div>
  )
  const { rerender } = show(list({}))
  return { change: (more: typeof props) => rerender(list(more)) }
}
const rows = () => screen.getAllByRole('listitem')
const positions = () =>
  rows().map((row) => [row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')])

describe('a long list of which only the visible rows are on the page', () => {
  test("a list of a thousand items renders only a few rows, and screen readers get each row's place among all items", (t) => {
    renderList(t, { label: 'People' })
    assert.ok(rows().length < 40, String(rows().length))
    assert.deepEqual(positions()[0], ['1', '1000'])
    assert.equal(screen.getByRole('list', { name: 'People' }).style.height, `${1000 * ROW_PX}px`)
  })

  test('the place of a list row counts the items that are not loaded yet, when their number is known', (t) => {
    renderList(t, { items: itemsOf(3), total: 250 })
    assert.deepEqual(positions(), [
      ['1', '250'],
      ['2', '250'],
      ['3', '250'],
    ])
  })

  test('a numbered list of rows is an `ol` element', (t) => {
    renderList(t, { items: itemsOf(2), isOrdered: true })
    assert.equal(screen.getByRole('list').tagName, 'OL')
  })

  test('list rows outside the visible area appear when the list is scrolled to them', async (t) => {
    renderList(t, {})
    const pane = document.querySelector<HTMLElement>('[data-scroller]') as HTMLElement
    pane.scrollTop = 500 * ROW_PX
    await act(async () => fireEvent.scroll(pane))
    assert.ok(rows().some((row) => row.textContent?.startsWith('Item 505 ')))
    assert.ok(!rows().some((row) => row.textContent?.startsWith('Item 1 ')))
  })

  test('a list row keeps the text typed into it when an item is added above it', (t) => {
    const { change } = renderList(t, { items: itemsOf(3) })
    const typed = screen.getByLabelText<HTMLInputElement>('Item 2')
    fireEvent.change(typed, { target: { value: 'half a word' } })
    change({ items: ['New', ...itemsOf(3)] })
    assert.equal(screen.getByLabelText<HTMLInputElement>('Item 2').value, 'half a word')
  })

  test('a row that is higher than others keeps its height when rows are added above it or removed, so that no row covers another', (t) => {
    giveScrollersHeight(t)
    t.mock.getter(HTMLElement.prototype, 'offsetHeight', function (this: HTMLElement) {
      return this.textContent?.startsWith('High') ? 120 : ROW_PX
    })
    const list = (items: string[]) => (
      <div data-scroller>
        <WindowedList items={items} rowPx={ROW_PX} keyOf={(item) => item}>
          {(item) => item}
        </WindowedList>
      </div>
    )
    const { rerender } = show(list(['High', 'A', 'B']))
    const tops = () => rows().map((row) => [row.textContent, row.style.top])
    assert.deepEqual(tops(), [
      ['High', '0px'],
      ['A', '120px'],
      ['B', '170px'],
    ])
    rerender(list(['New', 'High', 'A', 'B']))
    assert.deepEqual(tops(), [
      ['New', '0px'],
      ['High', '50px'],
      ['A', '170px'],
      ['B', '220px'],
    ])
    rerender(list(['A', 'B']))
    assert.deepEqual(tops(), [
      ['A', '0px'],
      ['B', '50px'],
    ])
  })

  test('an empty list has no rows and no height', (t) => {
    renderList(t, { items: [] })
    assert.equal(screen.queryAllByRole('listitem').length, 0)
    assert.equal(screen.getByRole('list').style.height, '0px')
  })
})

describe('the parts of an upload', () => {
  const upload: QueuedUpload = { id: 1, path: 'plan.png', size: 200, state: 'sending', sent: 50, error: null }

  test('the progress of an upload names its file', () => {
    show(<UploadProgress upload={upload} />)
    const progress = screen.getByRole<HTMLProgressElement>('progressbar', { name: 'plan.png' })
    assert.deepEqual([progress.value, progress.max], [50, 200])
  })

  test('an upload has a retry button only when a retry is possible, and always a button that removes it', () => {
    const did: string[] = []
    const parts = (onRetry?: () => void) => (
      <UploadButtons again="Again" remove="Remove" onRetry={onRetry} onRemove={() => did.push('remove')} />
    )
    const { rerender } = show(parts())
    assert.ok(screen.queryByRole('button', { name: 'Again' }) === null)
    press('Remove')
    rerender(parts(() => did.push('again')))
    press('Again')
    assert.deepEqual(did, ['remove', 'again'])
  })
})
