import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UndoStack } from './undo-stack.ts'

test('undo reverts the latest action first, and each action at most once', async () => {
  const stack = new UndoStack()
  const undone: string[] = []
  const entry = (words: string) => ({ words, undo: async () => void undone.push(words) })
  const [one, two, three] = [entry('one'), entry('two'), entry('three')]
  for (const each of [one, two, three]) stack.push(each)
  await stack.undo(two)
  await stack.undo(two)
  assert.equal((await stack.undo())?.words, 'three')
  assert.equal((await stack.undo())?.words, 'one')
  assert.equal(await stack.undo(), null)
  assert.deepEqual(undone, ['two', 'three', 'one'])
})
