import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen } from '@testing-library/react'
import { isShown, show } from '../../../testing/console.tsx'
import { useFileDrop } from './use-file-drop.ts'

const PICTURE = new File(['png'], 'shot.png', { type: 'image/png' })

function renderPlace() {
  const dropped: string[][] = []
  function Place() {
    const { isOver, handlers } = useFileDrop((files) => dropped.push(files.map(({ name }) => name)))
    return (
      <section {...handlers} aria-label="Plan">
        <p>{isOver ? 'Drop it here' : 'No file above'}</p>
      </section>
    )
  }
  const { unmount } = show(
    <>
      <Place />
      <aside>Beside</aside>
    </>,
  )
  return { dropped, unmount }
}
const place = () => screen.getByRole('region', { name: 'Plan' })
/**
 * Sends a drag event. Returns whether the browser acts on the event, which for a file means that it opens the file in place of the page.
 */
function drag(kind: 'dragover' | 'dragleave' | 'drop', at: Element, part: object = {}, types = ['Files']) {
  const dataTransfer = { types, files: types.includes('Files') ? [PICTURE] : [], dropEffect: 'copy' }
  // happy-dom does not let a drag event have these properties.
  const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), {
    dataTransfer,
    relatedTarget: null,
    ...part,
  })
  return { isOpened: fireEvent(at, event), dataTransfer }
}

describe('files that are dragged over an element that accepts them', () => {
  test('an element that accepts files shows that a dragged file can be dropped, and receives the dropped file', () => {
    const { dropped } = renderPlace()
    assert.equal(drag('dragover', place()).isOpened, false, 'the browser allows the drop')
    assert.ok(isShown('Drop it here'))
    assert.equal(drag('drop', place()).isOpened, false)
    assert.deepEqual(dropped, [['shot.png']])
    assert.ok(isShown('No file above'))
  })

  test("the drop hint stays while a file is dragged over a drop area's children, and disappears when the file leaves the area", () => {
    renderPlace()
    drag('dragover', place())
    drag('dragleave', place(), { relatedTarget: screen.getByText('Drop it here') })
    assert.ok(isShown('Drop it here'))
    drag('dragleave', place(), { relatedTarget: screen.getByText('Beside') })
    assert.ok(isShown('No file above'))
    drag('dragover', place())
    drag('dragleave', place(), { relatedTarget: null })
    assert.ok(isShown('No file above'), 'the pointer left the window')
  })

  test('text that is dragged over a file drop area is left to the browser, which inserts it into a field', () => {
    const { dropped } = renderPlace()
    assert.equal(drag('dragover', place(), {}, ['text/plain']).isOpened, true)
    assert.equal(drag('drop', place(), {}, ['text/plain']).isOpened, true)
    assert.ok(isShown('No file above'))
    assert.deepEqual(dropped, [])
  })

  test('a file that is dropped beside a drop area does not replace the page, and the cursor shows that dropping has no effect', () => {
    const { dropped } = renderPlace()
    const beside = screen.getByText('Beside')
    const { isOpened, dataTransfer } = drag('dragover', beside)
    assert.deepEqual([isOpened, dataTransfer.dropEffect], [false, 'none'])
    assert.equal(drag('drop', beside).isOpened, false)
    assert.deepEqual(dropped, [])
    assert.equal(drag('dragover', place()).dataTransfer.dropEffect, 'copy')
  })

  test('a page without an element that accepts files leaves dropped files to the browser', () => {
    const { unmount } = renderPlace()
    unmount()
    assert.equal(drag('dragover', document.body).isOpened, true)
    assert.equal(drag('drop', document.body).isOpened, true)
  })
})
