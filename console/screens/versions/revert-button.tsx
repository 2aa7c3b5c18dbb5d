import { ArrowCounterClockwiseIcon } from '@phosphor-icons/react'
import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { lazy, Suspense, useState } from 'react'
import { versionsText as words } from '../../text/code.en.ts'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'

const RevertDialog = lazy(() =>
  import('./revert-dialog.tsx').then((module) => ({ default: module.RevertDialog })),
)

export function RevertButton(props: {
  project: Project
  version: Version
  newest: string
  isQuiet?: boolean
  onDone?: () => void
}) {
  const { project, version } = props
  const [open, setOpen] = useState(false)
  const short = version.sha.slice(0, 7)
  return (
    <>
      <ReasonButton
        size="sm"
        {...(props.isQuiet && { variant: 'ghost' as const })}
        icon={<ArrowCounterClockwiseIcon />}
        aria-label={words.revertNamed(short)}
        reason={project.lifecycle === 'archived' ? words.archived : null}
        onClick={() => setOpen(true)}
      >
        {words.revert}
      </ReasonButton>
      {open && (
        <Suspense fallback={null}>
          <RevertDialog
            projectId={project.id}
            sha={version.sha}
            newest={props.newest}
            onDone={() => {
              setOpen(false)
              props.onDone?.()
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
