import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { STATUS_OF } from '../../server/http/errors.ts'
import { ROOT } from '../lib.ts'

test('docs/guides/errors.md lists exactly the existing error codes, each with its HTTP status', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/errors.md'), 'utf8')
  const rows = guide.matchAll(/^\| `(\w+)` +\| (\d{3}) +\|/gm)
  const listed = [...rows].map(([, code, status]) => `${code} ${status}`)
  const known = Object.entries(STATUS_OF).map(([code, status]) => `${code} ${status}`)
  assert.deepEqual(listed.toSorted(), known.toSorted())
})
