import { useHotkeys } from 'react-hotkeys-hook'
import { shortcutText } from '../../text/shortcuts.en.ts'
import { singleKeysEnabled } from './single-keys.ts'
import { keyPressOf } from './key-press.ts'
import { mayFireChord, mayFirePlain } from './shortcut-gate.ts'
import { declaredKeys } from '../../lib/fields.ts'

export type ShortcutId = keyof typeof shortcutText.words
export type ShortcutContext = keyof typeof shortcutText.where

export interface Shortcut {
  id: ShortcutId
  /** The keys: `mod` is Ctrl or ⌘, `>` separates the steps of a sequence, `,` separates alternatives. */
  keys: string
  where: ShortcutContext
  words: string
}

const KEYS_BY_CONTEXT: Record<ShortcutContext, Partial<Record<ShortcutId, string>>> = {
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

/** All shortcuts. `useShortcut` binds them, and the `?` dialog lists them. */
export const SHORTCUTS: readonly Shortcut[] = declaredKeys(KEYS_BY_CONTEXT).flatMap((where) =>
  declaredKeys(KEYS_BY_CONTEXT[where]).map((id) => ({
    id,
    keys: KEYS_BY_CONTEXT[where][id] ?? '',
    where,
    words: shortcutText.words[id],
  })),
)

/**
 * Binds a shortcut while the component is mounted. Keys are matched by character, not by position on the keyboard. Shortcuts do not act in
 * a dialog or a menu. In a text field only shortcuts with Ctrl or ⌘ act. When two mounted components bind the same keys, only one acts.
 */
export function useShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  useKeys(id, handler, enabled, null)
}

/** Binds a shortcut of the app shell, which acts only when no page handles the same keys. */
export function useFallbackShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void): void {
  // Listen on the window, which gets a key event after the document.
  useKeys(id, handler, true, window as unknown as Document)
}

function useKeys(
  id: ShortcutId,
  handler: (event: KeyboardEvent) => void,
  enabled: boolean,
  listenAt: Document | null,
): void {
  const keys = keysOfShortcut(id)
  const isChord = keys.includes('mod')
  useHotkeys(
    keys,
    (event) => {
      const { focus, endsSequence } = keyPressOf(event)
      // The library would also count a first key that was typed into a field.
      const isMine = keys.includes('>') === endsSequence
      if (!(isChord ? mayFireChord(event, focus) : isMine && mayFirePlain(event, focus, singleKeysEnabled())))
        return
      event.preventDefault()
      handler(event)
    },
    {
      enabled,
      useKey: true,
      ignoreModifiers: !isChord,
      // Disable the library's own rules, which refuse all shortcuts in text fields: the check above decides.
      enableOnFormTags: true,
      enableOnContentEditable: true,
      ...(listenAt && { document: listenAt }),
    },
  )
}

function keysOfShortcut(id: ShortcutId): string {
  const shortcut = SHORTCUTS.find((entry) => entry.id === id)
  if (!shortcut) throw new Error(`${id} has no keys`)
  return shortcut.keys
}
