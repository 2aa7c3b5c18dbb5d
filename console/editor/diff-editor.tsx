import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { editorText } from '../text/editor.en.ts'
import type { DiffViewProps } from './diff-view.tsx'
import { openDiff } from './open-diff.ts'

/** Shows a comparison in read-only editors. Use it through `DiffView`, which loads it on demand. */
export function DiffEditor({ file, split = false, whole = false, onOpen }: DiffViewProps) {
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
