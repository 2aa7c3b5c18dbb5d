import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { editorText } from '../text/editor.en.ts'
import type { LineRange } from './line-range.ts'
import { type OpenCode, openCode } from './open-code.ts'

export interface CodeHandle {
  search: () => void
}

export interface CodeEditorProps {
  path: string
  text: string
  /** The lines to highlight and scroll to. */
  lines?: LineRange | null
  wraps?: boolean
  /** Called when a line number is pressed; `stretch` is true while Shift is held. Without this handler the numbers are not interactive. */
  onLine?: (line: number, stretch: boolean) => void
  handle?: Ref<CodeHandle>
}

/** Shows a file in a read-only editor. Use it through `CodeView`, which loads it on demand. */
export function CodeEditor({ path, text, lines = null, wraps = false, onLine, handle }: CodeEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const open = useRef<OpenCode>(null)
  const hasLinks = onLine !== undefined
  const press = useEffectEvent((line: number, stretch: boolean) => onLine?.(line, stretch))
  const readWraps = useEffectEvent(() => wraps)
  useEffect(() => {
    const parent = box.current
    if (parent === null) return
    const code = openCode(parent, {
      path,
      text,
      label: editorText.code(path),
      wraps: readWraps(),
      onLine: hasLinks ? (line, stretch) => press(line, stretch) : null,
    })
    open.current = code
    return () => {
      open.current = null
      code.close()
    }
  }, [path, text, hasLinks])
  const { from, to } = lines ?? {}
  useEffect(() => {
    open.current?.showLines(from !== undefined && to !== undefined ? { from, to } : null)
  }, [path, text, hasLinks, from, to])
  useEffect(() => open.current?.setWrapping(wraps), [wraps])
  useImperativeHandle(handle, () => ({ search: () => open.current?.search() }), [])
  return <div ref={box} className="h-full min-h-0 [&>.cm-editor]:h-full" />
}
