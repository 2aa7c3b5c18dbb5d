import { LinkButton } from '@cloudflare/kumo/components/button'
import { CodeIcon, FileXIcon } from '@phosphor-icons/react'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { href } from '../../routes.ts'
import { codeText as words } from '../../text/code.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { chooseLine, lineHash, readLineHash } from '../../editor/line-range.ts'
import { useWide } from '../../ui/browser/use-media.ts'
import { FilePane } from './file-pane.tsx'
import { TreePane } from './tree-pane.tsx'
import type { CodeFiles } from './use-code.ts'

interface CodeBrowserProps {
  projectId: string
  files: CodeFiles
  path: string | undefined
  sha: string | undefined
}

/** Shows the file tree beside the open file. A narrow screen shows either the tree or the file. */
export function CodeBrowser({ projectId, files, path, sha }: CodeBrowserProps) {
  const router = useRouter()
  const isWide = useWide()
  const lines = readLineHash(useLocation({ select: ({ hash }) => hash }))
  // The filter is stored here, because the tree is unmounted while a narrow screen shows a file.
  const [filter, setFilter] = useState('')
  const content = path === undefined ? undefined : files.get(path)
  const showsFile = path !== undefined
  return (
    <div className="flex min-h-96 flex-1 overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      {(isWide || !showsFile) && (
        <div
          className={`flex min-h-0 min-w-0 flex-col ${isWide ? 'w-72 shrink-0 border-r border-kumo-line bg-kumo-elevated' : 'flex-1'}`}
        >
          <TreePane
            paths={files}
            chosen={path}
            filter={filter}
            onFilter={setFilter}
            onChoose={(chosen) => router.history.push(href.code(projectId, { path: chosen, sha }))}
          />
        </div>
      )}
      {(isWide || showsFile) && (
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {path === undefined && (
            <EmptyNote icon={<CodeIcon />} title={words.choose} hint={words.chooseHint} />
          )}
          {path !== undefined && content === undefined && (
            <FileGone projectId={projectId} path={path} sha={sha} />
          )}
          {path !== undefined && content !== undefined && (
            <FilePane
              key={path}
              path={path}
              content={content}
              lines={lines}
              back={isWide ? null : href.code(projectId, { sha })}
              onLine={(line, stretch) =>
                router.history.replace(
                  href.code(projectId, { path, sha }, lineHash(chooseLine(lines, line, stretch))),
                )
              }
            />
          )}
        </div>
      )}
    </div>
  )
}

function FileGone({ projectId, path, sha }: { projectId: string; path: string; sha: string | undefined }) {
  return (
    <EmptyNote
      icon={<FileXIcon />}
      title={words.gone(path)}
      hint={words.goneHint}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <LinkButton variant="secondary" href={href.code(projectId, { sha })}>
            {words.back}
          </LinkButton>
          <LinkButton variant="secondary" href={href.versions(projectId)}>
            {words.versions}
          </LinkButton>
        </div>
      }
    />
  )
}
