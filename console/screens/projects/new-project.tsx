import { LightningIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { modelConnectionsQuery } from '../../api/organization/connections.ts'
import { href } from '../../routes.ts'
import { useDraftText } from '../../shell/use-draft-text.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { SentenceBox } from '../../ui/controls/sentence-box.tsx'
import { useStartProject } from './use-start-project.ts'

const DraftNote = lazy(() =>
  import('../../shell/draft-note.tsx').then((module) => ({ default: module.DraftNote })),
)

export function NewProject() {
  const unsent = useDraftText('new-project')
  const { text: sentence, write } = unsent
  const box = useRef<HTMLTextAreaElement>(null)
  const isAsked = useLocation({ select: ({ hash }) => hash === 'new' })
  useEffect(() => {
    if (isAsked) box.current?.focus()
  }, [isAsked])
  const start = useStartProject((started) => {
    // Text that was typed while the project was being created stays as the draft for the next visit.
    if (unsent.place.read().trim() === started) unsent.place.store('')
  })
  const choose = (example: string) => {
    write(example)
    box.current?.focus()
  }
  return (
    <section aria-labelledby="new-project" className="space-y-4">
      <h2
        id="new-project"
        className="text-[30px] leading-tight font-semibold tracking-[-0.03em] text-kumo-strong sm:text-[34px]"
      >
        {text.projects.question}
      </h2>
      {unsent.isRestored && (
        // Reserve the height of the note, so that the field does not move when it is loaded.
        <div className="min-h-6.5">
          <Suspense fallback={null}>
            <DraftNote draft={unsent} />
          </Suspense>
        </div>
      )}
      <SentenceBox
        ref={box}
        size="lg"
        label={text.projects.label}
        placeholder={text.projects.placeholder}
        submit={text.projects.submit}
        hint={text.projects.hint}
        value={sentence}
        busy={start.isPending}
        onChange={write}
        onSubmit={() => start.mutate(sentence.trim())}
      />
      <p role="status" className="sr-only">
        {start.isPending ? text.projects.submitting : ''}
      </p>
      {start.isError && (
        <FailureNote
          error={start.error}
          // Without text in the field there is nothing to send, so offer no retry.
          {...(sentence.trim() !== '' && { onRetry: () => start.mutate(sentence.trim()) })}
          takeFocus
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-1 text-sm text-kumo-subtle">{text.projects.examples}</span>
        {text.projects.exampleSentences.map((example) => (
          <button
            key={example}
            type="button"
            onClick={() => choose(example)}
            className="min-h-8 cursor-pointer rounded-full bg-kumo-base px-3 py-1 text-left text-[13px] text-kumo-default ring-1 ring-kumo-line transition-colors hover:bg-tide-tint hover:ring-tide-line"
          >
            {example.split(':')[0]}
          </button>
        ))}
      </div>
      <ScaffoldNote />
    </section>
  )
}

/** Tells the user that the default model is the built-in scaffold, a fixed program and not an AI. */
function ScaffoldNote() {
  const models = useQuery(modelConnectionsQuery())
  const builder = models.data?.find((model) => model.isDefault)
  // Reserve the height of the note until the models are loaded, so that the list below does not move.
  if (models.isPending) return <div className="min-h-5 max-sm:min-h-15" />
  if (builder?.provider !== 'scaffold') return null
  return (
    <p className="flex items-start gap-2 text-[13px] text-kumo-subtle">
      <LightningIcon className="mt-0.5 shrink-0" aria-hidden="true" />
      <span>
        {text.projects.scaffoldNote}{' '}
        <a href={href.models()} className="text-kumo-link underline underline-offset-3">
          {text.projects.scaffoldAction}
        </a>
      </span>
    </p>
  )
}
