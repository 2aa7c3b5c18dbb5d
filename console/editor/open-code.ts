import { closeSearchPanel, findNext, findPrevious, openSearchPanel, search } from '@codemirror/search'
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view'
import type { LineRange } from './line-range.ts'
import { addLanguage, readOnly, setWrapping } from './read-only.ts'

export interface CodeToShow {
  path: string
  text: string
  /** The accessible name of the editor. */
  label: string
  wraps: boolean
  /** Called when a line number is pressed. `stretch` is true while Shift is held. */
  onLine: ((line: number, stretch: boolean) => void) | null
}

/** An editor in the page. `close` removes it; the other methods must not be called afterwards. */
export interface OpenCode {
  showLines(range: LineRange | null): void
  setWrapping(wraps: boolean): void
  search(): void
  close(): void
}

/** Shows a file in `parent`, read-only and searchable. */
export function openCode(parent: HTMLElement, code: CodeToShow): OpenCode {
  let isOpen = true
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: code.text,
      extensions: [
        readOnly(code.label, code.wraps),
        // The editor scrolls in its own element, so the keyboard must be able to focus it.
        EditorView.contentAttributes.of({ tabindex: '0' }),
        lineNumberGutter(code.onLine),
        shownLines,
        search({ top: true }),
        keymap.of(SEARCH_KEYS),
      ],
    }),
  })
  addLanguage(code.path, [view], () => isOpen)
  return {
    showLines: (range) => showLines(view, range),
    setWrapping: (wraps) => setWrapping(view, wraps),
    search: () => openSearchPanel(view),
    close() {
      isOpen = false
      view.destroy()
    },
  }
}

const KEY_SCOPE = 'editor search-panel'
const SEARCH_KEYS = [
  { key: 'Mod-f', run: openSearchPanel, scope: KEY_SCOPE },
  { key: 'F3', run: findNext, shift: findPrevious, scope: KEY_SCOPE, preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, scope: KEY_SCOPE, preventDefault: true },
  { key: 'Escape', run: closeSearchPanel, scope: KEY_SCOPE },
]

function lineNumberGutter(onLine: CodeToShow['onLine']): Extension {
  if (onLine === null) return lineNumbers()
  return [
    lineNumbers({
      domEventHandlers: {
        mousedown(view, { from }, event) {
          const { shiftKey } = event as MouseEvent
          onLine(view.state.doc.lineAt(from).number, shiftKey)
          return true
        },
      },
    }),
    EditorView.editorAttributes.of({ class: 'has-line-links' }),
  ]
}

const setShown = StateEffect.define<LineRange | null>()
const shownLine = Decoration.line({ class: 'cm-shown-line' })

const shownLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { effects, state }) {
    const set = effects.find((effect) => effect.is(setShown))
    if (set === undefined) return shown
    const range: LineRange | null = set.value
    if (range === null) return Decoration.none
    const first = Math.min(range.from, state.doc.lines)
    const count = Math.min(range.to, state.doc.lines) - first + 1
    return Decoration.set(
      Array.from({ length: count }, (_, index) => shownLine.range(state.doc.line(first + index).from)),
    )
  },
  provide: (field) => EditorView.decorations.from(field),
})

const SCROLL_TRIES = 4

function showLines(view: EditorView, range: LineRange | null): void {
  view.dispatch({ effects: setShown.of(range) })
  if (range) bringIntoSight(view, view.state.doc.line(Math.min(range.from, view.state.doc.lines)).from)
}

/** Scrolls to a position. The height of a line that was never rendered is an estimate, so a distant line may need several scrolls. */
function bringIntoSight(view: EditorView, position: number, tries = SCROLL_TRIES): void {
  if (tries === 0 || isInside(view, position)) return
  view.dispatch({ effects: EditorView.scrollIntoView(position, { y: 'center' }) })
  requestAnimationFrame(() => bringIntoSight(view, position, tries - 1))
}

/** Whether a line is in view already. If it is, pressing its number must not scroll the page. */
function isInside(view: EditorView, position: number): boolean {
  const { from, to } = view.viewport
  if (position < from || position > to) return false
  const block = view.lineBlockAt(position)
  const { scrollTop, clientHeight } = view.scrollDOM
  return block.top >= scrollTop && block.bottom <= scrollTop + clientHeight
}
