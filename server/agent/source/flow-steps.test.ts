import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removedStepIssues } from './flow-steps.ts'
import { starterTree } from './tree.ts'

test('the steps of flows are looked up within a second in 200 kB of code that begins fifty thousand calls and ends none', () => {
  const before = starterTree('Slow')
  const after = new Map([...before, ['server/slow.ts', `/* ${'.do<'.repeat(50_000)} */\n`]])
  const begun = performance.now()
  assert.deepEqual(removedStepIssues(before, after), [])
  assert.ok(performance.now() - begun < 1000, `${performance.now() - begun} ms`)
})
