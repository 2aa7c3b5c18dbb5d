import { workText } from '../../text/workspace.en.ts'
import type { FileRow } from './build-state.ts'

/** What changed, from the tree itself and never from the model's words. */
export function FilesCard({ files }: { files: FileRow[] }) {
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
        <Change added={added} removed={removed} />
      </h3>
      <ul className="py-1">
        {files.map((file) => (
          <li key={file.path} className="flex items-center gap-3 px-4 py-1 text-[13px]">
            <code
              className={`min-w-0 truncate font-mono text-xs ${file.op === 'delete' ? 'line-through' : ''}`}
              title={file.path}
            >
              <bdi>{file.path}</bdi>
            </code>
            <span className="sr-only">{workText.build.operations[file.op]}</span>
            <Change added={file.added} removed={file.removed} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Change({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="ml-auto flex shrink-0 gap-2 font-mono text-xs font-normal tabular-nums">
      <span className="text-added">+{added}</span>
      <span className="text-removed">−{removed}</span>
    </span>
  )
}
