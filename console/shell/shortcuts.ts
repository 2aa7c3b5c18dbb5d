import { useHotkeys } from 'react-hotkeys-hook'
import { shortcutText } from '../text/shortcuts.en.ts'
import { lettersAct } from './letters.ts'
import { LeaderKey, mayFireChord, mayFirePlain, readFocus } from './shortcut-gate.ts'

export type ShortcutId = keyof typeof shortcutText.words
export type ShortcutPlace = keyof typeof shortcutText.where

export interface Shortcut {
  id: ShortcutId
  /** `mod` is Ctrl or ⌘, `>` means then, `,` means or. */
  keys: string
  where: ShortcutPlace
  words: string
}

const KEYS: Record<ShortcutPlace, Partial<Record<ShortcutId, string>>> = {
  anywhere: {
    palette: 'mod+k',
    shortcuts: '?',
    search: '/',
    goProjects: 'g>p',
    goActivity: 'g>a',
    goSettings: 'g>s',
    foldLeft: '[',
    foldRight: ']',
    up: 'escape',
  },
  tickets: {
    nextTicket: 'j,arrowdown',
    previousTicket: 'k,arrowup',
    openTicket: 'enter',
    newTicket: 'c',
    editTicket: 'e',
    setStatus: 's',
    setPriority: 'p',
    setLabels: 'l',
    selectTicket: 'x',
    buildTicket: 'b',
    queueTicket: 'q',
    undo: 'z',
  },
  work: {
    showPlan: '1',
    showBuild: '2',
    showTicket: '3',
    showPreview: '4',
    send: 'mod+enter',
    stop: 'mod+.',
    answer: 'a',
  },
  code: { nextChange: 'n', diffLayout: 'u', filterFiles: 'f' },
}

/** The whole keyboard map: the hook below binds it and the `?` dialog shows it. */
export const SHORTCUTS: readonly Shortcut[] = Object.entries(KEYS).flatMap(([where, entries]) =>
  Object.entries(entries).map(([id, keys]) => ({
    id: id as ShortcutId,
    keys,
    where: where as ShortcutPlace,
    words: shortcutText.words[id as ShortcutId],
  })),
)

/**
 * Lets a shortcut act while the component is on screen. Keys are read as written, not by their place on the
 * keyboard; they never act in a field, a dialog or a menu, except chords with Ctrl or ⌘ in fields.
 */
export function useShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  const { keys } = shortcutOf(id)
  const isChord = keys.includes('mod')
  watchLeader()
  useHotkeys(
    keys,
    (event) => {
      const focus = readFocus(event.target)
      const isMine = keys.includes('>') || !endsSequence
      if (!(isChord ? mayFireChord(event, focus) : isMine && mayFirePlain(event, focus, lettersAct()))) return
      event.preventDefault()
      handler(event)
    },
    // The rules above say where a shortcut acts; the library's own would refuse chords in fields.
    {
      enabled,
      useKey: true,
      ignoreModifiers: !isChord,
      enableOnFormTags: true,
      enableOnContentEditable: true,
    },
  )
}

function shortcutOf(id: ShortcutId): Shortcut {
  const shortcut = SHORTCUTS.find((entry) => entry.id === id)
  if (!shortcut) throw new Error(`${id} has no keys`)
  return shortcut
}

const leader = new LeaderKey('g')
let endsSequence = false
let isWatching = false

/** Before any shortcut hears a key, it is known whether the key is the second of a sequence. */
function watchLeader(): void {
  if (isWatching) return
  isWatching = true
  addEventListener(
    'keydown',
    (event) => {
      endsSequence = leader.press(event.key.toLowerCase(), event.timeStamp)
    },
    { capture: true },
  )
}
