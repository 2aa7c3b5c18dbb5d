import { useHotkeys } from 'react-hotkeys-hook'
import { shortcutText } from '../../text/shortcuts.en.ts'
import { lettersAct } from './letters.ts'
import { pressOf } from './presses.ts'
import { mayFireChord, mayFirePlain } from './shortcut-gate.ts'

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
 * keyboard; they never act in a field, a dialog or a menu, except chords with Ctrl or ⌘ in fields. Of two that
 * are on screen with the same keys one acts.
 */
export function useShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  useKeys(id, handler, enabled, null)
}

/** The same for what the frame does when no screen does anything of its own with these keys. */
export function useFallbackShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void): void {
  // The window hears of a key after everything in the document has.
  useKeys(id, handler, true, window as unknown as Document)
}

function useKeys(
  id: ShortcutId,
  handler: (event: KeyboardEvent) => void,
  enabled: boolean,
  listenAt: Document | null,
): void {
  const keys = keysOf(id)
  const isChord = keys.includes('mod')
  useHotkeys(
    keys,
    (event) => {
      const { focus, endsSequence } = pressOf(event)
      const isMine = keys.includes('>') || !endsSequence
      if (!(isChord ? mayFireChord(event, focus) : isMine && mayFirePlain(event, focus, lettersAct()))) return
      event.preventDefault()
      handler(event)
    },
    {
      enabled,
      useKey: true,
      ignoreModifiers: !isChord,
      // The rules above say where a shortcut acts; the library's own would refuse chords in fields.
      enableOnFormTags: true,
      enableOnContentEditable: true,
      ...(listenAt && { document: listenAt }),
    },
  )
}

function keysOf(id: ShortcutId): string {
  const shortcut = SHORTCUTS.find((entry) => entry.id === id)
  if (!shortcut) throw new Error(`${id} has no keys`)
  return shortcut.keys
}
