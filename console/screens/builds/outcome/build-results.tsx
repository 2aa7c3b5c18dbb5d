import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { memo } from 'react'
import { type BuildState, isUnderWay } from '../../../state/builds/build-state.ts'
import { ChecksCard } from './checks-card.tsx'
import { FilesCard } from './files-card.tsx'
import { unmentionedFiles } from './unmentioned-files.ts'

interface BuildResultsProps extends Pick<BuildState, 'phase' | 'checks' | 'files' | 'sha'> {
  projectId: string
  ticket: Ticket
}

/**
 * The results of the checks and the changed files. Memoized, because the model streams text many times a
 * second and none of it is shown here.
 */
export const BuildResults = memo(function BuildResults(props: BuildResultsProps) {
  const { projectId, ticket, checks, files, sha } = props
  return (
    <>
      {checks.length > 0 && <ChecksCard checks={checks} source={{ projectId, sha, changed: files }} />}
      {files.length > 0 && (
        <FilesCard
          files={files}
          version={sha ? { projectId, sha } : null}
          notNamed={isUnderWay(props) ? new Set() : unmentionedFiles(files, ticketText(ticket))}
        />
      )}
    </>
  )
})

const ticketText = ({ title, body, origin }: Ticket) => [title, body, origin].join(' ')
