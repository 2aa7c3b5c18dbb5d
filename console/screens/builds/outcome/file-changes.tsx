import { useQuery } from '@tanstack/react-query'
import { diffQuery } from '../../../api/project/versions.ts'
import { href } from '../../../routes.ts'
import { changedFilesText } from '../../../text/builds.en.ts'
import { text } from '../../../text/en.ts'
import { CodeNote, CodeSkeleton } from '../../../editor/code-view.tsx'
import { DiffView } from '../../../editor/diff-view.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'

export function FileChanges(props: { version: { projectId: string; sha: string }; path: string }) {
  const { projectId, sha } = props.version
  const diff = useQuery(diffQuery(projectId, sha))
  if (diff.isError)
    return (
      <div className="px-4 py-2">
        <FailureNote title={text.failure.title} error={diff.error} onRetry={() => void diff.refetch()} />
      </div>
    )
  if (!diff.data) return <CodeSkeleton lines={3} />
  const file = diff.data.files.find(({ path }) => path === props.path)
  if (!file) return <CodeNote>{changedFilesText.same}</CodeNote>
  return (
    <div className="border-y border-kumo-line">
      <DiffView file={file} />
      {file.status !== 'removed' && (
        <p className="border-t border-kumo-line px-4 py-1.5 text-xs">
          <a
            href={href.code(projectId, { path: file.path, sha })}
            className="rounded-sm text-kumo-link underline underline-offset-3"
          >
            {changedFilesText.whole}
          </a>
        </p>
      )}
    </div>
  )
}
