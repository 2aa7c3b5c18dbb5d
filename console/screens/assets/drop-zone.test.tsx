import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen } from '@testing-library/react'
import { field, show, write } from '../../testing/console.tsx'
import { DropZone } from './drop-zone.tsx'

const LOGO = new File(['x'], 'logo.png', { type: 'image/png' })
const zone = () => screen.getByRole('region')
const isMarked = () => zone().className.includes('bg-tide-tint')

/** Shows the zone. Returns the names of the files that the zone passed on, each time with the folder. */
function showZone() {
  const passed: unknown[] = []
  show(<DropZone onFiles={(files, folder) => passed.push([files.map(({ name }) => name), folder])} />)
  return passed
}
/** A drag over the page: of files, or of text or a link from a page. */
const dragOf = (types: string[], files: File[] = []) => ({ dataTransfer: { types, files } })

describe('the zone for files to upload', () => {
  test('dropped files are passed on with the typed folder, and the upload area is highlighted while files are dragged over it', () => {
    const passed = showZone()
    write('Folder', 'images')
    const drag = dragOf(['Files'], [LOGO])
    // `fireEvent` returns false when a handler prevented the default action of the browser, which is to open the file.
    assert.equal(fireEvent.dragOver(zone(), drag), false)
    assert.equal(isMarked(), true)
    fireEvent.dragLeave(zone(), drag)
    assert.equal(isMarked(), false)
    fireEvent.dragOver(zone(), drag)
    assert.equal(fireEvent.drop(zone(), drag), false)
    assert.deepEqual([passed, isMarked()], [[[['logo.png'], 'images']], false])
  })

  test('text and links that are dragged over the upload area are left to the browser, which drops them into the folder field', () => {
    const passed = showZone()
    const drag = dragOf(['text/plain'])
    assert.equal(fireEvent.dragOver(field('Folder'), drag), true)
    assert.equal(isMarked(), false)
    assert.equal(fireEvent.drop(field('Folder'), drag), true)
    assert.deepEqual(passed, [])
  })

  test('the same file can be selected for an upload twice in a row', () => {
    const passed = showZone()
    const picker = field('Choose files')
    for (const _ of [1, 2]) fireEvent.change(picker, { target: { files: [LOGO] } })
    assert.deepEqual(
      [passed, picker.value],
      [
        [
          [['logo.png'], ''],
          [['logo.png'], ''],
        ],
        '',
      ],
    )
  })
})
