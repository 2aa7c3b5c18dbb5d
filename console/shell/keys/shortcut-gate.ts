/** The part of a key event that decides whether a shortcut acts. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
  isComposing: boolean
  defaultPrevented: boolean
}

/** Where the focus was when the key was pressed, and whether something was open that handles keys itself. */
export interface Focus {
  inField: boolean
  /** Whether a dialog or a menu is open, which handles its own keys. */
  inLayer: boolean
  /** Whether the focused element itself handles keys such as Enter and the arrows. */
  onControl: boolean
}

const CONTROL_KEYS = new Set(['Enter', ' ', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])

/**
 * Whether a shortcut without Ctrl or ⌘ may act. It never may in a text field, in a dialog, or while an input method
 * composes a character.
 */
export function mayFirePlain(press: KeyPress, focus: Focus, singleKeysEnabled: boolean): boolean {
  if (press.defaultPrevented || press.isComposing || focus.inLayer || focus.inField) return false
  // Some layouts type brackets with AltGr, reported as Ctrl and Alt together, or with a Mac's Option key, reported as Alt. Letters and
  // digits with Alt belong to the browser.
  const isHeld = press.altKey ? !press.ctrlKey && /^[a-z\d]/i.test(press.key) : press.ctrlKey
  if (isHeld || press.metaKey) return false
  if (press.key.length === 1 && press.key !== ' ') return singleKeysEnabled && !press.repeat
  return !(focus.onControl && CONTROL_KEYS.has(press.key))
}

/** Whether a shortcut with Ctrl or ⌘ may act. Such a shortcut may also act in a text field, because it types no character. */
export function mayFireChord(press: KeyPress, focus: Focus): boolean {
  return !press.defaultPrevented && !press.isComposing && !press.repeat && !focus.inLayer
}

const TYPED_INTO =
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=file]),textarea,select,[contenteditable]:not([contenteditable=false]),[role=textbox]:not([aria-readonly=true]),[role=combobox],[role=searchbox]'
const LAYER_SELECTOR = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox]'
const CONTROL_SELECTOR =
  'a,button,summary,input,[role=button],[role=tab],[role=separator],[role=slider],[role=treeitem],[role=gridcell]'

/** Reads the state from the document at the time of the call, so call it before the key press closes a dialog. */
export function readFocus(target: EventTarget | null): Focus {
  const at = target instanceof Element ? target : null
  return {
    inField: at?.closest(TYPED_INTO) != null,
    inLayer: document.querySelector(LAYER_SELECTOR) !== null,
    onControl: at?.closest(CONTROL_SELECTOR) != null,
  }
}

/**
 * The second key of a sequence must be pressed within this time after the first one. Must equal the default of the
 * shortcut library (`sequenceTimeoutMs`).
 */
const SEQUENCE_MS = 1000

/**
 * Remembers the first key of a sequence, so that the second one does nothing else: in `G P`, the `P` must not also act
 * as the shortcut that sets a priority.
 */
export class LeaderKey {
  readonly #leader: string
  #pressedAt = -Infinity

  constructor(leader: string) {
    this.#leader = leader
  }

  /** Records a pressed key; returns whether it ends a sequence. */
  press(key: string, at: number): boolean {
    const ends = at - this.#pressedAt < SEQUENCE_MS && key !== this.#leader
    this.#pressedAt = key === this.#leader ? at : -Infinity
    return ends
  }
}
