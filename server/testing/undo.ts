import type { TestContext } from 'node:test'

const stacks = new WeakMap<TestContext, AsyncDisposableStack>()

/** Runs `undo` when the test ends, in the reverse order of the calls. `t.after` runs its functions in the order of the calls. */
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
