import { getChunks, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { addLanguage, readOnly } from './read-only.ts'

export interface DiffToShow {
  path: string
  /** Null when the file was added. */
  before: string | null
  /** Null when the file was removed. */
  after: string | null
  split: boolean
  /** Whether long unchanged parts are shown instead of being collapsed. */
  whole: boolean
  /** The accessible names of the old and the new text. */
  labels: { before: string; after: string }
}

/** A comparison in the page. `close` removes its editors. */
export interface OpenDiff {
  /** Returns the top edges of the changes, in pixels from the top of the window. */
  changesPx(): number[]
  close(): void
}

const COLLAPSE_OPTIONS = { margin: 3, minSize: 6 }
/**
 * The limits of the comparison, because comparing two entirely different files would block the page. A comparison that reaches them is
 * less exact: it may also mark unchanged text as changed.
 */
const DIFF_LIMITS = { scanLimit: 2_000, timeout: 200 }

/**
 * Shows a comparison in `parent`: one editor for an added or removed file, two side by side with `split`, otherwise one with the removed
 * lines inserted.
 */
export function openDiff(parent: HTMLElement, diff: DiffToShow): OpenDiff {
  let isOpen = true
  const { views, close } = createViews(parent, diff)
  addLanguage(diff.path, views, () => isOpen)
  return {
    changesPx: () => changesPx(views),
    close() {
      isOpen = false
      close()
    },
  }
}

interface DiffViews {
  views: EditorView[]
  close: () => void
}

function createViews(parent: HTMLElement, diff: DiffToShow): DiffViews {
  const { before, after } = diff
  if (before === null || after === null) return showSingleText(parent, diff)
  return diff.split
    ? showSideBySide(parent, { ...diff, before, after })
    : showUnified(parent, { ...diff, before, after })
}

type BothTexts = DiffToShow & { before: string; after: string }

const readOnlyDiff = (label: string): Extension => [
  readOnly(label, true),
  lineNumbers(),
  EditorView.editorAttributes.of({ class: 'is-diff' }),
]

/** Shows an added or removed file in one editor, because there is no second text to compare. */
function showSingleText(parent: HTMLElement, { before, after, labels }: DiffToShow): DiffViews {
  const isNew = after !== null
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after ?? before ?? '',
      extensions: [
        readOnlyDiff(isNew ? labels.after : labels.before),
        EditorView.editorAttributes.of({ class: isNew ? 'is-added' : 'is-removed' }),
      ],
    }),
  })
  return { views: [view], close: () => view.destroy() }
}

function showUnified(parent: HTMLElement, { before, after, whole, labels }: BothTexts): DiffViews {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after,
      extensions: [
        readOnlyDiff(labels.after),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          gutter: false,
          diffConfig: DIFF_LIMITS,
          ...(!whole && { collapseUnchanged: COLLAPSE_OPTIONS }),
        }),
      ],
    }),
  })
  return { views: [view], close: () => view.destroy() }
}

function showSideBySide(parent: HTMLElement, { before, after, whole, labels }: BothTexts): DiffViews {
  const merge = new MergeView({
    parent,
    a: { doc: before, extensions: readOnlyDiff(labels.before) },
    b: { doc: after, extensions: readOnlyDiff(labels.after) },
    gutter: false,
    diffConfig: DIFF_LIMITS,
    ...(!whole && { collapseUnchanged: COLLAPSE_OPTIONS }),
  })
  return { views: [merge.a, merge.b], close: () => merge.destroy() }
}

function changesPx(views: readonly EditorView[]): number[] {
  const view = views.at(-1)
  if (!view) return []
  const chunks = getChunks(view.state)?.chunks
  const starts = chunks ? chunks.map(({ fromB }) => Math.min(fromB, view.state.doc.length)) : [0]
  return starts.map((start) => view.documentTop + view.lineBlockAt(start).top)
}
