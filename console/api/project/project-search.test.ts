import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncateSearch } from './project-search.ts'

test("a search text is truncated to the API's limit, in which a percent sign or underscore counts as two characters", () => {
  assert.equal(truncateSearch('  plants '), 'plants')
  assert.equal(truncateSearch('a'.repeat(60)).length, 48)
  assert.equal(truncateSearch('%_'.repeat(30)).length, 24)
})
