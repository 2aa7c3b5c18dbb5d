import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ExportCheck } from './export-check.ts'

const COUNTS = { organization: 1, ticket: 2, help_thread: 0 }
const LINES = [
  '{"kind":"export","format":"slipway-account-export/1"}',
  '{"kind":"organization","name":"Grün 🌱"}',
  '{"kind":"ticket","body":"{\\"kind\\":\\"end\\"}"}',
  `{"kind":"ticket","body":"${'x'.repeat(70_000)}"}`,
]
const endLine = (counts: object) => `{"kind":"end","counts":${JSON.stringify(counts)}}`
const wholeFile = [...LINES, endLine(COUNTS), ''].join('\n')

/** Passes the text to an `ExportCheck` in chunks of `size` bytes. */
function checkExport(text: string, size = 1000): ExportCheck {
  const bytes = new TextEncoder().encode(text)
  const one = new ExportCheck()
  for (let at = 0; at < bytes.length; at += size) one.take(bytes.subarray(at, at + size))
  return one
}

describe('the check of an export', () => {
  test('the check of a complete export returns its line counts, whatever the size of the received chunks', () => {
    for (const size of [1, 7, 1000, 1_000_000]) {
      assert.deepEqual(checkExport(wholeFile, size).end(), COUNTS, String(size))
      assert.equal(checkExport(wholeFile, size).lines, 5)
    }
  })

  test('an export that is cut off is rejected, even when only its last byte is missing', () => {
    const cuts = [
      0,
      10,
      LINES[0]?.length ?? 0,
      wholeFile.length - 30,
      wholeFile.length - 2,
      wholeFile.length - 1,
    ]
    for (const cut of cuts) assert.equal(checkExport(wholeFile.slice(0, cut)).end(), null, String(cut))
  })

  test('an export with wrong or missing counts, a missing first line or a line after its end line is rejected', () => {
    const files = [
      [...LINES, endLine({ ...COUNTS, ticket: 3 }), ''],
      [...LINES, endLine({ organization: 1 }), ''],
      [...LINES, endLine(COUNTS), endLine(COUNTS), ''],
      [...LINES, endLine(COUNTS), 'more', ''],
      [...LINES, '{"kind":"end"}', ''],
      [...LINES, '{"kind":"end","counts":{"ticket":"2"}}', ''],
      [...LINES.slice(1), endLine(COUNTS), ''],
      ['<html>', ''],
    ]
    for (const lines of files) assert.equal(checkExport(lines.join('\n')).end(), null, lines.at(-2) ?? '')
  })
})
