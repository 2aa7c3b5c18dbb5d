import { type Focus, LeaderKey, readFocus } from './shortcut-gate.ts'

interface SeenPress {
  focus: Focus
  /** The second key of a sequence has no meaning of its own. */
  endsSequence: boolean
}

const leader = new LeaderKey('g')
const seen = new WeakMap<Event, SeenPress>()

function look(event: KeyboardEvent): SeenPress {
  const press = {
    focus: readFocus(event.target),
    endsSequence: leader.press(event.key.toLowerCase(), event.timeStamp),
  }
  seen.set(event, press)
  return press
}

// In the capture phase: a dialog that closes on Escape would be gone before the shortcuts check it.
globalThis.window?.addEventListener('keydown', look, { capture: true })

/** What was on screen when this key was pressed. */
export const keyPressOf = (event: KeyboardEvent): SeenPress => seen.get(event) ?? look(event)
