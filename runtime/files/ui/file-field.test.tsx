import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { useState } from 'react'
import { act, fireEvent, press, render, screen } from '../../testing/kit.test.fixture.tsx'
import { FakeRequest, openUploads } from '../request.test.fixture.ts'
import { FileField, type FileFieldProps } from './file-field.tsx'

const PLACE = { collection: 'plants', id: 'r1', field: 'photo' }

/** A form with a field for a file. It records the values that the field sets. */
function open(given: Partial<FileFieldProps> = {}) {
  const values: (string | null)[] = []
  function Form() {
    const [value, setValue] = useState<string | null>(given.value ?? null)
    const change = (next: string | null) => {
      values.push(next)
      setValue(next)
    }
    return <FileField label="Photo" place={null} {...given} value={value} onChange={change} />
  }
  return { values, ...render(<Form />) }
}
const input = () => screen.getByLabelText<HTMLInputElement>('Photo')
const status = () => screen.getByRole('status').textContent
const message = () => document.querySelector('.field-error')?.textContent ?? null
const choose = (...files: File[]) => act(async () => void fireEvent.change(input(), { target: { files } }))
const fileOf = (name: string) => new File(['pears'], name, { type: 'text/plain' })
/** The request that sends the bytes of the file. */
const sending = () => FakeRequest.sent.at(-1) ?? assert.fail('nothing was sent')
const arrive = (id: string) => act(async () => sending().respond({ ok: true, data: { id } }))
const failure = { ok: false, error: { code: 'invalid_request', message: 'size: must be at most 5 bytes' } }
const fail = () => act(async () => sending().respond(failure))

describe('the field for a file', () => {
  beforeEach(() => openUploads(null))
  afterEach(() => FakeRequest.uninstall())

  test("a chosen file is uploaded at once with its progress shown, and afterwards the form has the file's id", async () => {
    const { values } = open()
    await choose(fileOf('fern.txt'))
    assert.deepEqual(
      [status(), input().disabled, input().getAttribute('aria-busy')],
      ['Uploading: 0 %', true, 'true'],
    )
    await act(async () => sending().report(2))
    assert.equal(status(), 'Uploading: 40 %')
    assert.deepEqual(values, [])
    await arrive('f1')
    assert.deepEqual([values, status()], [['f1'], 'fern.txtRemove file'])
    assert.deepEqual([input().disabled, input().getAttribute('aria-busy')], [false, 'false'])
  })

  test('a file field shows a stored file as a link, until another file is chosen in its place', async () => {
    const { values } = open({ value: 'f0', place: PLACE })
    const link = screen.getByRole('link')
    assert.deepEqual(
      [link.getAttribute('href'), status()],
      ['/_app/files/in/plants/r1/photo', 'Open the fileRemove file'],
    )
    await choose(fileOf('fern.txt'))
    await arrive('f1')
    assert.deepEqual([values, status()], [['f1'], 'fern.txtRemove file'])
    assert.equal(screen.queryAllByRole('link').length, 0)
  })

  test('a file field shows a file whose name is unknown, as in a form with a preset file, as chosen', () => {
    open({ value: 'f0' })
    assert.equal(status(), 'A file is chosenRemove file')
  })

  test('removing a file empties its file field and moves the focus to the file input', async () => {
    const { values } = open({ value: 'f0', place: PLACE })
    press('Remove file')
    assert.deepEqual([values, status()], [[null], ''])
    assert.ok(document.activeElement === input())
  })

  test('a failed upload in a file field keeps the previous file, shows the reason, and can be repeated', async () => {
    const { values } = open({ value: 'f0', place: PLACE })
    await choose(fileOf('fern.txt'))
    await fail()
    assert.deepEqual(
      [values, message(), status()],
      [[], 'size: must be at most 5 bytes', 'Open the fileRemove file'],
    )
    assert.equal(input().getAttribute('aria-invalid'), 'true')
    await choose(fileOf('fern.txt'))
    assert.equal(message(), null)
    await arrive('f1')
    assert.deepEqual([values, message(), status()], [['f1'], null, 'fern.txtRemove file'])
  })

  test('removing the file from a file field also removes the message about a failed upload', async () => {
    open({ value: 'f0', place: PLACE })
    await choose(fileOf('fern.txt'))
    await fail()
    press('Remove file')
    assert.equal(message(), null)
  })

  test("closing the browser's file dialog without choosing a file leaves the file field unchanged", async () => {
    const { values } = open({ value: 'f0', place: PLACE })
    await choose()
    assert.deepEqual([FakeRequest.sent, values, status()], [[], [], 'Open the fileRemove file'])
  })

  test("a required file field shows the form's error, and is no longer marked as required once a file is uploaded", async () => {
    open({ required: true, error: 'This is required' })
    assert.deepEqual([message(), input().required], ['This is required', true])
    await choose(fileOf('fern.txt'))
    await arrive('f1')
    assert.equal(input().required, false)
  })
})
