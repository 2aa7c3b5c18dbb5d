import { type Focus, LeaderKey, readFocus } from './shortcut-gate.ts'

interface SeenPress {
  focus: Focus
  /** Whether this is the second key of a sequence, which must not also act as a shortcut of one key. */
  endsSequence: boolean
}

const leaderKey = new LeaderKey('g')
const seenPresses = new WeakMap<Event, SeenPress>()

/** Describes a key press. The event that a browser sends when it fills in a form has no `key`. */
function describePress(event: Event & { key?: string }): SeenPress {
  const focus = readFocus(event.target)
  // A key that types into a field neither begins nor ends a sequence.
  const key = focus.inField ? '' : (event.key?.toLowerCase() ?? '')
  const press = { focus, endsSequence: leaderKey.press(key, event.timeStamp) }
  seenPresses.set(event, press)
  return press
}

// Record the focus and the open dialogs in the capture phase. Later, a dialog that closes on Escape would be gone
// already, and the same key press would also act as a shortcut of the page.
globalThis.window?.addEventListener('keydown', describePress, { capture: true })

/** Returns the focus and open dialogs at the time this key was pressed. */
export const keyPressOf = (event: KeyboardEvent): SeenPress => seenPresses.get(event) ?? describePress(event)
