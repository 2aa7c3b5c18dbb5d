/** What of a key press decides whether a shortcut may act on it. */
export interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
  isComposing: boolean
  defaultPrevented: boolean
}

/** Where the focus is when a key is pressed. */
export interface Focus {
  /** Somebody types there. */
  inField: boolean
  /** A dialog or a menu is open: its keys are its own. */
  inLayer: boolean
  /** The focused part gives keys like Enter and the arrows a meaning of its own. */
  onControl: boolean
}

const CONTROL_KEYS = new Set(['Enter', ' ', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])

/** Whether a shortcut without Ctrl or ⌘ may act: never while somebody types, dictates or answers a dialog. */
export function mayFirePlain(press: Press, focus: Focus, lettersAct: boolean): boolean {
  if (press.defaultPrevented || press.isComposing || focus.inLayer || focus.inField) return false
  // Some layouts write brackets with AltGr, which reads as Ctrl and Alt together.
  const isHeld = press.metaKey || press.ctrlKey !== press.altKey
  if (isHeld) return false
  if (press.key.length === 1 && press.key !== ' ') return lettersAct && !press.repeat
  return !(focus.onControl && CONTROL_KEYS.has(press.key))
}

/** Whether a chord with Ctrl or ⌘ may act: in fields too, since nobody writes with it. */
export function mayFireChord(press: Press, focus: Focus): boolean {
  return !press.defaultPrevented && !press.isComposing && !press.repeat && !focus.inLayer
}

const TYPED_INTO =
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=file]),textarea,select,[contenteditable]:not([contenteditable=false]),[role=textbox]:not([aria-readonly=true]),[role=combobox],[role=searchbox]'
const LAYERS = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox]'
const CONTROLS =
  'a,button,summary,input,[role=button],[role=tab],[role=separator],[role=slider],[role=treeitem],[role=gridcell]'

/** Reads the focus from the page. */
export function readFocus(target: EventTarget | null): Focus {
  const at = target instanceof Element ? target : null
  return {
    inField: at?.closest(TYPED_INTO) != null,
    inLayer: document.querySelector(LAYERS) !== null,
    onControl: at?.closest(CONTROLS) != null,
  }
}

const SEQUENCE_MS = 1000

/** Remembers the first key of a sequence, so that the second one does nothing else: `G P` sets no priority. */
export class LeaderKey {
  readonly #leader: string
  #pressedAt = -Infinity

  constructor(leader: string) {
    this.#leader = leader
  }

  /** Tells a key that was pressed; answers whether it ends a sequence. */
  press(key: string, at: number): boolean {
    const ends = at - this.#pressedAt < SEQUENCE_MS && key !== this.#leader
    this.#pressedAt = key === this.#leader ? at : -Infinity
    return ends
  }
}
