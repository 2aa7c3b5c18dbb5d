import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars } from '@codemirror/view'
import { editorText } from '../text/editor.en.ts'
import { styleNonce } from '../ui/code/style-nonce.ts'
import { languageOf, loadLanguage } from './language.ts'
import { codeTheme } from './theme.ts'

const languageSetting = new Compartment()
const wrappingSetting = new Compartment()

/** The extensions that every editor has: it is read-only, has an accessible name, and may add its own styles. */
export const readOnly = (label: string, wraps: boolean): Extension => [
  EditorState.readOnly.of(true),
  // Not editable, so that a phone shows no keyboard and the browser's own keys scroll and select.
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label }),
  EditorView.cspNonce.of(styleNonce()),
  EditorState.phrases.of(editorText.phrases),
  languageSetting.of([]),
  wrappingSetting.of(wraps ? EditorView.lineWrapping : []),
  // Invisible characters, and characters that reverse the writing direction, can make code look like other code
  // (https://trojansource.codes).
  highlightSpecialChars(),
  codeTheme,
]

/** Switches the wrapping of long lines in an open editor. */
export const setWrapping = (view: EditorView, wraps: boolean) =>
  view.dispatch({ effects: wrappingSetting.reconfigure(wraps ? EditorView.lineWrapping : []) })

/** Highlights the text once the grammar has loaded. Before that, or when loading fails, the text is plain. */
export function addLanguage(path: string, views: readonly EditorView[], isOpen: () => boolean): void {
  const name = languageOf(path)
  if (name === null) return
  loadLanguage(name).then(
    (extension) => {
      if (!isOpen()) return
      for (const view of views) view.dispatch({ effects: languageSetting.reconfigure(extension) })
    },
    () => {},
  )
}
