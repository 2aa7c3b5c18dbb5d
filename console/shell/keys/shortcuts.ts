import { useHotkeys } from 'react-hotkeys-hook'
import { shortcutText } from '../../text/shortcuts.en.ts'
import { singleKeysEnabled } from './single-keys.ts'
import { keyPressOf } from './key-press.ts'
import { mayFireChord, mayFirePlain } from './shortcut-gate.ts'

export type ShortcutId = keyof typeof shortcutText.words
export type ShortcutPlace = keyof typeof shortcutText.where

export interface Shortcut {
  id: ShortcutId
  /** `mod` is Ctrl or ⌘, `>` separates steps, `,` separates alternatives. */
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

/** All shortcuts: the hook below binds them and the `?` dialog lists them. */
export const SHORTCUTS: readonly Shortcut[] = Object.entries(KEYS).flatMap(([where, entries]) =>
  Object.entries(entries).map(([id, keys]) => ({
    id: id as ShortcutId,
    keys,
    where: where as ShortcutPlace,
    words: shortcutText.words[id as ShortcutId],
  })),
)

/**
 * Binds a shortcut while the component is mounted. Keys are matched by character, not by position on the
 * keyboard. They never act in a field, a dialog or a menu, except chords with Ctrl or ⌘ in fields. Of two
 * mounted bindings of the same keys only one acts.
 */
export function useShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  useKeys(id, handler, enabled, null)
}

/** The same for a shortcut of the frame, used when no screen handles these keys. */
export function useFallbackShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void): void {
  // Bound to the window, which gets a key event after the document.
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
      const { focus, endsSequence } = keyPressOf(event)
      const isMine = keys.includes('>') || !endsSequence
      if (!(isChord ? mayFireChord(event, focus) : isMine && mayFirePlain(event, focus, singleKeysEnabled())))
        return
      event.preventDefault()
      handler(event)
    },
    {
      enabled,
      useKey: true,
      ignoreModifiers: !isChord,
      // The rules above decide where a shortcut acts; those of the library would refuse chords in fields.
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
