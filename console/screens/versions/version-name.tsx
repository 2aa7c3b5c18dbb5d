import { href } from '../../routes.ts'
import { useVersionTitle } from './use-version-title.ts'

interface VersionNameProps {
  projectId: string
  sha: string
}

export function VersionName({ projectId, sha }: VersionNameProps) {
  const { title } = useVersionTitle(projectId, sha)
  return (
    <span className="break-words">
      {title !== null && <span className="text-kumo-strong">{title} </span>}
      <code className="font-mono text-[13px] text-kumo-subtle">{sha.slice(0, 7)}</code>
    </span>
  )
}

export function VersionLink(props: VersionNameProps) {
  return (
    <a
      href={href.versions(props.projectId, { sha: props.sha })}
      className="inline-block max-w-full rounded-sm leading-6 hover:underline"
    >
      <VersionName {...props} />
    </a>
  )
}
