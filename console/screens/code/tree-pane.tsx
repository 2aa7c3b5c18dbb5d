import { useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../shell/keys/shortcuts.ts'
import { codeText as words } from '../../text/code.en.ts'
import { isComposing } from '../../ui/browser/composing.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FIELD_STYLE } from '../../ui/controls/text-field.tsx'
import { FileTree } from './file-tree.tsx'
import { filterPaths, firstFile, parentFolders, initiallyOpenFolders, treeRows } from './tree-rows.ts'

interface TreePaneProps {
  /** The keys are the paths; the values are not used. */
  paths: ReadonlyMap<string, unknown>
  chosen: string | undefined
  filter: string
  onFilter: (filter: string) => void
  onChoose: (path: string) => void
}

const NOTHING_COLLAPSED = { filter: '', folders: new Set<string>() }

/**
 * All files as a tree with a filter field. `F` focuses the field, and the down key moves the focus from there
 * into the tree.
 */
export function TreePane({ paths, chosen, filter, onFilter, onChoose }: TreePaneProps) {
  const field = useRef<HTMLInputElement>(null)
  const tree = useRef<HTMLDivElement>(null)
  const all = useMemo(() => [...paths.keys()], [paths])
  const [open, setOpen] = useState(() => initiallyOpenFolders(all, chosen))
  const shown = useMemo(() => filterPaths(all, filter), [all, filter])
  const isFiltered = shown !== all
  // Another filter expands all folders of its matches again.
  const [collapsed, setCollapsed] = useState<{ filter: string; folders: ReadonlySet<string> }>(
    NOTHING_COLLAPSED,
  )
  const { folders } = collapsed.filter === filter ? collapsed : NOTHING_COLLAPSED
  const reveal = (file: string) => {
    const around = parentFolders(file)
    setOpen(new Set([...open, ...around]))
    setCollapsed({ filter, folders: new Set([...folders].filter((folder) => !around.includes(folder))) })
  }
  const [revealed, setRevealed] = useState(chosen)
  // Expand the folders of a newly chosen file, which may have been chosen in a filtered tree or by the browser's back button.
  if (chosen !== revealed) {
    setRevealed(chosen)
    if (chosen !== undefined) reveal(chosen)
  }
  const rows = useMemo(
    () =>
      treeRows(
        shown,
        isFiltered ? new Set(shown.flatMap(parentFolders).filter((folder) => !folders.has(folder))) : open,
      ),
    [shown, isFiltered, folders, open],
  )
  useShortcut('filterFiles', () => field.current?.focus())
  const toggle = (folder: string) => {
    const next = new Set(isFiltered ? folders : open)
    if (!next.delete(folder)) next.add(folder)
    if (isFiltered) setCollapsed({ filter, folders: next })
    else setOpen(next)
  }
  return (
    <>
      <div className="border-b border-kumo-line p-2">
        <input
          ref={field}
          type="search"
          value={filter}
          aria-label={words.filter}
          aria-keyshortcuts="f"
          placeholder={words.filter}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onFilter(event.target.value)}
          onKeyDown={(event) => {
            if (isComposing(event)) return
            const first = event.key === 'Enter' && isFiltered ? firstFile(shown) : undefined
            if (first !== undefined) {
              // The file may be open already, in a folder that was collapsed since. Then only this call expands the folder.
              reveal(first)
              onChoose(first)
            } else if (event.key === 'ArrowDown') tree.current?.focus()
            else if (event.key === 'Escape' && filter !== '') onFilter('')
            else return
            event.preventDefault()
          }}
          className={`${FIELD_STYLE} h-8 text-[13px] ring-kumo-line`}
        />
        <p role="status" className="px-1 pt-1.5 text-xs text-kumo-subtle">
          {words.count(shown.length, all.length)}
        </p>
      </div>
      {rows.length === 0 ? (
        <div className="space-y-2 p-4 text-center text-[13px] text-kumo-subtle">
          <p className="break-words">{words.noMatch(filter)}</p>
          <Button
            size="sm"
            onClick={() => {
              onFilter('')
              // The pressed button disappears with the filter.
              field.current?.focus()
            }}
          >
            {words.clearFilter}
          </Button>
        </div>
      ) : (
        <FileTree tree={tree} rows={rows} chosen={chosen} onToggle={toggle} onChoose={onChoose} />
      )}
    </>
  )
}
