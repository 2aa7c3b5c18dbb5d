import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitSearch } from './project-search.ts'

test("a search text is truncated to the API's limit, in which a percent sign or underscore counts as two characters", () => {
  assert.equal(fitSearch('  plants '), 'plants')
  assert.equal(fitSearch('a'.repeat(60)).length, 48)
  assert.equal(fitSearch('%_'.repeat(30)).length, 24)
})
