import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const SUBTLE_COLOUR = 'var(--text-color-kumo-subtle)'
const NAME_COLOUR = 'light-dark(oklch(0.43 0.13 255), oklch(0.83 0.09 245))'
const KEYWORD_COLOUR = 'light-dark(oklch(0.46 0.17 305), oklch(0.82 0.11 308))'
const VALUE_COLOUR = 'light-dark(oklch(0.47 0.13 45), oklch(0.84 0.1 65))'
const TEXT_COLOUR = 'light-dark(oklch(0.43 0.11 155), oklch(0.83 0.12 158))'
const TYPE_COLOUR = 'light-dark(oklch(0.44 0.09 200), oklch(0.83 0.09 200))'
const INVALID_COLOUR = 'light-dark(oklch(0.48 0.19 25), oklch(0.8 0.12 25))'

/**
 * Maps the editor's default syntax colours, which are legible on white only, to colours for both themes. Defining all syntax classes
 * instead would need another package.
 */
export const THEME_COLOURS: Record<string, string> = {
  '#404740': SUBTLE_COLOUR,
  '#940': SUBTLE_COLOUR,
  '#708': KEYWORD_COLOUR,
  '#219': VALUE_COLOUR,
  '#164': VALUE_COLOUR,
  '#a11': TEXT_COLOUR,
  '#e40': INVALID_COLOUR,
  '#f00': INVALID_COLOUR,
  '#00f': NAME_COLOUR,
  '#30a': NAME_COLOUR,
  '#00c': NAME_COLOUR,
  '#085': TYPE_COLOUR,
  '#167': TYPE_COLOUR,
  '#256': TYPE_COLOUR,
}

const codeHighlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => ({
    ...spec,
    ...(typeof spec.color === 'string' && { color: THEME_COLOURS[spec.color] ?? spec.color }),
    // The default style also underlines headings; underline only links.
    ...(spec.fontWeight && { textDecoration: 'none' }),
  })),
)

const ADDED_COLOUR = 'color-mix(in oklab, var(--color-added) 13%, transparent)'
const ADDED_WORD = 'color-mix(in oklab, var(--color-added) 17%, transparent)'
const REMOVED_COLOUR = 'color-mix(in oklab, var(--color-removed) 11%, transparent)'
const REMOVED_WORD = 'color-mix(in oklab, var(--color-removed) 17%, transparent)'
const GAP_STYLE = {
  padding: '4px 12px',
  background: 'var(--color-kumo-recessed)',
  color: SUBTLE_COLOUR,
  fontSize: '12px',
  '&:before, &:after': { content: 'none' },
  '&:hover': { color: 'var(--text-color-kumo-default)' },
}
const gutterSign = (content: string, color: string) => ({ content: `"${content}"`, color, ...SIGN_STYLE })
const SIGN_STYLE = { position: 'absolute', left: '6px', fontWeight: '600', userSelect: 'none' }

const editorTheme = EditorView.theme({
  '&': { color: 'var(--text-color-kumo-default)', backgroundColor: 'transparent', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--color-kumo-focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: SUBTLE_COLOUR, border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 14px', minWidth: '44px', cursor: 'default' },
  '&.has-line-links .cm-lineNumbers .cm-gutterElement': { cursor: 'pointer' },
  '&.has-line-links .cm-lineNumbers .cm-gutterElement:hover': { color: 'var(--text-color-kumo-link)' },
  '.cm-shown-line': { backgroundColor: 'var(--color-tide-tint)', boxShadow: 'inset 3px 0 var(--color-tide)' },
  '.cm-searchMatch': { backgroundColor: 'light-dark(oklch(0.9 0.12 95), oklch(0.45 0.09 90))' },
  '.cm-searchMatch-selected': { backgroundColor: 'light-dark(oklch(0.84 0.15 75), oklch(0.55 0.12 70))' },
  '.cm-panels': {
    backgroundColor: 'var(--color-kumo-elevated)',
    color: 'inherit',
    fontFamily: 'var(--font-sans)',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--color-kumo-line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px 8px',
    padding: '8px 40px 8px 12px',
    fontSize: '13px',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0' },
  '.cm-panel.cm-search input[type=checkbox]': { width: '16px', height: '16px' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '6px',
    minHeight: '24px',
    fontSize: '13px',
    cursor: 'pointer',
  },
  // "Select all matches" is of no use in a read-only editor.
  '.cm-panel.cm-search [name=select]': { display: 'none' },
  '.cm-textfield': {
    minHeight: '30px',
    flex: '1 1 12rem',
    maxWidth: '20rem',
    border: '1px solid var(--color-kumo-line)',
    borderRadius: '8px',
    background: 'var(--color-kumo-control)',
    color: 'inherit',
    padding: '0 10px',
    fontSize: '13px',
  },
  '.cm-button': {
    minHeight: '30px',
    border: '1px solid var(--color-kumo-line)',
    borderRadius: '8px',
    background: 'var(--color-kumo-control)',
    color: 'inherit',
    padding: '0 10px',
    fontSize: '13px',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '8px',
    width: '30px',
    height: '30px',
    fontSize: '18px',
    borderRadius: '8px',
    cursor: 'pointer',
  },
  // Also mark each changed line with a sign: colour must not be the only cue (WCAG 1.4.1).
  '&.is-diff .cm-line, .cm-deletedLine': { position: 'relative', padding: '0 12px 0 22px' },
  '&.is-diff .cm-content': { padding: '0' },
  '.cm-mergeView &.cm-merge-b': { borderLeft: '1px solid var(--color-kumo-line)' },
  '.cm-deletedChunk': { paddingLeft: '0', backgroundColor: 'transparent' },
  '.cm-deletedLine': { display: 'block', minHeight: '20px', backgroundColor: REMOVED_COLOUR },
  '.cm-deletedLine::before': gutterSign('−', 'var(--color-removed)'),
  '&.cm-merge-a .cm-changedLine, &.is-removed .cm-line': { backgroundColor: REMOVED_COLOUR },
  '&.cm-merge-a .cm-changedLine::before, &.is-removed .cm-line::before': gutterSign(
    '−',
    'var(--color-removed)',
  ),
  '&.cm-merge-b .cm-changedLine, &.is-added .cm-line': { backgroundColor: ADDED_COLOUR },
  '&.cm-merge-b .cm-changedLine::before, &.is-added .cm-line::before': gutterSign('+', 'var(--color-added)'),
  '&.cm-merge-b .cm-changedText': { background: ADDED_WORD, borderRadius: '2px' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: REMOVED_WORD,
    borderRadius: '2px',
  },
  '.cm-collapsedLines': GAP_STYLE,
  ins: { textDecoration: 'none' },
})

/** The theme of all editors. It uses the colours of the page, which follow the light or dark theme. */
export const codeTheme: Extension = [editorTheme, syntaxHighlighting(codeHighlighting)]
