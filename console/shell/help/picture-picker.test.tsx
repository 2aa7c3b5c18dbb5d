import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { act, fireEvent, waitFor } from '@testing-library/react'
import { type HelpPicture, PICTURE_LIMITS } from '../../api/organization/help.ts'
import { helpText as words } from '../../text/help.en.ts'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { PicturePicker, usePictureUpload } from './picture-picker.tsx'

const UPLOAD = 'POST /help/attachments'
const pictureOf = (id: string): HelpPicture => ({ id, name: `${id}.png`, size: 1024 }) as HelpPicture
const fileOf = (name: string, type = 'image/png', size = 3) => {
  const file = new File(['png'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

function renderPicker(answer: () => unknown, first: HelpPicture[] = []) {
  let pictures = first
  let isUploading = false
  const calls = serve({ [UPLOAD]: answer })
  function Host() {
    const [now, set] = useState(first)
    pictures = now
    isUploading = usePictureUpload()
    return <PicturePicker pictures={now} onChange={set} />
  }
  show(<Host />)
  return { calls, ids: () => pictures.map(({ id }) => id), isUploading: () => isUploading }
}
const input = () => document.querySelector<HTMLInputElement>('input[type=file]')!
const choose = (...files: File[]) => fireEvent.change(input(), { target: { files } })

describe('the pictures of a help message', () => {
  test('a picture chosen for a help question is uploaded at once, and counts as uploading until it ends', async () => {
    const answer = Promise.withResolvers<HelpPicture>()
    const { calls, ids, isUploading } = renderPicker(() => answer.promise)
    choose(fileOf(`${'x'.repeat(300)}.png`))
    await waitFor(() => assert.equal(calls[UPLOAD]?.length, 1))
    assert.deepEqual(calls[UPLOAD]?.[0]?.query, { name: 'x'.repeat(200) })
    assert.equal(isUploading(), true)
    await act(async () => answer.resolve(pictureOf('one')))
    await waitFor(() => assert.deepEqual(ids(), ['one']))
    assert.equal(isUploading(), false)
    assert.equal(input().value, '', 'the same file can be chosen again')
  })

  test('a help picture that is removed during the upload of another one stays removed', async () => {
    const answer = Promise.withResolvers<HelpPicture>()
    const { calls, ids } = renderPicker(() => answer.promise, [pictureOf('one'), pictureOf('two')])
    choose(fileOf('three.png'))
    await waitFor(() => assert.equal(calls[UPLOAD]?.length, 1))
    press(words.remove('one.png'))
    await act(async () => answer.resolve(pictureOf('three')))
    await waitFor(() => assert.deepEqual(ids(), ['two', 'three']))
  })

  test('a help picture that is too large, or a file of another kind, is refused by name and not sent', async () => {
    const { calls } = renderPicker(() => pictureOf('one'))
    choose(fileOf('notes.svg', 'image/svg+xml'))
    await assertAlert(new RegExp(`^${words.wrongType('notes.svg')}$`))
    choose(fileOf('large.png', 'image/png', PICTURE_LIMITS.bytesMax + 1))
    await assertAlert(new RegExp(`^${words.tooLarge('large.png')}$`))
    choose()
    await untilSent()
    assert.deepEqual(calls[UPLOAD], [])
    choose(fileOf('fits.png', 'image/png', PICTURE_LIMITS.bytesMax))
    await waitFor(() => assert.equal(calls[UPLOAD]?.length, 1))
    assert.equal(isThere('alert'), false)
  })

  test('a failed upload of a help picture shows the reason until the next file is chosen, and keeps the other pictures', async () => {
    const answers: unknown[] = [new Refusal(413, 'payload_too_large', 'Too large.'), pictureOf('two')]
    const { ids } = renderPicker(() => answers.shift(), [pictureOf('one')])
    choose(fileOf('two.png'))
    await assertAlert(/Too large/)
    assert.deepEqual(ids(), ['one'])
    choose(fileOf('two.png'))
    await waitFor(() => assert.deepEqual(ids(), ['one', 'two']))
    assert.equal(isThere('alert'), false)
  })

  test('once a help question has three pictures, the button to add one is hidden until one is removed', () => {
    renderPicker(() => pictureOf('four'), ['one', 'two', 'three'].map(pictureOf))
    assert.equal(isShown(words.add), false)
    press(words.remove('two.png'))
    assert.equal(isShown(words.add), true)
  })
})
