import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { show } from '../../testing/console.tsx'
import { type Command, currentCommands, useCommand } from './commands.ts'

const commandOf = (id: string, words = id): Command => ({
  id,
  words,
  icon: null,
  reason: null,
  run: () => {},
})
function Offers({ command }: { command: Command }) {
  useCommand(command)
  return null
}
const offered = () => currentCommands().map(({ words }) => words)

describe('the actions that a page offers in the palette', () => {
  test('the command palette offers an action of a page only while the page is on screen', () => {
    const { unmount } = show(<Offers command={commandOf('build')} />)
    assert.deepEqual(offered(), ['build'])
    unmount()
    assert.deepEqual(offered(), [])
  })

  test('the command palette offers an action with a changed label once, with the newest label', () => {
    const { rerender } = show(<Offers command={commandOf('build', 'Build: Water')} />)
    rerender(<Offers command={commandOf('build', 'Answer: Water')} />)
    assert.deepEqual(offered(), ['Answer: Water'])
  })

  test("a page that closes after the next one opened leaves the next page's palette action with the same id in place", () => {
    const both = (isBoth: boolean) => (
      <>
        {isBoth && <Offers key="old" command={commandOf('build', 'Old')} />}
        <Offers key="new" command={NEW} />
      </>
    )
    const NEW = commandOf('build', 'New')
    const { rerender } = show(both(true))
    rerender(both(false))
    assert.deepEqual(offered(), ['New'])
  })

  test('the command palette offers the actions of all parts of a page', () => {
    show(
      <>
        <Offers command={commandOf('build')} />
        <Offers command={commandOf('ship')} />
      </>,
    )
    assert.deepEqual(offered().toSorted(), ['build', 'ship'])
  })
})
