import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { postTestIdea } from '../../../api/organization/ingest.ts'
import { href } from '../../../routes.ts'
import { ingestText } from '../../../text/ingest.en.ts'
import { focusField } from '../../../ui/browser/focus-field.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'

const testIdeaText = ingestText.test

export function TestIdea({ source }: { source: { id: string; secret: string; projectId: string } }) {
  const [isMissing, setMissing] = useState(false)
  const post = useMutation({
    mutationFn: (text: string) => postTestIdea(source.id, source.secret, { text }),
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const idea = String(new FormData(event.currentTarget).get('idea') ?? '').trim()
    setMissing(idea === '')
    if (idea === '') focusField(event.currentTarget, 'idea')
    else post.mutate(idea)
  }
  return (
    <section className="space-y-3 rounded-lg p-3.5 ring-1 ring-kumo-line">
      <div>
        <h3 className="font-medium text-kumo-strong">{testIdeaText.title}</h3>
        <p className="text-[13px] text-kumo-subtle">
          {/* Signing needs crypto.subtle, which browsers have only on https pages and localhost. */}
          {isSecureContext ? testIdeaText.hint : testIdeaText.insecure}
        </p>
      </div>
      {isSecureContext && (
        <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-56">
            <TextField
              name="idea"
              label={testIdeaText.label}
              defaultValue={testIdeaText.sample}
              maxLength={500}
              {...(isMissing && { error: testIdeaText.missing })}
            />
          </div>
          <Button type="submit" size="lg" className="h-9" loading={post.isPending}>
            {testIdeaText.submit}
          </Button>
        </form>
      )}
      <p role="status" className="empty:hidden">
        {post.isSuccess && (
          <>
            <StateDot tone="good">{testIdeaText.done}</StateDot>{' '}
            <a
              href={href.project(source.projectId, { pane: 'tickets' })}
              // Opens in a new tab, because leaving this page would lose the secret, which is shown only once.
              target="_blank"
              rel="noopener"
              className="text-kumo-link underline"
            >
              {testIdeaText.open}
            </a>
          </>
        )}
      </p>
      {post.isError && <FailureNote title={testIdeaText.failed} error={post.error} />}
    </section>
  )
}
