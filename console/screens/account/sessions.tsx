import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { revokeOtherSessions, sessionsQuery } from '../../api/account/sessions.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { accountText } from '../../text/account.en.ts'
import { text } from '../../text/en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useFirstNewRow } from '../../ui/lists/use-first-new-row.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { Box, Section } from './section.tsx'
import { SessionRow } from './session-row.tsx'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const sessionsText = accountText.sessions

/** The number of sessions that are listed at first and added by each press of “Show more”. */
const SHOWN_AT_ONCE = 10

export function Sessions({ currentToken }: { currentToken: string }) {
  const client = useQueryClient()
  const sessions = useQuery(sessionsQuery())
  const [shown, setShown] = useState(SHOWN_AT_ONCE)
  const [isAsking, setAsking] = useState(false)
  const { list, extend } = useFirstNewRow<HTMLUListElement>()
  const endOthers = useMutation({
    mutationFn: revokeOtherSessions,
    onSuccess: () => {
      setAsking(false)
      notify(sessionsText.othersDone)
      return client.invalidateQueries({ queryKey: sessionsQuery().queryKey })
    },
  })
  const { data } = sessions
  const here = data?.filter(({ token }) => token === currentToken) ?? []
  const others = data?.filter(({ token }) => token !== currentToken) ?? []
  return (
    <Section title={sessionsText.title} lead={sessionsText.lead}>
      <Box>
        <LoadFailure query={sessions} />
        <ul ref={list} className="divide-y divide-kumo-hairline">
          {[...here, ...others].slice(0, shown).map((session) => (
            <SessionRow key={session.id} session={session} isHere={session.token === currentToken} />
          ))}
        </ul>
        {data && others.length === 0 && (
          <p className="mt-3 text-[13px] text-kumo-subtle">{sessionsText.only}</p>
        )}
        <div className="flex flex-wrap gap-2 not-empty:mt-4">
          {others.length > 0 && (
            <Button size="sm" onClick={() => setAsking(true)}>
              {sessionsText.others}
            </Button>
          )}
          {data && data.length > shown && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                extend()
                setShown(shown + SHOWN_AT_ONCE)
              }}
            >
              {text.common.more}
            </Button>
          )}
        </div>
      </Box>
      {isAsking && (
        <Suspense fallback={null}>
          <Confirm
            title={sessionsText.othersTitle(others.length)}
            consequence={sessionsText.othersConsequence}
            submit={sessionsText.othersSubmit}
            busy={endOthers.isPending}
            error={endOthers.error}
            onConfirm={() => endOthers.mutate()}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </Section>
  )
}
