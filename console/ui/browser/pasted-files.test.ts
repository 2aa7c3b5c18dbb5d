import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastedFiles } from './pasted-files.ts'

const PICTURE = new File(['png'], 'image.png', { type: 'image/png' })
const paste = (texts: Record<string, string>) =>
  pastedFiles({
    types: [...Object.keys(texts), 'Files'],
    files: [PICTURE],
    getData: (type: string) => texts[type] ?? '',
  } as unknown as DataTransfer)

test('a screenshot, a copied file and a picture copied from a web page are pasted as files', () => {
  assert.deepEqual(paste({}), [PICTURE])
  assert.deepEqual(paste({ 'text/plain': 'image.png' }), [PICTURE])
  assert.deepEqual(paste({ 'text/html': '<img src="image.png">' }), [PICTURE])
  assert.deepEqual(paste({ 'text/html': '<img src="image.png">', 'text/plain': ' ' }), [PICTURE])
})

test('text copied from Word or Excel is pasted as text, although these programs add a picture of it', () => {
  assert.deepEqual(paste({ 'text/html': '<p>Dear Bob</p>', 'text/plain': 'Dear Bob' }), [])
})

test('a paste without clipboard data has no files', () => {
  assert.deepEqual(pastedFiles(null), [])
})
