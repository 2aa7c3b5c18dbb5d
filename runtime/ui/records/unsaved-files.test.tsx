import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { render } from '../../testing/kit.test.fixture.tsx'
import { ApiError, invalid } from '../../kernel/errors.ts'
import { useUnsavedFiles } from './unsaved-files.ts'

/** Renders a form that has uploaded these files. Returns its files and the requests that it sent. */
function openForm(...uploaded: string[]) {
  const requests: [method: string | undefined, path: string, keepalive: boolean | undefined][] = []
  globalThis.fetch = async (input, init) => {
    requests.push([init?.method, String(input), init?.keepalive])
    throw new TypeError('The network is gone.')
  }
  let files: ReturnType<typeof useUnsavedFiles> | undefined
  function Form() {
    files = useUnsavedFiles()
    return null
  }
  const { unmount } = render(<Form />)
  for (const id of uploaded) files?.add(id)
  return { files: files!, requests, unmount, deleted: () => requests.map(([, path]) => path) }
}

/** Fires the event for leaving the page. `persisted` is true when the browser keeps the page to show it again. */
const leavePage = (persisted: boolean) =>
  dispatchEvent(Object.assign(new Event('pagehide'), { persisted }) as PageTransitionEvent)

describe('the files that a form has uploaded and not saved', () => {
  test('closing a form deletes its unsaved files once, with requests that outlive the page', () => {
    const { requests, unmount } = openForm('f1', 'f2')
    assert.deepEqual(requests, [])
    unmount()
    leavePage(false)
    assert.deepEqual(requests, [
      ['DELETE', '/_app/files/f1', true],
      ['DELETE', '/_app/files/f2', true],
    ])
  })

  test('leaving the page deletes the unsaved files of a form, unless the browser keeps the page to show it again', () => {
    const { deleted } = openForm('f1')
    leavePage(true)
    assert.deepEqual(deleted(), [])
    leavePage(false)
    assert.deepEqual(deleted(), ['/_app/files/f1'])
  })

  test('a file whose upload ends after the form was closed is deleted at once', () => {
    const { files, deleted, unmount } = openForm()
    unmount()
    files.add('late')
    assert.deepEqual(deleted(), ['/_app/files/late'])
  })

  test('saving a form keeps the files that the record uses, and deletes files that were replaced before saving', () => {
    const { files, deleted, unmount } = openForm('first', 'second')
    files.sent({ picture: 'second', name: 'first ', size: 3 })
    unmount()
    assert.deepEqual(deleted(), ['/_app/files/first'])
  })

  test('closing a form after a rejected save deletes its uploaded file, because no record uses it', () => {
    for (const error of [
      invalid('name', 'is required'),
      new ApiError('forbidden', 'Only members may do this.'),
      new ApiError('rate_limited', 'Too many.'),
      new ApiError('conflict', 'name: is taken', { field: 'name' }),
    ]) {
      const { files, deleted, unmount } = openForm('f1')
      files.sent({ picture: 'f1' })(error)
      unmount()
      assert.deepEqual(deleted(), ['/_app/files/f1'], error.message)
    }
  })

  test('an uploaded file is kept when a save fails without telling whether the record uses the file', () => {
    for (const error of [
      new ApiError('unavailable', 'The app cannot be reached.'),
      new ApiError('server_error', 'Something went wrong.'),
      new ApiError('conflict', 'This was sent before.'),
      new TypeError('Failed to fetch'),
    ]) {
      const { files, deleted, unmount } = openForm('f1')
      files.sent({ picture: 'f1' })(error)
      unmount()
      assert.deepEqual(deleted(), [], error.message)
    }
  })

  test('a save that is rejected after its form was closed deletes its files at once', () => {
    const { files, deleted, unmount } = openForm('f1', 'f2')
    const takeBack = files.sent({ picture: 'f1', plan: 'f2' })
    unmount()
    takeBack(new ApiError('forbidden', 'Only members may do this.'))
    assert.deepEqual(deleted(), ['/_app/files/f1', '/_app/files/f2'])
  })
})
