import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { FileDialog, type FileObject } from './file-dialog.tsx'

const READ = 'GET /projects/prj_1/capabilities/files/object'
const NOT_NOW = new Refusal(400, 'invalid_request', 'Not now.')
const PHOTO: FileObject = {
  key: 'f/photo',
  name: 'photo.png',
  size: 2048,
  contentType: 'image/png',
  ownerId: null,
  uploadedAt: '2026-01-01T00:00:00Z',
}

/** Shows the dialog. `urls` are the object URLs that are not revoked yet. */
function renderDialog(t: TestContext, part: Partial<FileObject>, read: () => unknown) {
  const urls: string[] = []
  let made = 0
  t.mock.method(URL, 'createObjectURL', () => {
    urls.push(`blob:test/${++made}`)
    return `blob:test/${made}`
  })
  t.mock.method(URL, 'revokeObjectURL', (url: string) => void urls.splice(urls.indexOf(url), 1))
  const saved: string[] = []
  t.mock.method(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  const calls = serve({ [READ]: read })
  const { unmount } = show(<FileDialog projectId="prj_1" file={{ ...PHOTO, ...part }} onClose={() => {}} />)
  return { calls, urls, saved, unmount }
}
const bytes = () => new Response('bytes', { headers: { 'content-type': 'image/png' } })
const noPreview = 'Only pictures are shown here. Download the file to look at it.'

describe('the dialog of a file', () => {
  test('a picture is loaded by its storage key and shown, and its blob URL is released when the dialog closes', async (t) => {
    const { calls, urls, unmount } = renderDialog(t, {}, bytes)
    assert.ok(isShown('Fetching the file'))
    const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'photo.png' })
    assert.equal(picture.getAttribute('src'), 'blob:test/1')
    assert.deepEqual(
      calls[READ]?.map(({ query }) => query),
      [{ key: 'f/photo' }],
    )
    unmount()
    assert.deepEqual(urls, [])
  })

  test('a picture that arrives after the file dialog was closed is not kept in memory', async (t) => {
    const answer = Promise.withResolvers<Response>()
    const { calls, urls, unmount } = renderDialog(t, {}, () => answer.promise)
    await waitFor(() => assert.equal(calls[READ]?.length, 1))
    unmount()
    answer.resolve(bytes())
    await untilSent()
    assert.deepEqual(urls, [])
  })

  test('a picture that cannot be read shows the reason in the file dialog', async (t) => {
    renderDialog(t, {}, () => NOT_NOW)
    await assertAlert(/The file could not be read.*Not now/)
    assert.equal(isThere('img'), false)
  })

  test('only images of at most 20 MB whose type cannot contain scripts are previewed', async (t) => {
    for (const part of [
      { contentType: 'image/svg+xml' },
      { contentType: 'text/html' },
      { contentType: 'image/png; charset=utf-8' },
      { size: 20_000_001 },
    ]) {
      const { calls, unmount } = renderDialog(t, part, bytes)
      assert.equal(isShown(noPreview), true, JSON.stringify(part))
      await untilSent()
      assert.deepEqual(calls[READ], [])
      unmount()
      t.mock.restoreAll()
    }
    renderDialog(t, { size: 20_000_000 }, bytes)
    assert.ok(await screen.findByRole('img'))
  })

  test('pressing download twice saves a file once under its name, and a failed download can be retried', async (t) => {
    const first = Promise.withResolvers<Refusal>()
    const answers: (() => unknown)[] = [() => first.promise, bytes]
    const { calls, saved } = renderDialog(t, { contentType: 'text/plain', name: 'notes.txt' }, () =>
      answers.shift()?.(),
    )
    press('Download file')
    await waitFor(() => assert.equal(calls[READ]?.length, 1))
    assert.equal(button(/Fetching/).getAttribute('aria-busy'), 'true')
    press(/Fetching/)
    await untilSent()
    assert.equal(calls[READ]?.length, 1)
    first.resolve(NOT_NOW)
    await assertAlert(/Not now/)
    assert.deepEqual(saved, [])
    press('Try again')
    await waitFor(() => assert.deepEqual(saved, ['notes.txt']))
  })

  test('the owner of a file is shown when the file has one', (t) => {
    renderDialog(t, { ownerId: 'team_1', contentType: 'text/plain' }, bytes)
    assert.deepEqual(
      screen.getAllByRole('term').map((term) => term.textContent),
      ['Key', 'Owner', 'Stored'],
    )
  })
})
