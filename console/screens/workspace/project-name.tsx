import { PencilSimpleIcon } from '@phosphor-icons/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { describeFailure } from '../../api/request/failures.ts'
import { projectQuery, updateProject } from '../../api/project/projects.ts'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { workText } from '../../text/workspace.en.ts'
import { isComposing } from '../../ui/browser/composing.ts'
import { useHeadingFocus } from '../../ui/page/page.tsx'

export function ProjectName({ project }: { project: Project }) {
  const heading = useHeadingFocus()
  const [draft, setDraft] = useState<string | null>(null)
  const client = useQueryClient()
  const pencil = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    // When the field closes with the focus in it, the focus returns to the pencil.
    if (wasOpen.current && document.activeElement === document.body) pencil.current?.focus()
    wasOpen.current = draft !== null
  }, [draft])
  const renaming = useMutation({
    mutationFn: (name: string) => updateProject(project.id, { name }),
    // Send one request after the other, so that the last typed name is the stored one.
    scope: { id: `project-name-${project.id}` },
    onSuccess: (renamed, sent) => {
      client.setQueryData(projectQuery(project.id).queryKey, renamed)
      void client.invalidateQueries({ queryKey: queryKeys.projects.lists })
      // Keep a name that was typed while the request ran, because it is not saved yet.
      setDraft((now) => (now?.trim() === sent ? null : now))
    },
  })
  const finish = () => {
    const name = draft?.trim() ?? ''
    const current = renaming.isPending ? renaming.variables : project.name
    if (name !== '' && name !== current) renaming.mutate(name)
    // When the user leaves the field during the request, the field stays until the response, in case the name is refused.
    else if (name === '' || !renaming.isPending) setDraft(null)
  }
  if (draft === null)
    return (
      <h1
        ref={heading}
        tabIndex={-1}
        className="group flex min-w-0 items-center gap-1 text-[15px] font-semibold text-kumo-strong"
      >
        <span className="truncate">{project.name}</span>
        <button
          ref={pencil}
          type="button"
          aria-label={workText.workspace.rename}
          title={workText.workspace.rename}
          onClick={() => {
            renaming.reset()
            setDraft(project.name)
          }}
          className="grid size-7 shrink-0 cursor-pointer place-items-center rounded-md text-kumo-subtle hover:bg-kumo-tint hover:text-kumo-default"
        >
          <PencilSimpleIcon aria-hidden="true" />
        </button>
      </h1>
    )
  return (
    <form
      className="flex min-w-0 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        finish()
      }}
    >
      <h1 className="sr-only">{project.name}</h1>
      <input
        // Focus the field when it appears, because the user pressed the pencil in order to type.
        autoFocus
        aria-label={workText.workspace.renameLabel}
        aria-invalid={renaming.isError}
        aria-describedby={renaming.isError ? 'rename-problem' : undefined}
        value={draft}
        maxLength={80}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event)) setDraft(null)
        }}
        className="h-8 min-w-0 rounded-md bg-kumo-control px-2 text-[15px] font-semibold ring-1 ring-kumo-line outline-none focus:ring-2 focus:ring-kumo-focus"
      />
      {renaming.isError && (
        <p id="rename-problem" role="alert" className="truncate text-xs text-removed">
          {describeFailure(renaming.error).sentence}
        </p>
      )}
    </form>
  )
}
