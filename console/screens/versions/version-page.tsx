import { LinkButton } from '@cloudflare/kumo/components/button'
import { CodeIcon, GitCommitIcon } from '@phosphor-icons/react'
import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { projectQuery } from '../../api/project/projects.ts'
import { diffQuery, versionsQuery } from '../../api/project/versions.ts'
import { FileDiffs } from '../../editor/file-diffs.tsx'
import { href } from '../../routes.ts'
import { codeText, versionsText as words } from '../../text/code.en.ts'
import { text } from '../../text/en.ts'
import { CodeSkeleton } from '../../editor/code-view.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote, LoadFailure } from '../../ui/page/failure.tsx'
import { NativeSelect } from '../../ui/controls/native-select.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { readMessage } from './message.ts'
import { RevertButton } from './revert-button.tsx'
import { VersionFacts } from './version-facts.tsx'

interface VersionPageProps {
  projectId: string
  sha: string
  base: string | undefined
}

/** One version: its message, its changes and the revert button. A shortened id is accepted. */
export function VersionPage({ projectId, sha, base }: VersionPageProps) {
  const project = useQuery(projectQuery(projectId)).data
  const versions = useQuery(versionsQuery(projectId))
  const version = versions.data?.find((one) => one.sha.startsWith(sha))
  const title = version ? readMessage(version.message).subject : sha.slice(0, 7)
  return (
    <SectionPage
      projectId={projectId}
      title={title}
      wide
      crumbs={[{ to: href.versions(projectId), label: words.title }]}
      lead={version && <VersionFacts projectId={projectId} version={version} />}
      action={
        project && version && <VersionActions project={project} version={version} all={versions.data ?? []} />
      }
    >
      <LoadFailure query={versions} />
      {versions.data && !version && (
        <EmptyNote
          icon={<GitCommitIcon />}
          title={codeText.noVersion}
          hint={codeText.noVersionHint}
          action={
            <LinkButton variant="secondary" href={href.versions(projectId)}>
              {codeText.versions}
            </LinkButton>
          }
        />
      )}
      {version && (
        <VersionComparison
          projectId={projectId}
          version={version}
          versions={versions.data ?? []}
          base={base}
        />
      )}
    </SectionPage>
  )
}

function VersionActions({ project, version, all }: { project: Project; version: Version; all: Version[] }) {
  const router = useRouter()
  const newest = all.find((one) => one.current)?.sha ?? ''
  return (
    <div className="flex flex-wrap items-center gap-2">
      <CopyButton value={version.sha} label={words.copySha} />
      <LinkButton size="sm" variant="secondary" icon={<CodeIcon />} href={codeHref(project.id, version)}>
        {words.browse}
      </LinkButton>
      {!version.current && (
        <RevertButton
          project={project}
          version={version}
          newest={newest}
          onDone={() => router.history.push(href.versions(project.id))}
        />
      )}
    </div>
  )
}

const codeHref = (projectId: string, { sha, current }: Version, path?: string) =>
  href.code(projectId, { path, ...(!current && { sha }) })

function VersionComparison(props: {
  projectId: string
  version: Version
  versions: Version[]
  base: string | undefined
}) {
  const { projectId, version, versions } = props
  const router = useRouter()
  const others = versions.filter(({ sha }) => sha !== version.sha)
  const base = others.find(({ sha }) => props.base !== undefined && sha.startsWith(props.base))?.sha
  const diff = useQuery(diffQuery(projectId, version.sha, base))
  const { body } = readMessage(version.message)
  return (
    <div className="space-y-4">
      {body !== '' && (
        <p className="max-w-3xl leading-relaxed break-words whitespace-pre-wrap text-kumo-default">{body}</p>
      )}
      {others.length > 0 && (
        <div className="max-w-md">
          <NativeSelect
            label={words.base}
            value={base ?? ''}
            options={[
              { value: '', label: version.sha === versions.at(-1)?.sha ? words.nothingBefore : words.before },
              ...others.map(({ sha, message }) => ({
                value: sha,
                label: `${sha.slice(0, 7)} ${readMessage(message).subject}`,
              })),
            ]}
            onChange={(chosen) =>
              router.history.replace(href.versions(projectId, { sha: version.sha, base: chosen }))
            }
          />
        </div>
      )}
      {diff.isError && (
        <FailureNote title={text.failure.title} error={diff.error} onRetry={() => void diff.refetch()} />
      )}
      {diff.isPending && <CodeSkeleton />}
      {diff.data?.base === null && <p className="text-kumo-subtle">{words.firstHint}</p>}
      {diff.data && (
        <FileDiffs
          // A new key for each comparison, so that files folded in the previous comparison are shown unfolded.
          key={`${diff.data.sha} ${diff.data.base ?? ''}`}
          files={diff.data.files}
          title={diff.data.base === null ? words.first(diff.data.files.length) : undefined}
          fileHref={(path) => codeHref(projectId, version, path)}
        />
      )}
    </div>
  )
}
