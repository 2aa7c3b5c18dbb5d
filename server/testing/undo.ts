import type { TestContext } from 'node:test'

const stacks = new WeakMap<TestContext, AsyncDisposableStack>()

/** Undoes something when the test ends, in reverse order; `t.after` itself runs in the order of its calls. */
export function undoAfter(t: TestContext, undo: () => Promise<unknown>): void {
  let stack = stacks.get(t)
  if (stack === undefined) {
    const created = new AsyncDisposableStack()
    t.after(() => created.disposeAsync())
    stacks.set(t, created)
    stack = created
  }
  stack.defer(async () => void (await undo()))
}
