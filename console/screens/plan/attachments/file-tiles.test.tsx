import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConnectionError, SlipwayError } from '@slipway/sdk/errors.ts'
import { screen } from '@testing-library/react'
import type { QueuedUpload } from '../../../api/uploads/upload-queue.ts'
import { isThere, press, show } from '../../../testing/console.tsx'
import type { PendingFiles } from './file-uploads.ts'
import { RefusedFiles, UploadTiles } from './file-tiles.tsx'

const upload = (id: number, part: Partial<QueuedUpload> = {}): QueuedUpload => ({
  id,
  path: `file-${id}.png`,
  size: 2048,
  state: 'waiting',
  sent: 0,
  error: null,
  ...part,
})
const lines = () => screen.queryAllByRole('listitem').map((item) => item.textContent)

function renderTiles(uploads: QueuedUpload[]) {
  const did: string[] = []
  show(
    <ul>
      <UploadTiles
        uploads={uploads}
        retry={(id) => did.push(`retry ${id}`)}
        drop={(id) => did.push(`drop ${id}`)}
      />
    </ul>,
  )
  return did
}

describe('the files that are being attached', () => {
  test('an attached file that waits for its upload is shown as waiting and can be removed', () => {
    const did = renderTiles([upload(1)])
    assert.deepEqual(lines(), ['file-1.pngWaiting'])
    assert.equal(isThere('button', 'Upload file-1.png again'), false)
    press('Remove file-1.png')
    assert.deepEqual(did, ['drop 1'])
  })

  test('the upload of an attached file can be retried only after a temporary failure', () => {
    const refused = new SlipwayError('Too many files.', { code: 'conflict', status: 409 })
    const did = renderTiles([
      upload(1, { state: 'failed', error: new ConnectionError('The upload worker did not respond.') }),
      upload(2, { state: 'failed', error: refused }),
      upload(3, { state: 'failed', error: new TypeError('A fault of the console.') }),
    ])
    const names = screen.getAllByRole('button').map((one) => one.getAttribute('aria-label'))
    assert.deepEqual(names, [
      'Upload file-1.png again',
      'Remove file-1.png',
      'Remove file-2.png',
      'Remove file-3.png',
    ])
    assert.match(lines()[1] ?? '', /Too many files/)
    press('Upload file-1.png again')
    assert.deepEqual(did, ['retry 1'])
  })

  test('all refused files of the newest selection are listed, even two of the same name, and none of an earlier selection', () => {
    const list = (...refused: PendingFiles['refused']) => <RefusedFiles refused={refused} />
    const { rerender } = show(
      list(
        { name: 'a.png', problem: 'empty' },
        { name: 'a.png', problem: 'tooLarge' },
        { name: 'b.png', problem: 'needsHttps' },
      ),
    )
    assert.equal(lines().length, 3)
    rerender(list({ name: 'c.svg', problem: 'type' }, { name: 'a.png', problem: 'tooMany' }))
    assert.deepEqual(
      lines().map((line) => line?.split(':')[0]),
      ['c.svg', 'a.png'],
    )
    rerender(list())
    assert.deepEqual(lines(), [])
  })
})
