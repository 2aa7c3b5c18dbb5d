import { type Focus, LeaderKey, readFocus } from './shortcut-gate.ts'

interface SeenPress {
  focus: Focus
  /** The second key of a sequence means nothing by itself. */
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

// Before anything else hears the key: a dialog that closes on Esc is gone when the shortcuts hear it.
globalThis.window?.addEventListener('keydown', look, { capture: true })

/** What was on screen when this key was pressed. */
export const pressOf = (event: KeyboardEvent): SeenPress => seen.get(event) ?? look(event)
