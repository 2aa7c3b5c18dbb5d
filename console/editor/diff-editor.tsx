import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { editorText } from '../text/editor.en.ts'
import { openDiff } from './open-diff.ts'
import type { FileDiff } from './shown-text.ts'

export interface DiffEditorProps {
  file: FileDiff
  /** Whether to show the two texts side by side, which needs about 720 px. */
  split?: boolean
  /** Whether long unchanged parts are shown instead of being collapsed. */
  whole?: boolean
  /**
   * Called on mount with a function that returns the top edges of the changes, in pixels from the top of the
   * window. Returns a function that is called on unmount.
   */
  onOpen?: (changesPx: () => number[]) => () => void
}

/** Shows a comparison in read-only editors. Use it through `DiffView`, which loads it on demand. */
export function DiffEditor({ file, split = false, whole = false, onOpen }: DiffEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const announce = useEffectEvent((changesPx: () => number[]) => onOpen?.(changesPx))
  const { path, before, after } = file
  // A layout effect, so that the editor has its height before the browser paints; otherwise everything below it would jump.
  useLayoutEffect(() => {
    const parent = box.current
    if (parent === null) return
    const labels = { before: editorText.before(path), after: editorText.after(path) }
    const diff = openDiff(parent, { path, before, after, split, whole, labels })
    const forget = announce(diff.changesPx)
    return () => {
      forget?.()
      diff.close()
    }
  }, [path, before, after, split, whole])
  return <div ref={box} className="min-w-0 overflow-hidden" />
}
