import { LinkButton } from '@cloudflare/kumo/components/button'
import {
  ArrowBendDownLeftIcon,
  CaretLeftIcon,
  DownloadSimpleIcon,
  MagnifyingGlassIcon,
} from '@phosphor-icons/react'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../../shell/keys/shortcuts.ts'
import { codeText as words } from '../../text/code.en.ts'
import { editorText } from '../../text/editor.en.ts'
import type { CodeHandle } from '../../editor/code-editor.tsx'
import { CodeNote, CodeView } from '../../editor/code-view.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { formatSize } from '../../lib/format.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import type { LineRange } from '../../editor/line-range.ts'
import { saveFile } from '../../ui/browser/save-file.ts'

interface FilePaneProps {
  path: string
  content: string | null
  lines: LineRange | null
  /** The link back to the file tree. Null when the tree is shown beside the file. */
  back: string | null
  onLine: (line: number, stretch: boolean) => void
}

export function FilePane({ path, content, lines, back, onLine }: FilePaneProps) {
  const editor = useRef<CodeHandle>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [wraps, setWraps] = useState(back !== null)
  useShortcut('search', () => editor.current?.search())
  const isAlone = back !== null
  useEffect(() => {
    // When the file has replaced the tree, focus the file's name, so that a screen reader starts reading
    // there.
    if (isAlone) heading.current?.focus({ preventScroll: true })
  }, [isAlone])
  const at = path.lastIndexOf('/') + 1
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-kumo-line py-1.5 pr-2 pl-3">
        {back !== null && (
          <LinkButton
            href={back}
            size="sm"
            variant="ghost"
            shape="square"
            aria-label={words.back}
            icon={<CaretLeftIcon />}
          />
        )}
        <div className="min-w-0 flex-1 basis-40">
          <h2 ref={heading} tabIndex={-1} className="font-mono text-[13px] break-all outline-none">
            <span className="text-kumo-subtle">{path.slice(0, at)}</span>
            <span className="font-medium text-kumo-strong">{path.slice(at)}</span>
          </h2>
          {content !== null && <p className="text-xs text-kumo-subtle">{fileSizeText(content)}</p>}
        </div>
        {content !== null && (
          <div className="flex items-center gap-0.5">
            <LineField onLine={onLine} />
            <IconButton
              label={words.search}
              icon={<MagnifyingGlassIcon />}
              onClick={() => editor.current?.search()}
            />
            <IconButton
              label={words.wrap}
              aria-pressed={wraps}
              icon={<ArrowBendDownLeftIcon />}
              onClick={() => setWraps(!wraps)}
            />
            <CopyButton value={content} label={words.copyFile} />
            <IconButton
              label={words.download}
              icon={<DownloadSimpleIcon />}
              onClick={() => saveFile(path.slice(at), new Blob([content], { type: 'text/plain' }))}
            />
          </div>
        )}
      </div>
      <div className="min-h-0 flex-1">
        {content === null ? (
          <CodeNote>{editorText.notShown.missing}</CodeNote>
        ) : (
          <CodeView path={path} text={content} lines={lines} wraps={wraps} onLine={onLine} handle={editor} />
        )}
      </div>
    </>
  )
}

function fileSizeText(content: string): string {
  const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
  return `${words.lines(lines)} · ${formatSize(new Blob([content]).size)}`
}

/**
 * A field to jump to a line by its number. Without it people who use only the keyboard could not choose a line, because the line numbers
 * can only be clicked.
 */
function LineField({ onLine }: { onLine: (line: number, stretch: boolean) => void }) {
  const [value, setValue] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const line = Number(value)
        if (line >= 1) onLine(line, false)
        setValue('')
      }}
    >
      <input
        value={value}
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        aria-label={words.line}
        placeholder={words.lineShort}
        onChange={(event) => setValue(event.target.value.replaceAll(/\D/g, ''))}
        className="h-[26px] w-16 rounded-md bg-kumo-control px-2 text-[13px] ring-1 ring-kumo-line outline-none placeholder:text-kumo-placeholder focus:ring-2 focus:ring-kumo-focus"
      />
    </form>
  )
}
