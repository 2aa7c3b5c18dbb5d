import { LinkButton } from '@cloudflare/kumo/components/button'
import { CodeIcon } from '@phosphor-icons/react'
import { useParams, useSearch } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { codeText as words } from '../../text/code.en.ts'
import { text } from '../../text/en.ts'
import { CodeSkeleton } from '../../editor/code-view.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { useWide } from '../../ui/browser/use-media.ts'
import { CodeBrowser } from './code-browser.tsx'
import { type CodeState, useCode } from './use-code.ts'
import { ZipButton } from './zip-button.tsx'

const ROUTE_ID = '/app/projects/$projectId/code'

export function Code() {
  const { projectId } = useParams({ from: ROUTE_ID })
  const { path, sha } = useSearch({ from: ROUTE_ID })
  const state = useCode(projectId, sha)
  // On a narrow screen an open file is shown alone, without the introduction and the ZIP button.
  const isAlone = !useWide() && path !== undefined
  const isOld = state.kind === 'ready' && !state.version.current
  return (
    <SectionPage
      projectId={projectId}
      title={words.title}
      lead={
        isOld ? (
          <OldVersion projectId={projectId} sha={state.version.sha} path={path} />
        ) : (
          !isAlone && words.lead
        )
      }
      fills
      action={state.kind === 'ready' && !isAlone && <ZipButton projectId={projectId} isNewest={!isOld} />}
    >
      <FileContent projectId={projectId} path={path} sha={sha} state={state} />
    </SectionPage>
  )
}

function OldVersion(props: { projectId: string; sha: string; path: string | undefined }) {
  const { projectId, sha, path } = props
  return (
    <p className="flex flex-wrap gap-x-3">
      {words.leadOf(sha.slice(0, 7))}
      <a href={href.code(projectId, { path })} className="rounded-sm text-kumo-link hover:underline">
        {words.newest}
      </a>
      <a href={href.versions(projectId, { sha })} className="rounded-sm text-kumo-link hover:underline">
        {words.changes}
      </a>
    </p>
  )
}

interface ContentProps {
  projectId: string
  path: string | undefined
  sha: string | undefined
  state: CodeState
}

function FileContent({ projectId, path, sha, state }: ContentProps) {
  switch (state.kind) {
    case 'loading':
      return (
        <div className="min-h-96 flex-1 rounded-xl bg-kumo-base ring-1 ring-kumo-line">
          <CodeSkeleton />
        </div>
      )
    case 'failed':
      return <FailureNote title={text.failure.title} error={state.error} onRetry={state.retry} />
    case 'nothing':
      return (
        <EmptyNote
          icon={<CodeIcon />}
          title={words.nothing}
          hint={words.nothingHint}
          action={
            <LinkButton variant="primary" href={href.project(projectId, { pane: 'tickets' })}>
              {words.goBuild}
            </LinkButton>
          }
        />
      )
    case 'no_version':
      return (
        <EmptyNote
          icon={<CodeIcon />}
          title={words.noVersion}
          hint={words.noVersionHint}
          action={
            <LinkButton variant="secondary" href={href.versions(projectId)}>
              {words.versions}
            </LinkButton>
          }
        />
      )
    case 'ready':
      return <CodeBrowser projectId={projectId} files={state.files} path={path} sha={sha} />
  }
}
