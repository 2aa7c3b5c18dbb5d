import { CaretRightIcon } from '@phosphor-icons/react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { href } from '../../../routes.ts'
import { changedFilesText } from '../../../text/builds.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import type { FileRow } from '../../../state/builds/build-state.ts'

// Loaded when a diff is opened: few readers open one, but every build shows its files.
const FileChanges = lazy(() =>
  import('./file-changes.tsx').then((module) => ({ default: module.FileChanges })),
)

interface FilesCardProps {
  files: FileRow[]
  /** The commit with the changes. Null until the build has one. */
  version: { projectId: string; sha: string } | null
  /** Paths that have no word in common with the ticket's text. They are marked as outside the ticket. */
  notNamed?: Set<string>
}

/** Lists the changed files of the commit. An expanded file shows its diff. */
export function FilesCard({ files, version, notNamed = new Set() }: FilesCardProps) {
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  return (
    <section
      aria-labelledby="build-files"
      className="overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line"
    >
      <h3
        id="build-files"
        className="flex items-center gap-2 border-b border-kumo-line px-4 py-2.5 text-[13px] font-medium text-kumo-strong"
      >
        {workText.build.files}
        <span className="font-normal text-kumo-subtle tabular-nums">{files.length}</span>
        <LineCounts added={added} removed={removed} />
      </h3>
      {notNamed.size > 0 && (
        <p className="border-b border-kumo-line bg-kumo-warning-tint px-4 py-2 text-[13px]">
          {changedFilesText.notNamed(notNamed.size)}
        </p>
      )}
      <ul className="py-1">
        {files.map((file) => (
          <ChangedFile key={file.path} file={file} version={version} isNotNamed={notNamed.has(file.path)} />
        ))}
      </ul>
      {version && (
        <p className="border-t border-kumo-line px-4 py-2 text-[13px]">
          <a
            href={href.versions(version.projectId, { sha: version.sha })}
            className="rounded-sm text-kumo-link underline underline-offset-3"
          >
            {changedFilesText.compare}
          </a>
        </p>
      )}
    </section>
  )
}

function ChangedFile(props: { file: FileRow; version: FilesCardProps['version']; isNotNamed: boolean }) {
  const { file, version } = props
  const [isOpen, setOpen] = useState(false)
  const line: ReactNode = (
    <>
      <code
        className={`min-w-0 truncate font-mono text-xs ${file.op === 'delete' ? 'line-through' : ''}`}
        title={file.path}
      >
        <bdi>{file.path}</bdi>
      </code>
      <span className="sr-only">{workText.build.operations[file.op]}</span>
      {props.isNotNamed && (
        <span className="shrink-0 rounded-sm bg-kumo-warning-tint px-1.5 text-xs">
          {changedFilesText.mark}
        </span>
      )}
      <LineCounts added={file.added} removed={file.removed} />
    </>
  )
  if (!version) return <li className="flex min-h-6 items-center gap-3 px-4 py-1 text-[13px]">{line}</li>
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-7 w-full cursor-pointer items-center gap-2 px-4 py-1 pl-2.5 text-left text-[13px] -outline-offset-2 hover:bg-kumo-tint pointer-coarse:min-h-11"
      >
        <CaretRightIcon
          className={`size-3 shrink-0 text-kumo-subtle ${isOpen ? 'rotate-90' : ''}`}
          aria-hidden="true"
        />
        {line}
      </button>
      {isOpen && (
        <Suspense>
          <FileChanges version={version} path={file.path} />
        </Suspense>
      )}
    </li>
  )
}

function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="ml-auto flex shrink-0 gap-2 font-mono text-xs font-normal tabular-nums">
      <span className="text-added">+{added}</span>
      <span className="text-removed">−{removed}</span>
    </span>
  )
}
