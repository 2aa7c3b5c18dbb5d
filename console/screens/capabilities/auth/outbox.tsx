import { useMutation } from '@tanstack/react-query'
import { readAppOutbox } from './query.ts'
import { usersText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'

/**
 * Codes and links for the people of an app that cannot send mail yet. Loaded only on request, because the
 * service logs each read.
 */
export function Outbox({ projectId }: { projectId: string }) {
  const read = useMutation({ mutationFn: () => readAppOutbox(projectId) })
  return (
    <section className="space-y-3" aria-label={usersText.outbox}>
      <h2 className="font-medium text-kumo-strong">{usersText.outbox}</h2>
      <p className="text-[13px] text-kumo-subtle">{usersText.outboxHint}</p>
      {read.isError && <FailureNote error={read.error} />}
      <Button loading={read.isPending} onClick={() => read.mutate()}>
        {usersText.showOutbox}
      </Button>
      {read.data?.length === 0 && <p role="status">{usersText.outboxEmpty}</p>}
      {read.data !== undefined && read.data.length > 0 && (
        <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
          {read.data.map(({ id, to, text, createdAt }) => (
            <li key={id} className="space-y-1 px-4 py-3">
              <p className="text-[13px] break-words text-kumo-subtle">
                {to} · <RelativeTime at={createdAt} />
              </p>
              <p className="break-words whitespace-pre-wrap">{text}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
